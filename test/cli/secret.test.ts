import { existsSync, writeFileSync } from 'node:fs'
import { decodeProtectedHeader } from 'jose'
import { describe, expect, test } from 'vitest'
import { operatorName } from '../../src/cli/accounts/operator.ts'
import { readConfig } from '../../src/config.ts'
import { openDependencies } from '../../src/dependencies.ts'
import { OperationRefused } from '../../src/errors.ts'
import { write } from '../../src/operations/execute.ts'
import { openSeal } from '../../src/secrets/sealed.ts'
import { temporaryFile } from '../storage/sqlite/temporary-file.ts'
import { emptyDatabase } from '../support/databases/test-database.ts'
import { sealInEarlierForm } from '../support/inputs/earlier-seal.ts'
import { rejectionOf } from '../support/rejection.ts'
import {
  after,
  before,
  during,
  engines,
  firstSecret,
  openRotatable,
  openWith,
  query,
  readSealedKeys,
  type Secrets,
  secondSecret,
  settingsFor,
  sign,
} from './rotated-database.ts'
import { command } from './run-command.ts'

const closed = (count: number) =>
  `The private keys of ${count} of 2 organizations do not open: they are sealed under a secret that is neither in ` +
  'SECRET_KEY or SECRET_KEY_FILE nor in PREVIOUS_SECRET_KEY or PREVIOUS_SECRET_KEY_FILE. If that one is lost for good, ' +
  '"cartulary secret renew" says how to go on without it.'

const missingFile = (path: string) =>
  `The file of the secret, ${path}, is missing: the private keys in this database need it. Put it back; if it is lost ` +
  'for good, "cartulary secret renew" says how to go on without it.'

const rotate = (url: string, secrets: Secrets) => command(['secret', 'rotate'], settingsFor(url, secrets))
const doctor = async (url: string, secrets: Secrets) => (await command(['doctor'], settingsFor(url, secrets))).printed

const resealed = (count: number) =>
  `Re-sealed ${count} of 2 private keys; every one is sealed under the present secret.`
const backupsNeedIt = 'The previous secret is needed only by backups that were made before: keep it with them.'

describe.each(engines)('secret rotate on %s', (_engine, open) => {
  test('leads from one secret to the next, and every server with the secrets of its step signs', async () => {
    const url = await openRotatable(open)
    {
      await using portal = await openWith(url, during)
      expect(await sign(portal)).toBe(2)
    }
    expect(await doctor(url, during)).toContain(
      'warning  The private keys of 2 of 2 organizations are sealed under the previous secret: run "cartulary secret rotate".',
    )
    expect(await rotate(url, during)).toEqual({ code: 0, printed: `${resealed(2)}\n${backupsNeedIt}`, complaint: '' })
    expect(await doctor(url, during)).toContain('ok       No private key is sealed under the previous secret: ')
    {
      await using portal = await openWith(url, after)
      expect(await sign(portal)).toBe(2)
    }
    await expect(openWith(url, before)).rejects.toThrow(closed(2))
    expect(await rotate(url, before)).toEqual({ code: 1, printed: '', complaint: closed(2) })
  })

  test('changes nothing and records nothing the second time', async () => {
    const url = await openRotatable(open)
    await rotate(url, during)
    const keys = await readSealedKeys(url)
    expect((await rotate(url, during)).printed).toBe(`${resealed(0)}\n${backupsNeedIt}`)
    expect((await rotate(url, after)).printed).toBe(resealed(0))
    expect(await readSealedKeys(url)).toEqual(keys)
    const entries = await query(url, "select * from audit where operation = 'resealPortalKeys'")
    const entry = { outcome: 200, target: '/portals', address: 'localhost', username: operatorName(), portal_id: null }
    expect(entries).toEqual([expect.objectContaining(entry)])
    for (const key of keys.values()) expect(JSON.stringify(entries)).not.toContain(key)
  })

  test('seals what is in the earlier form, which opens until then', async () => {
    const url = await openRotatable(open)
    for (const [portalId, sealed] of await readSealedKeys(url)) {
      const earlier = sealInEarlierForm(firstSecret, await openSeal(firstSecret).open(sealed))
      await query(url, `update portals set sealed_private_key = '${earlier}' where portal_id = '${portalId}'`)
    }
    {
      await using portal = await openWith(url, before)
      expect(await sign(portal)).toBe(2)
    }
    expect((await rotate(url, before)).printed).toBe(resealed(2))
    for (const sealed of (await readSealedKeys(url)).values()) {
      expect(decodeProtectedHeader(sealed).kid).toMatch(/^[0-9a-f]{16}$/)
    }
    await using portal = await openWith(url, before)
    expect(await sign(portal)).toBe(2)
  })

  test('stores all keys or none: one that was sealed again meanwhile refuses the others too', async () => {
    const url = await openRotatable(open)
    const keys = await readSealedKeys(url)
    const { storage } = await openDependencies(readConfig(settingsFor(url, during)))
    const [[portalId, from], [otherId]] = [...keys] as [[string, string], [string, string]]
    const input = {
      keys: [
        { portalId, from, to: 'new' },
        { portalId: otherId, from: 'changed meanwhile', to: 'new' },
      ],
    }
    const origin = { address: 'localhost', target: '/portals', requestId: 'r' }
    const command = {
      operation: 'resealPortalKeys',
      input,
      tokenHash: undefined,
      now: 1,
      problems: [],
      origin,
    } as const
    try {
      expect((await rejectionOf(write(storage, command), OperationRefused)).message).toBe(
        'Another process has re-sealed private keys at the same time; nothing was changed.',
      )
    } finally {
      await storage.close()
    }
    expect(await readSealedKeys(url)).toEqual(keys)
  })
})

