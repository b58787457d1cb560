import type { Kysely } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Rows } from '../../../src/storage/tables/rows.ts'
import { engine } from '../../support/databases/engine.ts'
import { indexSteps } from '../contract/audit-log.contract.ts'
import { anAuditEntry, anId, noon } from '../contract/records.ts'
import { openFilled } from './earlier-database.ts'

const { portalId } = anAuditEntry()
const entries = 2_100

/** Entries as they were written before an entry could have an owner and data; every third one has no user. */
async function fill(db: Kysely<Rows>): Promise<void> {
  const rows = Array.from({ length: entries }, (_, at) => {
    return {
      happened_at: noon + at,
      username: at % 3 === 0 ? null : `user${at % 3}`,
      portal_id: at % 3 === 0 ? null : portalId!,
      address: '192.0.2.1',
      operation: at % 2 === 0 ? 'updateGroup' : 'deleteGroup',
      target: `/community/groups/${anId(at % 5)}/update`,
      outcome: at % 7 === 0 ? 403 : 200,
      request_id: anId(at),
    }
  })
  await db
    .insertInto('audit')
    .values(rows as never)
    .execute()
}

const logs = { 'before it had an index': '012', 'with an index of blocks': '029' }

describe.each(Object.entries(logs))(`a log %s, on ${engine}`, (_, before) => {
  test('is read as it was, is indexed in steps, and goes on', async () => {
    const storage = await openFilled(before, fill)
    onTestFinished(() => storage.close())
    const earlier = await storage.recorded.entries()
    expect(earlier).toHaveLength(entries)
    expect(earlier.filter((entry) => 'data' in entry || 'ownerId' in entry)).toEqual([])
    const filters = [
      {},
      { actors: ['user1'] },
      { actions: ['delete'], succeeded: false },
      { id: anId(3) },
      { words: ['user2'] },
    ]
    const find = () =>
      storage.read(({ audit }) =>
        Promise.all(
          filters.map(async (filter) => {
            const found = await audit.listEntries({ portalId: portalId!, filter, order: 'asc', max: 5_000 })
            return found.map(({ requestId }) => requestId)
          }),
        ),
      )
    const unindexed = await find()
    const [all = [], ofOne = []] = unindexed
    expect([all.length, ofOne.length]).toEqual([1_400, 700])
    expect(unindexed.every((found) => found.length > 0)).toBe(true)
    expect(await storage.recorded.countUnindexed()).toBe(1_400)
    expect(await indexSteps(storage)).toBe(1)
    expect(await storage.recorded.countUnindexed()).toBe(400)
    expect(await find()).toEqual(unindexed)
    const next = anAuditEntry({ at: noon + entries, ownerId: anId(1), data: { version: 2 } })
    await storage.write(({ audit }) => audit.add(next))
    expect((await storage.recorded.entries()).at(-1)).toEqual(next)
  })
})
