import { existsSync, statSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { operatorName } from '../../src/cli/accounts/operator.ts'
import { noSessions } from '../support/databases/postgres.ts'
import { hostCollaboration } from '../support/portal/collaboration-host.ts'
import { query } from './beside.ts'
import {
  after,
  before,
  during,
  openRotatable,
  openWith,
  readSealedKeys,
  type Secrets,
  settingsFor,
  sign,
  signOn,
} from './rotated-database.ts'
import { command } from './run-command.ts'

const renew = (url: string, secrets: Secrets, words: readonly string[] = ['--yes'], typed?: string) =>
  command(['secret', 'renew', ...words], settingsFor(url, secrets), undefined, typed)

const readPublicKeys = async (url: string) =>
  (await query(url, 'select portal_id, public_key from portals order by portal_id')).map((row) => row['public_key'])

describe('secret renew', () => {
  test('makes a database whose secret is lost serve again, with everything but the keys as it was', async () => {
    const url = await openRotatable()
    {
      await using portal = await openWith(url, before)
      await (await hostCollaboration(portal)).invite()
    }
    const old = await readPublicKeys(url)
    await expect(openWith(url, after)).rejects.toThrow('"cartulary secret renew" says how to go on without it.')
    // A pool resolves before its connections have ended, and each holds the database.
    if (url.startsWith('postgres')) await noSessions(url)
    const { code, printed, complaint } = await renew(url, after)
    expect([code, complaint]).toEqual([0, ''])
    expect(printed).toContain('The private keys of 2 of 2 organizations do not open under the present secret.')
    expect(printed).toContain('- Open invitations, 1 in this database, are signed by the old keys')
    expect(printed).toContain('acceptNewKey=true')
    expect(printed).toMatch(
      /^Made new keys for 2 of 2 organizations\. Their fingerprints:\n(\S{16} {2}\S{43} {2}.+\n?){2}$/m,
    )
    for (const key of await readPublicKeys(url)) expect(old).not.toContain(key)
    await using portal = await openWith(url, after)
    expect(await sign(portal)).toBe(2)
    const entries = await query(
      url,
      "select username, portal_id, target from audit where operation = 'renewPortalKeys'",
    )
    const ids = [...(await readSealedKeys(url)).keys()]
    expect(entries).toHaveLength(2)
    for (const id of ids) {
      expect(entries).toContainEqual({ username: operatorName(), portal_id: id, target: `/portals/${id}` })
    }
    const { items } = await (await portal.admin()).get('/portals/self/history', { all: 'true', actors: operatorName() })
    expect(items).toEqual([expect.objectContaining({ action: 'renewPortalKeys' })])
  })

  test('does nothing where every key opens, unless all are to be renewed', async () => {
    const url = await openRotatable()
    const keys = await readSealedKeys(url)
    expect(await renew(url, before)).toEqual({
      code: 0,
      printed:
        'The secret opens the private key of every organization: nothing has to be renewed. Nothing was changed.',
      complaint: '',
    })
    expect(await renew(url, during)).toMatchObject({
      complaint: '',
      printed: expect.stringContaining('nothing has to be renewed'),
    })
    expect(await readSealedKeys(url)).toEqual(keys)
    expect((await renew(url, before, ['--yes', '--all'])).printed).toContain('New keys for 2 of them')
    for (const [portalId, key] of await readSealedKeys(url)) expect(keys.get(portalId)).not.toBe(key)
    expect(await signOn(url, before)).toBe(2)
  })

  test('leaves the keys that still open as they are', async () => {
    const url = await openRotatable()
    const [[firstId, first], [lostId]] = [...(await readSealedKeys(url))] as [[string, string], [string, string]]
    await query(url, `update portals set sealed_private_key = 'not readable any more' where portal_id = '${lostId}'`)
    expect((await renew(url, before)).printed).toContain('Made new keys for 1 of 2 organizations.')
    expect((await readSealedKeys(url)).get(firstId)).toBe(first)
    expect(await signOn(url, before)).toBe(2)
  })

  test('changes nothing where anything but the word is typed', async () => {
    const url = await openRotatable()
    const keys = await readSealedKeys(url)
    for (const typed of ['', 'yes', undefined]) {
      const ended = await renew(url, after, [], typed)
      expect([typed, ended.code, ended.complaint]).toEqual([
        typed,
        1,
        'Nothing was changed. Type renew when you are asked, or give --yes.',
      ])
    }
    expect(await readSealedKeys(url)).toEqual(keys)
    expect(await renew(url, after, [], 'renew')).toMatchObject({ code: 0 })
  })

  test('is refused while a server runs', async () => {
    const url = await openRotatable()
    const keys = await readSealedKeys(url)
    await using _server = await openWith(url, before)
    expect(await renew(url, after)).toMatchObject({ code: 1, complaint: expect.stringMatching(/ is in use by /) })
    expect(await readSealedKeys(url)).toEqual(keys)
  })
})

test('secret renew makes the file of the secret only when it is confirmed, readable by its owner alone', async () => {
  const url = await openRotatable('SQLite')
  const key = `${url.slice('file:'.length)}.key`
  const settings: Secrets = {}
  expect(await renew(url, settings, [], 'no')).toMatchObject({ code: 1 })
  expect(existsSync(key)).toBe(false)
  expect(await renew(url, settings)).toMatchObject({ code: 0 })
  expect(statSync(key).mode & 0o777).toBe(0o600)
  expect(await signOn(url, settings)).toBe(2)
})
