import { setImmediate } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { limitWritesInFlight, openTokenOwners, type RunWrite } from '../../../src/http/writes-in-flight.ts'
import { tooManyRequests } from '../../support/portal/envelopes.ts'
import { startPortal } from '../../support/portal/portal.ts'
import { findDatabase } from '../../support/portal/portal-database.ts'
import { until } from '../../support/until.ts'

const one = { writesInFlight: 1, writeBytesInFlight: 10 }
const owner = { userId: 'a', username: 'anna', portalId: 'p' }

/** Writes that are in flight until they are ended. */
function openWrites(run: RunWrite) {
  const ends: (() => void)[] = []
  return {
    ends,
    begin: (tokenHash: string, bytes = 0) => run(tokenHash, bytes, () => new Promise<void>((end) => ends.push(end))),
  }
}

describe('writes in flight', () => {
  test('are as many as the limit for each user, over all tokens', async () => {
    const findOwner = async (tokenHash: string) => ({ ...owner, userId: tokenHash.slice(0, 1) })
    const { begin, ends } = openWrites(limitWritesInFlight({ writesInFlight: 2, writeBytesInFlight: 10 }, findOwner))
    const writes = [begin('a1'), begin('a2'), begin('b1')]
    await setImmediate()
    expect(ends).toHaveLength(3)
    await expect(begin('a3')).rejects.toMatchObject({ code: 429, limit: 'writesInFlight', retryAfterSeconds: 1 })
    const other = begin('b2')
    ends[0]!()
    await writes[0]
    const next = begin('a3')
    await setImmediate()
    for (const end of ends) end()
    await Promise.all([...writes, other, next])
  })

  test('have as many bytes as the limit for each user, but one may have more', async () => {
    const run = limitWritesInFlight({ writesInFlight: 5, writeBytesInFlight: 10 }, async () => owner)
    const { begin, ends } = openWrites(run)
    const refusal = { code: 429, limit: 'writeBytesInFlight', retryAfterSeconds: 1 }
    const large = begin('a', 11)
    await expect(begin('a', 1)).rejects.toMatchObject(refusal)
    ends[0]!()
    await large
    const small = [begin('a', 6), begin('a', 4)]
    await expect(begin('a', 1)).rejects.toMatchObject(refusal)
    await setImmediate()
    for (const end of ends) end()
    await Promise.all(small)
  })

  test('that fail count no longer', async () => {
    const run = limitWritesInFlight(one, async () => owner)
    for (let times = 0; times < 3; times += 1) {
      await expect(run('a', 1, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    }
  })

  test('of a token that does not exist are refused with 498, and not begun', async () => {
    const run = limitWritesInFlight(one, async () => undefined)
    const never = () => expect.fail('It was begun.')
    await expect(run('a', 1, never)).rejects.toMatchObject({ code: 498 })
  })
})

test('the user of a token is looked up once', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const { storage, random } = portal.server.dependencies
  let reads = 0
  const read: typeof storage.read = (work, at) => {
    reads += 1
    return storage.read(work, at)
  }
  const findOwner = openTokenOwners({ storage: { ...storage, read } })
  const tokenHash = random.hashToken(admin.token!)
  for (let times = 0; times < 3; times += 1) {
    expect(await findOwner(tokenHash)).toMatchObject({ username: 'admin' })
  }
  expect(reads).toBe(1)
  expect(await findOwner('unknown')).toBeUndefined()
})

test('a write beyond the limit is 429, and does not wait for those before it', async () => {
  await using portal = await startPortal({ environment: { LIMIT_WRITES_IN_FLIGHT: '1' }, isReused: false })
  const database = findDatabase(portal.server)
  if (database.engine !== 'sqlite') return
  const [admin, anna] = [await portal.admin(), await portal.user('anna')]
  const { id } = await admin.createGroup('Maps')
  const other = new Database(database.file)
  other.exec('BEGIN IMMEDIATE')
  const rename = (title: string) => admin.post(`/community/groups/${id}/update`, { title })
  const held = rename('Seas')
  await until('a write waits for the lock', () => portal.server.dependencies.storage.figures().waiting === 1)
  const heldOther = anna.post('/community/createGroup', { title: 'Rivers' })
  expect(await rename('Lakes')).toEqual(tooManyRequests)
  other.exec('ROLLBACK')
  other.close()
  await Promise.all([held, heldOther])
  expect(await rename('Lakes')).toMatchObject({ success: true })
})
