import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { requireSpace } from '../../../src/call/disk.ts'
import { defaultLimits } from '../../../src/limits.ts'
import { additions, commands } from '../../../src/operations/registry.ts'
import { kyselyOnSqlite } from '../../../src/storage/sqlite/reading.ts'
import { diskStore } from '../../../src/storage/stores/disk-store.ts'
import { temporaryFile } from '../../storage/sqlite/temporary-file.ts'
import { housekeep } from '../../support/portal/house.ts'
import { adminPassword, startPortal } from '../../support/portal/portal.ts'
import { scrape, seriesOf } from '../../support/portal/scrape.ts'

const done = { success: true }
const lakes = { title: 'Lakes', type: 'Web Map', text: 'x'.repeat(9_000) }
const secret = { SECRET_KEY: 'a secret of the tests, long enough for a key' }

test('nothing is added to a disk that is nearly full, while sign-ins, reads and what makes room go on', async () => {
  const environment = { DATABASE_URL: `file:${temporaryFile()}`, ...secret, MIN_FREE_DISK_PERCENT: '0' }
  let id = ''
  {
    await using portal = await startPortal({ environment })
    const anna = await (await portal.admin()).invite('anna')
    ;({ id } = await anna.post('/content/users/anna/addItem', lakes))
  }
  // No disk is free to the last byte of it while the database is there.
  await using portal = await startPortal({ environment: { ...environment, MIN_FREE_DISK_PERCENT: '100' } })
  const [admin, anna] = [await portal.admin(), await portal.signIn('anna', adminPassword)]
  const items = '/content/users/anna'
  const update = `${items}/items/${id}/update`
  const response = await anna.send(`${items}/addItem`, { form: lakes })
  expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '60'])
  const refusal = { error: { code: 503, reasons: [expect.stringMatching(/disk .* nearly full.* Deleting items/)] } }
  expect(response.json()).toMatchObject(refusal)
  expect(await admin.post('/community/createGroup', { title: 'Maps' })).toMatchObject(refusal)
  expect(await anna.post(update, { snippet: 'longer' })).toMatchObject(refusal)
  expect(portal.server.dependencies.limitCounts.of('freeBytes')).toBe(3)
  expect(await anna.post(update, { text: 'short' })).toMatchObject(done)
  expect(await anna.get(`/content/items/${id}`)).toMatchObject({ size: 5 })
  expect(await anna.post(`${items}/items/${id}/delete`)).toMatchObject(done)
  expect(await admin.post('/community/users/anna/disable')).toMatchObject(done)
  await housekeep(portal)
})

test('before a refusal, the disk is looked at again', async () => {
  const limits = { ...defaultLimits, freeBytes: 10, freePercent: 0 }
  const disk = (fresh: number) => ({ findSpace: async (isFresh = false) => ({ free: isFresh ? fresh : 9, size: 100 }) })
  await requireSpace({ disk: disk(10) }, { limits })
  await expect(requireSpace({ disk: disk(9) }, { limits })).rejects.toMatchObject({ code: 503 })
  const connection = new Database(temporaryFile())
  const stored = diskStore(kyselyOnSqlite(connection))
  const first = await stored.findSpace()
  expect(await stored.findSpace(true)).not.toBe(first)
  connection.close()
})

/** Operations of operators, who look after the disk, and operations that add one row each. */
const others = ['addGroupUsers', 'createPortal', 'createUserByOperator', 'registerOperatorApp']

test('every operation that adds data by its name is refused there', () => {
  const adding = /^(add|create|register|assign|import|restore|invite)/
  expect(Object.keys(commands).filter((id) => adding.test(id) && !(id in additions))).toEqual(others)
})

test('the metrics have the bytes of the largest owners, without saying who they are', async () => {
  await using portal = await startPortal({ isReused: false })
  const anna = await (await portal.admin()).invite('anna')
  await anna.post('/content/users/anna/addItem', { title: 'L', type: 'T', text: 'x'.repeat(9_000) })
  await housekeep(portal)
  const bytes = 1_024 + 5 * 6 + 9_000
  expect(seriesOf(await scrape(portal.server.app), 'cartulary_largest_item_bytes')).toEqual({
    '{owner="user"}': bytes,
    '{owner="organization"}': bytes,
  })
})
