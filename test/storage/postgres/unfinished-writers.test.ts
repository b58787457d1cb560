import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { keepHouse } from '../../../src/cli/housekeeping.ts'
import { defaultLimits } from '../../../src/limits.ts'
import type { WriteCommand } from '../../../src/operations/command.ts'
import { executeCommand } from '../../../src/operations/execute.ts'
import { kyselyOver } from '../../../src/storage/postgres/session.ts'
import { auditStore } from '../../../src/storage/stores/audit/audit-store.ts'
import { emptyDatabase } from '../../support/databases/test-database.ts'
import { anAuditEntry, anId, noon } from '../contract/records.ts'
import { openWorkPostgres } from '../work-storage.ts'

const late = anAuditEntry({ username: 'late', requestId: anId(9_999) })

/** A database, its housekeeping, and a transaction that has added an entry and has not ended. */
async function openWithWriter() {
  const url = await emptyDatabase()
  const storage = await openWorkPostgres(url)
  onTestFinished(() => storage.close())
  const write = (command: WriteCommand) => storage.write((stores) => executeCommand(defaultLimits)(stores, command))
  const needs = {
    storage: { ...storage, write },
    limits: defaultLimits,
    random: { id: () => anId(1) },
    now: () => noon,
    settings: { signInLimit: { failures: 10, minutes: 15 } },
  }
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('begin')
  await auditStore(kyselyOver(client)).add(late)
  await storage.write(async ({ audit }) => {
    for (let at = 0; at < 2_100; at += 1) await audit.add(anAuditEntry({ requestId: anId(at) }))
  })
  const find = (username: string) =>
    storage.read(({ audit }) =>
      audit.listEntries({ portalId: late.portalId!, filter: { actors: [username] }, order: 'asc', most: 10_000 }),
    )
  return { storage, client, find, keepHouse: () => keepHouse(needs as never) }
}

test('an entry of a transaction that goes on is not left out of the index when it comes', async () => {
  const { storage, client, find, keepHouse } = await openWithWriter()
  await keepHouse()
  expect(await storage.recorded.countIndexed(), 'while the transaction goes on').toBe(0)
  expect(await find('late')).toEqual([])
  await client.query('commit')
  await keepHouse()
  expect(await storage.recorded.countIndexed()).toBeGreaterThan(2)
  expect(await find('late')).toMatchObject([{ number: 1, requestId: late.requestId }])
  expect(await storage.read(({ audit }) => audit.countDisagreements())).toBe(0)
})

test('a transaction that is rolled back holds the index up no longer', async () => {
  const { storage, client, find, keepHouse } = await openWithWriter()
  const { writers } = await storage.read(({ audit }) => audit.findEnd())
  expect(writers).toHaveLength(1)
  await client.query('rollback')
  await keepHouse()
  expect(await storage.recorded.countIndexed()).toBeGreaterThan(2)
  expect(await find('late')).toEqual([])
  expect(await storage.read(({ audit }) => audit.countDisagreements())).toBe(0)
})
