import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import type { GroupViewer } from '../../../src/directory/store.ts'
import { openPostgres } from '../../../src/storage/postgres/postgres.ts'
import { StorageUnavailable } from '../../../src/storage/storage.ts'
import { databaseWithoutRows } from '../../support/databases/test-database.ts'
import { rejectionOf } from '../../support/rejection.ts'
import { until } from '../../support/until.ts'
import { anId, aPortal } from '../contract/records.ts'
import { searches } from '../searches/search-calls.ts'
import { runCalls } from '../store-calls.ts'

const { portalId } = aPortal()
const viewer: GroupViewer = { userId: anId(1), portalId, canViewOrganizationGroups: true, canViewEveryGroup: true }
const everyGroup = { condition: { kind: 'all' }, sortField: 'title', sortOrder: 'asc' } as const
const page = { start: 1, num: 10 }

test('a search ends at its deadline, and its connection is used again', async () => {
  const url = await databaseWithoutRows()
  const storage = await openPostgres({ url, connections: 4 }, runCalls, searches)
  onTestFinished(() => storage.close())
  const lock = new pg.Client(url)
  await lock.connect()
  onTestFinished(() => lock.end())
  const ask = (latest: number) =>
    storage.search({ calls: [['directory', 'searchGroups', viewer, everyGroup, page]] }, 'a', latest)
  await lock.query('begin; lock table groups in access exclusive mode')
  await rejectionOf(ask(performance.now() + 500), StorageUnavailable)
  await until('the statement has ended on the server too, although the lock is still held', async () => {
    const { rows } = await lock.query(
      "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
    )
    return rows.length === 0
  })
  await until('the connection is idle', () => {
    const { open, idle } = storage.figures().connections
    return open === 1 && idle === 1
  })
  await lock.query('rollback')
  expect(await ask(performance.now() + 3_600_000)).toMatchObject({ results: [{ total: 0 }] })
})

test('a search that may take no time is refused', async () => {
  const url = await databaseWithoutRows()
  const storage = await openPostgres({ url, connections: 4 }, runCalls, { ...searches, milliseconds: 0 })
  onTestFinished(() => storage.close())
  const asked = storage.search({ calls: [['directory', 'searchGroups', viewer, everyGroup, page]] }, 'a')
  expect((await rejectionOf(asked, StorageUnavailable)).message).toBe('The search took too long.')
})