test('secret rotate finds an organization that was made under the previous secret afterwards', async () => {
  const url = await openRotatable(emptyDatabase)
  await rotate(url, during)
  const back: Secrets = { SECRET_KEY: firstSecret, PREVIOUS_SECRET_KEY: secondSecret }
  const seas = ['organization', 'create', '--name', 'Lakes', '--admin', 'lake', '--password', 'deep blue water']
  expect(await command(seas, settingsFor(url, back))).toMatchObject({ code: 0 })
  expect(await doctor(url, during)).toContain('warning  The private keys of 1 of 3 organizations are sealed under the')
  await expect(openWith(url, after)).rejects.toThrow('The private keys of 1 of 3 organizations do not open')
  expect((await rotate(url, during)).printed).toContain('Re-sealed 1 of 3 private keys')
  await using portal = await openWith(url, after)
  expect(await sign(portal)).toBe(3)
})

test.each<[string, Secrets, RegExp]>([
  ['the same secret twice', { SECRET_KEY: firstSecret, PREVIOUS_SECRET_KEY: firstSecret }, /are the same secret\.$/],
  [
    'neither of its secrets',
    { SECRET_KEY: secondSecret, PREVIOUS_SECRET_KEY: 'x'.repeat(40) },
    /^The private keys of 2/,
  ],
  ['only the new secret', after, /^The private keys of 2 of 2 organizations do not open/],
])('secret rotate with %s is refused, and changes nothing', async (_what, secrets, complaint) => {
  const url = await openRotatable(emptyDatabase)
  const keys = await readSealedKeys(url)
  const ended = await rotate(url, secrets)
  expect(ended).toMatchObject({ code: 1, printed: '' })
  expect(ended.complaint).toMatch(complaint)
  expect(ended.complaint).not.toContain('\n')
  expect(await readSealedKeys(url)).toEqual(keys)
})

test('secret rotate is refused while a server owns the SQLite file', async () => {
  const url = await openRotatable(engines[0]![1])
  const keys = await readSealedKeys(url)
  await using portal = await openWith(url, during)
  expect(await rotate(url, during)).toEqual({
    code: 1,
    printed: '',
    complaint: expect.stringMatching(/^The database \S+ is in use by another process; stop that one first\.$/),
  })
  expect(await readSealedKeys(url)).toEqual(keys)
  expect(await sign(portal)).toBe(2)
})

test('secret rotate runs beside servers on PostgreSQL that open both secrets, and none of their writes fails', async () => {
  const url = await openRotatable(emptyDatabase)
  await using one = await openWith(url, during)
  await using other = await openWith(url, during)
  const clients = await Promise.all([one, other].map((portal) => portal.admin()))
  let isDone = false
  const serving = [one, other].map(async (portal, place) => {
    let rounds = 0
    while (!isDone || rounds === 0) {
      const description = `Server ${place}, round ${rounds}`
      const [signed, updated] = await Promise.all([
        sign(portal),
        clients[place]!.post('/portals/self/update', { description }),
      ])
      expect([signed, updated]).toEqual([2, { success: true }])
      rounds += 1
    }
    return rounds
  })
  const rotating = rotate(url, during).finally(() => {
    isDone = true
  })
  const [ended, ...rounds] = await Promise.all([rotating, ...serving])
  for (const count of rounds) expect(count).toBeGreaterThan(0)
  expect(ended).toMatchObject({ code: 0, printed: `${resealed(2)}\n${backupsNeedIt}` })
  await using third = await openWith(url, after)
  expect(await Promise.all([one, other, third].map(sign))).toEqual([2, 2, 2])
})

