import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { runHousekeeping } from '../../../src/background/housekeeping.ts'
import { defaultLimits } from '../../../src/limits.ts'
import type { WriteCommand } from '../../../src/operations/command.ts'
import { executeCommand } from '../../../src/operations/execute.ts'
import { random } from '../../../src/secrets/random.ts'
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
  const write = (command: WriteCommand) =>
    storage.write((stores) => executeCommand(defaultLimits, random.id)(stores, command))
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
  // A transaction of all of them could take longer than the database waits for one.
  const add = async (count: number) => {
    for (let left = count; left > 0; left -= 100) {
      await storage.write(async ({ audit }) => {
        for (let at = 0; at < 100; at += 1) await audit.add(anAuditEntry({ requestId: anId(at) }))
      })
    }
  }
  await add(2_100)
  const find = (username: string) =>
    storage.audit.listEntries({ portalId: late.portalId!, filter: { actors: [username] }, order: 'asc', max: 10_000 })
  return { storage, client, add, find, runHousekeeping: () => runHousekeeping(needs as never) }
}

test('an entry of a transaction that goes on is not missed by the index when it comes', async () => {
  const { storage, client, add, find, runHousekeeping } = await openWithWriter()
  await runHousekeeping()
  expect(await storage.recorded.countUnindexed(), 'while the transaction goes on').toBe(100)
  expect(await find('late')).toEqual([])
  await client.query('commit')
  expect(await find('late')).toMatchObject([{ number: 1, requestId: late.requestId }])
  await add(900)
  await runHousekeeping()
  expect(await storage.recorded.countUnindexed()).toBe(1)
  expect(await find('late')).toMatchObject([{ number: 1, requestId: late.requestId }])
})
