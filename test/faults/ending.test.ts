import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Query } from '../durability/claim.ts'
import { SqliteTables } from '../durability/sqlite-tables.ts'
import { queryAt } from '../support/databases/postgres.ts'
import { createDatabase } from '../support/databases/test-database.ts'
import { adminPassword } from '../support/portal/portal.ts'
import { Folder, serve } from '../support/portal/process.ts'
import { reachProcess, secret } from './stages.ts'
import { type Outcome, until, Witness } from './witness.ts'

const requests = 500
const mostMilliseconds = 10_000

/** Asks a server with so many assigns on their way to end, each on a connection of its own. */
async function endAtWork(url: string, query: Query): Promise<void> {
  using folder = new Folder()
  const environment = { DATABASE_URL: url, SECRET_KEY: secret, ADMIN_PASSWORD: adminPassword }
  await using server = await serve({ folder: folder.path, environment })
  const witness = await Witness.open(await reachProcess(server))
  const counts: Record<Outcome, number> = { done: 0, refused: 0, unanswered: 0 }
  const working = Array.from({ length: requests }, async (_, index) => {
    counts[await witness.assign(witness.owners[index % witness.owners.length])] += 1
  })
  await until('some are answered', () => counts.done > 0)
  const before = counts.done
  const begun = performance.now()
  const { code, err } = await server.stop()
  const took = performance.now() - begun
  await Promise.all(working)
  expect([code, err]).toEqual([0, ''])
  expect(took).toBeLessThan(mostMilliseconds)
  expect(counts.done, 'those on their way are finished').toBeGreaterThan(before)
  await witness.requireTruth(query)
}

test(`a server on SQLite that is asked to end with ${requests} writes on their way loses none that it acknowledged`, async () => {
  using folder = new Folder()
  const file = join(folder.path, 'portal.db')
  await endAtWork(`file:${file}`, async (sql) => {
    using tables = new SqliteTables(file)
    return await tables.query(sql)
  })
})

test(`a server on PostgreSQL that is asked to end with ${requests} writes on their way loses none that it acknowledged`, async () => {
  const url = await createDatabase()
  await endAtWork(url, (sql) => queryAt(url, sql))
})
