import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { query } from '../cli/beside.ts'
import { diskOf, fillDisk, onSmallDisks, withSmallDisk } from '../faults/small-disk.ts'
import { emptyDatabase } from '../support/databases/test-database.ts'
import { Folder, serve } from '../support/portal/process.ts'
import { until } from '../support/until.ts'
import { aMachine, firstPassword, Machine, pasted } from './machine.ts'
import { readDocument, shellBlocks } from './shell-walk.ts'

/** Each trouble of docs/recover.md, ended by the commands that stand there and by nothing else. */

const recover = readDocument('docs/recover.md')
const backup = readDocument('docs/backup.md')

/** At the end there is no block that was not run. */
afterAll(() => {
  const all = [recover, backup].flatMap((document) =>
    [...document.matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block),
  )
  const left = all.filter((block) => !pasted.has(block!))
  if (onSmallDisks.length > 0) expect(left, 'blocks that no test runs').toEqual([])
})

const signIn = (machine: Machine, username: string, password: string) => machine.server.signIn(username, password)

/** The folder of the database is there before the first start. */
const inItsFolder = ['/bin/sh', '-c', 'mkdir /mnt/data && exec "$@"', 'sh']

describe('a person in trouble', () => {
  const [reset, resetTo] = shellBlocks(recover, 'I cannot sign in: lost password')
  const [administrator] = shellBlocks(recover, 'There is no administrator any more')
  const [renew] = shellBlocks(recover, 'The secret is lost')
  const [release, doctor] = shellBlocks(recover, 'The disk is full')
  const [elsewhere, here] = shellBlocks(recover, 'Go on with a backup, on this machine or another')
  const [backUp] = shellBlocks(backup, 'Make a backup now')
  const [keepSecret] = shellBlocks(backup, 'Keep the secret')
  const [restore] = shellBlocks(backup, 'Restore a backup')
  const [toPostgres] = shellBlocks(backup, 'PostgreSQL')
  const [, scheduled] = /```ini\n(.*?)```/s.exec(backup)!

  test('whose password is lost signs in with the one that is printed, and with one of their own', async () => {
    const machine = await aMachine()
    const printed = await machine.paste(reset!)
    expect(printed).toMatch(/org_admin .* admin$/m)
    const [, password] = /^Password {2}(\S+)$/m.exec(printed)!
    await expect(signIn(machine, 'admin', password!)).rejects.toThrow('The password has to be changed first, at http')
    const newPassword = 'chosen on the page'
    const form = { username: 'admin', password: password!, newPassword, repeated: newPassword }
    const body = new URLSearchParams(form)
    const page = await fetch(`${machine.server.base}/oauth2/newPassword`, { method: 'POST', body })
    expect(await page.text()).toContain('Password changed')
    expect(await signIn(machine, 'admin', newPassword)).toMatch(/^\S{43}$/)
    await expect(signIn(machine, 'admin', firstPassword)).rejects.toThrow('admin does not sign in')
    await machine.paste(resetTo!, { NEW_PASSWORD: 'one of my own' })
    expect(await signIn(machine, 'admin', 'one of my own')).toMatch(/^\S{43}$/)
  })

  test('whose organization has no administrator gets one', async () => {
    const machine = await aMachine()
    const token = await signIn(machine, 'admin', firstPassword)
    const invitations = [{ username: 'anna', password: firstPassword, role: 'org_user' }]
    const invited = await machine.server.post('/portals/self/invite', { token, invitationList: { invitations } })
    expect(invited).toMatchObject({ success: true })
    await query(machine.database, "update users set disabled = 1 where username = 'admin'")
    await expect(signIn(machine, 'admin', firstPassword)).rejects.toThrow('admin does not sign in')
    expect(await machine.paste(administrator!)).toContain('(no administrator who may sign in)')
    const anna = await signIn(machine, 'anna', firstPassword)
    const { user } = await machine.server.post('/portals/self', { token: anna })
    expect(user).toMatchObject({ username: 'anna', role: 'org_admin' })
    expect(await signIn(machine, 'admin', firstPassword)).toMatch(/^\S{43}$/)
  })

  test('whose secret is lost goes on with new keys, and everything else', async () => {
    const machine = await aMachine()
    const token = await signIn(machine, 'admin', firstPassword)
    const key = join(machine.folder.path, 'data/cartulary.db.key')
    rmSync(key)
    const printed = await machine.paste(renew!, { typed: 'renew\n' })
    expect(printed).toContain('Made new keys for 1 of 1 organizations.')
    expect(statSync(key).mode & 0o777).toBe(0o600)
    expect(await machine.server.post('/community/self', { token })).toMatchObject({ username: 'admin' })
    expect(await machine.paste(doctor!)).toContain('The secret opens the private key of every organization.')
  })

  test.for(onSmallDisks)('whose disk is full signs in after the reserve is deleted (%s)', async () => {
    const folder = new Folder()
    onTestFinished(() => folder[Symbol.dispose]())
    const environment = {
      DATABASE_URL: 'file:/mnt/data/cartulary.db',
      DISK_RESERVE_MB: '1',
      ADMIN_PASSWORD: firstPassword,
    }
    await using server = await serve({ folder: folder.path, environment, through: [...withSmallDisk, ...inItsFolder] })
    const disk = diskOf(server.child.pid)
    await until('the reserve is made', () => existsSync(join(disk, 'data/cartulary.db.reserve')))
    fillDisk(disk)
    const signedIn = () => server.post('/generateToken', { username: 'admin', password: firstPassword })
    await until('nobody can sign in', async () => (await signedIn()).error?.code === 503)
    pasted.add(release!)
    await new Promise((resolve, reject) =>
      execFile('bash', ['-euc', release!], { cwd: disk }, (error) => (error ? reject(error) : resolve(undefined))),
    )
    expect(await signedIn()).toHaveProperty('token')
  })

  test('whose machine is gone goes on with a backup on another one, and whose database is wrong on the same', async () => {
    const settings = Object.fromEntries(
      scheduled!
        .trim()
        .split('\n')
        .map((line) => line.split('=') as [string, string]),
    )
    const old = await aMachine()
    mkdirSync(join(old.folder.path, 'backups'))
    const token = await signIn(old, 'admin', firstPassword)
    const { group } = await old.server.post('/community/createGroup', {
      token,
      title: 'Kept',
      access: 'org',
      tags: 'x',
    })
    await old.paste(backUp!)
    await old.paste(keepSecret!)

    const other = new Machine({ ...settings, BACKUP_DIR: 'scheduled' })
    onTestFinished(() => other[Symbol.asyncDispose]())
    cpSync(join(old.folder.path, 'backups'), join(other.folder.path, 'backups'), { recursive: true })
    await old.stop()
    expect(await other.paste(elsewhere!)).toContain('The secret opens the private key of every organization.')
    expect(await other.server.post(`/community/groups/${group.id}`, { token })).toMatchObject({ title: 'Kept' })
    await other.server.wrote(/"backup made"/)
    expect(readdirSync(join(other.folder.path, 'scheduled')).filter((name) => name.endsWith('.db'))).toHaveLength(1)

    await other.server.post(`/community/groups/${group.id}/delete`, { token })
    await other.paste(here!)
    expect(await other.server.post(`/community/groups/${group.id}`, { token })).toMatchObject({ title: 'Kept' })
    await other.stop()
    expect(await other.paste(restore!)).toMatch(/^The database that was there is kept as /m)
  })

  test('whose PostgreSQL is gone goes on with a backup in an empty database', async () => {
    const secret = { SECRET_KEY: 'the secret of a drill, which has 32 characters or more' }
    const old = await aMachine({ ...secret, DATABASE_URL: await emptyDatabase() })
    mkdirSync(join(old.folder.path, 'backups'))
    const token = await signIn(old, 'admin', firstPassword)
    await old.server.post('/community/createGroup', { token, title: 'Kept', access: 'org', tags: 'x' })
    expect(await old.paste(backUp!)).toMatch(/^Backed up postgres:/)

    const other = new Machine({ ...secret, DATABASE_URL: await emptyDatabase() })
    onTestFinished(() => other[Symbol.asyncDispose]())
    cpSync(join(old.folder.path, 'backups'), join(other.folder.path, 'backups'), { recursive: true })
    await old.stop()
    await other.paste(toPostgres!)
    await other.start()
    const { results } = await other.server.post('/community/groups', { token, q: 'kept' })
    expect(results).toMatchObject([{ title: 'Kept' }])
  })
})