test('two rotations at once on PostgreSQL re-seal every key once', async () => {
  const url = await openRotatable(emptyDatabase)
  const ended = await Promise.all([rotate(url, during), rotate(url, during)])
  for (const { code, complaint } of ended) {
    if (code !== 0)
      expect(complaint).toBe('Another process has re-sealed private keys at the same time; nothing was changed.')
  }
  expect(ended.map(({ code }) => code)).toContain(0)
  expect(await query(url, "select 1 from audit where operation = 'resealPortalKeys'")).toHaveLength(1)
  await using portal = await openWith(url, after)
  expect(await sign(portal)).toBe(2)
})

test('secret rotate says what is not sealed under the present secret after it has run', async () => {
  const url = await openRotatable(engines[0]![1])
  await query(
    url,
    `create trigger stubborn after update of sealed_private_key on portals begin
       update portals set sealed_private_key = old.sealed_private_key where portal_id = new.portal_id;
     end`,
  )
  expect(await rotate(url, during)).toMatchObject({
    code: 1,
    printed: '',
    complaint: expect.stringMatching(
      /^The private keys of 2 of 2 organizations were made under another secret meanwhile: /,
    ),
  })
})

describe('the secrets of a rotation in files', () => {
  async function openFiles() {
    const url = await openRotatable(engines[0]![1])
    const file = url.slice('file:'.length)
    const present = `${file}.key`
    const previous = `${file}.key.previous`
    writeFileSync(previous, `${firstSecret}\n`, { mode: 0o600 })
    return { url, present, previous, settings: { DATABASE_URL: url, PREVIOUS_SECRET_KEY_FILE: previous } }
  }

  test('lead from one to the next', async () => {
    const { present, previous, settings } = await openFiles()
    writeFileSync(present, `${secondSecret}\n`, { mode: 0o600 })
    expect((await command(['secret', 'rotate'], settings)).printed).toBe(`${resealed(2)}\n${backupsNeedIt}`)
    expect((await command(['doctor'], { ...settings, PREVIOUS_SECRET_KEY_FILE: '' })).code).toBe(0)
    expect((await command(['backup', `${present}.copy`], settings)).printed).toMatch(
      new RegExp(`^The secrets in ${RegExp.escape(present)} and ${RegExp.escape(previous)} are not in it`, 'm'),
    )
  })

  test('are not made: neither the previous one nor, where there are keys, the present one', async () => {
    const { url, present, previous, settings } = await openFiles()
    expect(await command(['secret', 'rotate'], settings)).toMatchObject({
      code: 1,
      complaint: missingFile(present),
    })
    const missing = { ...settingsFor(url, before), PREVIOUS_SECRET_KEY_FILE: `${previous}.missing` }
    expect(await command(['secret', 'rotate'], missing)).toMatchObject({
      code: 1,
      complaint: missingFile(`${previous}.missing`),
    })
    expect((await command(['doctor'], missing)).printed).toContain(
      `problem  The secret is missing from ${previous}.missing, or too short`,
    )
    expect([present, `${previous}.missing`].map((path) => existsSync(path))).toEqual([false, false])
  })
})

test.each([
  [['secret'], 'Missing subcommand (rotate, renew).'],
  [['secret', 'show'], 'Unknown subcommand show (rotate, renew).'],
  [['secret', 'rotate', 'all'], 'Unexpected argument all.'],
])('%j is refused with the way to the usage', async (args, sentence) => {
  expect(await command(args, settingsFor(`file:${temporaryFile()}`, before))).toEqual({
    code: 1,
    printed: '',
    complaint: `${sentence}\nRun "cartulary help" for the commands and their arguments.`,
  })
})

test('secret rotate makes no database where there is none', async () => {
  const file = temporaryFile()
  expect(await rotate(`file:${file}`, during)).toMatchObject({ code: 1, complaint: `There is no database at ${file}.` })
  expect(existsSync(file)).toBe(false)
})
