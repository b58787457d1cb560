import { cpSync, existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { pathOf } from '../durability/clients.ts'
import { SqliteTables } from '../durability/sqlite-tables.ts'
import { adminPassword } from '../support/portal/portal.ts'
import { CartularyProcess, Folder, serve } from '../support/portal/process.ts'
import { until } from '../support/until.ts'
import { Observer } from './observer.ts'
import { reachProcess, secret } from './servers.ts'
import {
  assignUntilRefused,
  diskOf,
  fillDisk,
  makeRoom,
  onSmallDisks,
  programs,
  withDiskOf,
  withSmallDisk,
} from './small-disk.ts'

const environment = {
  DATABASE_URL: 'file:portal.db',
  SECRET_KEY: secret,
  ADMIN_PASSWORD: adminPassword,
  // The disk is filled to its end: nothing is refused before.
  MIN_FREE_DISK_BYTES: '0',
  MIN_FREE_DISK_PERCENT: '0',
  ...programs,
}

/** In units of 512 or 1,024 bytes. */
const withSmallFiles = ['/bin/sh', '-c', 'ulimit -f 2800 && exec "$@"', 'sh']

const ended = { code: 0, err: '' }

describe.concurrent('a server on SQLite', () => {
  test('whose files may not grow refuses writes, answers reads, and has what it acknowledged', async ({ expect }) => {
    using folder = new Folder()
    await using server = await serve({ folder: folder.path, environment, through: withSmallFiles })
    const observer = await Observer.open(await reachProcess(server))
    await assignUntilRefused(observer)
    for (let again = 0; again < 5; again += 1) expect(await observer.assign()).toBe('refused')
    expect(await readsOf(observer)).toEqual([200, 200, 200])
    expect(await server.stop()).toMatchObject(ended)
    // One line for the outage, however many requests it refused, and no stack.
    const causes = server.log.filter(({ message }) => message === 'request failed').map(({ cause }) => cause)
    expect(causes.length).toBe(new Set(causes).size)
    expect(causes).toContainEqual(expect.stringContaining('SQLITE_'))
    expect(server.out).not.toContain('stack')
    using tables = new SqliteTables(join(folder.path, 'portal.db'))
    await tables.requireSound('afterwards')
    await observer.requireConsistency(tables.query)
  })

  test.for(onSmallDisks)(
    'whose disk is full refuses writes, and takes them when there is room (%s)',
    async (_, { expect }) => {
      using folder = new Folder()
      const onDisk = { ...environment, DATABASE_URL: 'file:/mnt/portal.db' }
      await using server = await serve({ folder: folder.path, environment: onDisk, through: withSmallDisk })
      const disk = diskOf(server.child.pid)
      const observer = await Observer.open(await reachProcess(server))
      expect(await observer.assign()).toBe('done')
      fillDisk(disk)
      await assignUntilRefused(observer)
      expect(await readsOf(observer)).toEqual([200, 200, 200])
      expect(await observer.assign()).toBe('refused')
      const elsewhere = join(folder.path, 'elsewhere.db')
      for (const ending of ['', '-wal']) cpSync(join(disk, `portal.db${ending}`), `${elsewhere}${ending}`)
      await using backup = new CartularyProcess({
        words: ['backup', '/mnt/copy.db'],
        environment: { ...environment, DATABASE_URL: `file:${elsewhere}` },
        folder: folder.path,
        through: withDiskOf(0.25),
      })
      expect(await backup.ended).toMatchObject({
        code: 1,
        err: 'The copy in /mnt cannot be written: database or disk is full (SQLITE_FULL).\n',
      })
      makeRoom(disk)
      expect(await observer.assign()).toBe('done')
      await requireConsistency(observer, disk)
      expect(await server.stop()).toMatchObject(ended)
    },
  )

  test.for(onSmallDisks)(
    'whose disk is full lets an administrator sign in when the reserve is deleted, and has it again when there is room (%s)',
    async (_, { expect }) => {
      using folder = new Folder()
      const onDisk = { ...environment, DATABASE_URL: 'file:/mnt/portal.db', DISK_RESERVE_MB: '1' }
      await using server = await serve({ folder: folder.path, environment: onDisk, through: withSmallDisk })
      const disk = diskOf(server.child.pid)
      const reserve = join(disk, 'portal.db.reserve')
      await until('the reserve is made', () => existsSync(reserve))
      const observer = await Observer.open(await reachProcess(server))
      fillDisk(disk)
      await assignUntilRefused(observer)
      const credentials = { username: 'admin', password: adminPassword }
      expect(await server.post('/generateToken', credentials)).toMatchObject({ error: { code: 503 } })
      rmSync(reserve)
      const { token } = await server.post('/generateToken', credentials)
      expect(await server.post('/portals/self/update', { token, description: 'Full' })).toEqual({ success: true })
      expect(existsSync(reserve)).toBe(false)
      makeRoom(disk)
      await until('the reserve is made again', () => existsSync(reserve))
      expect(statSync(reserve).size).toBe(1_000_000)
      expect(await server.stop()).toMatchObject(ended)
    },
  )

  test.for(onSmallDisks)(
    'whose disk a member fills goes on for all others, who add again when those items are gone (%s)',
    async (_, { expect }) => {
      using folder = new Folder()
      const floor = { MIN_FREE_DISK_BYTES: '3000000', DISK_RESERVE_MB: '0' }
      const onDisk = { ...environment, DATABASE_URL: 'file:/mnt/portal.db', ...floor }
      // 16 MB of it are for the log.
      await using server = await serve({ folder: folder.path, environment: onDisk, through: withDiskOf(32) })
      const token = await server.signIn('admin', adminPassword)
      const invitations = ['mallory', 'tia'].map((username) => ({
        username,
        fullname: username,
        password: adminPassword,
      }))
      await server.post('/portals/self/invite', { token, invitationList: { invitations } })
      const [mallory, tia] = [await server.signIn('mallory', adminPassword), await server.signIn('tia', adminPassword)]
      const item = { title: 'L', type: 'T', text: 'x'.repeat(900_000) }
      const add = (username: string, token: string) =>
        server.post(`/content/users/${username}/addItem`, { ...item, token })
      const ids: string[] = []
      let answer = await add('mallory', mallory)
      for (; answer.id; answer = await add('mallory', mallory)) ids.push(answer.id)
      expect(ids.length).toBeGreaterThan(3)
      const refusal = { error: { code: 503, reasons: [expect.stringContaining('disk')] } }
      expect([answer, await add('tia', tia)]).toMatchObject([refusal, refusal])
      expect(await server.signIn('tia', adminPassword)).toMatch(/./)
      expect(await server.post('/community/users/mallory/disable', { token })).toMatchObject({ success: true })
      const { results } = await server.post('/content/users/mallory/deleteItems', { token, items: ids.join() })
      expect(results.every(({ success }: { success: boolean }) => success)).toBe(true)
      for (const _ of ids) expect(await add('tia', tia)).toMatchObject({ success: true })
      expect(await server.stop()).toMatchObject(ended)
    },
  )

  test('whose file is moved acknowledges nothing more, until it is put back', async ({ expect }) => {
    using folder = new Folder()
    await using server = await serve({ folder: folder.path, environment })
    const observer = await Observer.open(await reachProcess(server))
    expect(await observer.assign()).toBe('done')
    const path = join(folder.path, 'portal.db')
    renameSync(path, `${path}.moved`)
    expect(await observer.assign()).toBe('refused')
    await until('it is not ready', async () => (await observer.reach.get('/health/ready')).status === 503)
    expect((await observer.reach.get('/health/live')).status).toBe(200)
    renameSync(`${path}.moved`, path)
    expect(await observer.assign()).toBe('done')
    await requireConsistency(observer, folder.path)
    expect(await server.stop()).toMatchObject(ended)
  })
})

/** Statuses of reads of health and of a schema. */
async function readsOf({ reach, owners }: Observer): Promise<readonly (number | undefined)[]> {
  const read = await reach.post(`${pathOf(owners[0]!)}/categorySchema`, {})
  const health = await Promise.all(['/health/live', '/health/ready'].map((path) => reach.get(path)))
  return [...health, read].map((answered) => answered?.status)
}

/** In a copy: SQLite itself does not find what is in another process's file system. */
async function requireConsistency(observer: Observer, folder: string): Promise<void> {
  using copy = new Folder()
  for (const name of ['portal.db', 'portal.db-wal']) cpSync(join(folder, name), join(copy.path, name))
  using tables = new SqliteTables(join(copy.path, 'portal.db'))
  await tables.requireSound('afterwards')
  await observer.requireConsistency(tables.query)
}
