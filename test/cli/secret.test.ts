import { decodeProtectedHeader } from 'jose'
import { describe, expect, test } from 'vitest'
import { operatorName } from '../../src/cli/accounts/operator.ts'
import { readConfig } from '../../src/config.ts'
import { openDependencies } from '../../src/dependencies.ts'
import { PortalError } from '../../src/errors.ts'
import { write } from '../../src/operations/execute.ts'
import { openSeal } from '../../src/secrets/sealed.ts'
import { sealInEarlierForm } from '../support/inputs/earlier-seal.ts'
import { rejectionOf } from '../support/rejection.ts'
import { query } from './beside.ts'
import {
  after,
  backupsNeedIt,
  before,
  during,
  firstSecret,
  openRotatable,
  openWith,
  readSealedKeys,
  resealed,
  rotate,
  type Secrets,
  secondSecret,
  settingsFor,
  signOn,
} from './rotated-database.ts'
import { command } from './run-command.ts'

const closed = (count: number) =>
  `The private keys of ${count} of 2 organizations do not open: they are sealed under a secret that is neither in ` +
  'SECRET_KEY or SECRET_KEY_FILE nor in PREVIOUS_SECRET_KEY or PREVIOUS_SECRET_KEY_FILE. If that one is lost for good, ' +
  '"cartulary secret renew" says how to go on without it.'

const doctor = async (url: string, secrets: Secrets) => (await command(['doctor'], settingsFor(url, secrets))).printed

describe('secret rotate', () => {
  test('leads from one secret to the next, and every server with the secrets of its step signs', async () => {
    const url = await openRotatable()
    expect(await signOn(url, during)).toBe(2)
    expect(await doctor(url, during)).toContain(
      'warning  The private keys of 2 of 2 organizations are sealed under the previous secret: run "cartulary secret rotate".',
    )
    expect(await rotate(url, during)).toEqual({ code: 0, printed: `${resealed(2)}\n${backupsNeedIt}`, complaint: '' })
    expect(await doctor(url, during)).toContain('ok       No private key is sealed under the previous secret: ')
    expect(await signOn(url, after)).toBe(2)
    await expect(openWith(url, before)).rejects.toThrow(closed(2))
    expect(await rotate(url, before)).toEqual({ code: 1, printed: '', complaint: closed(2) })
  })

  test('changes nothing and records nothing the second time', async () => {
    const url = await openRotatable()
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
    const url = await openRotatable()
    for (const [portalId, sealed] of await readSealedKeys(url)) {
      const earlier = sealInEarlierForm(firstSecret, await openSeal(firstSecret).open(sealed))
      await query(url, `update portals set sealed_private_key = '${earlier}' where portal_id = '${portalId}'`)
    }
    expect(await signOn(url, before)).toBe(2)
    expect((await rotate(url, before)).printed).toBe(resealed(2))
    for (const sealed of (await readSealedKeys(url)).values()) {
      expect(decodeProtectedHeader(sealed).kid).toMatch(/^[0-9a-f]{16}$/)
    }
    expect(await signOn(url, before)).toBe(2)
  })

  test('stores all keys or none: one that was sealed again meanwhile refuses the others too', async () => {
    const url = await openRotatable()
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
      expect((await rejectionOf(write(storage, command), PortalError)).message).toBe(
        'Another process has re-sealed private keys at the same time; nothing was changed.',
      )
    } finally {
      await storage.close()
    }
    expect(await readSealedKeys(url)).toEqual(keys)
  })
})

test('secret rotate finds an organization that was made under the previous secret afterwards', async () => {
  const url = await openRotatable()
  await rotate(url, during)
  const back: Secrets = { SECRET_KEY: firstSecret, PREVIOUS_SECRET_KEY: secondSecret }
  const seas = ['organization', 'create', '--name', 'Lakes', '--admin', 'lake']
  expect(await command(seas, settingsFor(url, back))).toMatchObject({ code: 0 })
  expect(await doctor(url, during)).toContain('warning  The private keys of 1 of 3 organizations are sealed under the')
  await expect(openWith(url, after)).rejects.toThrow('The private keys of 1 of 3 organizations do not open')
  expect((await rotate(url, during)).printed).toContain('Re-sealed 1 of 3 private keys')
  expect(await signOn(url, after)).toBe(3)
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
  const url = await openRotatable()
  const keys = await readSealedKeys(url)
  const ended = await rotate(url, secrets)
  expect(ended).toMatchObject({ code: 1, printed: '' })
  expect(ended.complaint).toMatch(complaint)
  expect(ended.complaint).not.toContain('\n')
  expect(await readSealedKeys(url)).toEqual(keys)
})
