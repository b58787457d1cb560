import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Postgres, queryAt } from '../support/databases/postgres.ts'
import type { Query } from '../support/databases/recorded.ts'
import { countOf, timeoutOf } from '../support/length.ts'
import { Folder } from '../support/portal/process.ts'
import { Stage } from './stage.ts'

const kills = countOf({ sample: 4, long: 50 })
/** Time for a server to be back after its database is (chosen). */
const recoveryMilliseconds = 5_000

let postgres: Postgres
beforeAll(async () => {
  postgres = await Postgres.open()
})
afterAll(() => postgres[Symbol.asyncDispose]())

test(`a server on PostgreSQL that is killed ${kills} times keeps what it acknowledged and leaves nothing half done`, {
  timeout: timeoutOf(kills, 5_000),
}, async () => {
  using folder = new Folder()
  const url = await postgres.createDatabase()
  await using stage = await Stage.open(folder, url, 1)
  for (let kill = 1; kill <= kills; kill += 1) {
    await stage.changeUntilStruck(async () => {
      await stage.server.stop('SIGKILL')
      await allGone(url)
    })
    await stage.restart()
    await stage.requireTruth(queryOf(url), `after kill ${kill} of the server`)
  }
  requireWork(stage)
})

test(`a server whose PostgreSQL is killed ${kills} times keeps what it acknowledged, and comes back by itself`, {
  timeout: timeoutOf(kills, 15_000),
}, async () => {
  using folder = new Folder()
  const url = await postgres.createDatabase()
  await using stage = await Stage.open(folder, url, 2)
  const { child } = stage.server
  for (let kill = 1; kill <= kills; kill += 1) {
    const place = `after kill ${kill} of PostgreSQL`
    await stage.changeUntilStruck(() => postgres.stop('immediate'))
    await postgres.start()
    await stage.requireRecovery(recoveryMilliseconds, place)
    await stage.requireTruth(queryOf(url), place)
  }
  expect([child.exitCode, child.signalCode]).toEqual([null, null])
  requireWork(stage)
})

function queryOf(url: string): Query {
  return (sql) => queryAt(url, sql)
}

/** PostgreSQL still ends what a killed server had asked for: until then nobody knows what is there. */
async function allGone(url: string): Promise<void> {
  const others = `SELECT pid FROM pg_stat_activity
                  WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`
  const until = performance.now() + 5_000
  while ((await queryAt(url, others)).length > 0) {
    expect(performance.now(), 'sessions of a killed server').toBeLessThan(until)
    await delay(10)
  }
}

/** The clients were at work each time. */
function requireWork({ ledger }: Stage): void {
  const { done, unanswered } = ledger.count()
  expect(unanswered).toBeGreaterThan(kills)
  expect(done).toBeGreaterThan(10 * kills)
}
