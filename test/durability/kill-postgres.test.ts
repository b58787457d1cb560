import { afterAll, beforeAll, expect, test } from 'vitest'
import { noSessions, Postgres } from '../support/databases/postgres.ts'
import { queryUrl } from '../support/databases/recorded.ts'
import { countOf, isLong, timeoutOf } from '../support/length.ts'
import { Folder } from '../support/portal/process.ts'
import { CrashHarness } from './crash-harness.ts'

const kills = countOf({ sample: 2, long: 50 })

let postgres: Postgres
beforeAll(async () => {
  postgres = await Postgres.open()
})
afterAll(() => postgres[Symbol.asyncDispose]())

// Servers on PostgreSQL are killed in every run by the tests of linearizability.
if (isLong) {
  test.runIf(isLong)(
    `a server on PostgreSQL that is killed ${kills} times keeps what it acknowledged and leaves nothing half done`,
    {
      timeout: timeoutOf(kills, 30_000),
    },
    async () => {
      using folder = new Folder()
      const url = await postgres.createDatabase()
      await using harness = await CrashHarness.open(folder, url, 1)
      for (let kill = 1; isMoreWanted(harness, kill); kill += 1) {
        await harness.changeUntil(async () => {
          await harness.server.stop('SIGKILL')
          await noSessions(url)
        })
        await harness.restart()
        await harness.requireConsistency(queryUrl(url), `after kill ${kill} of the server`)
      }
    },
  )
}

test(`a server whose PostgreSQL is killed ${kills} times keeps what it acknowledged, and comes back by itself`, {
  timeout: timeoutOf(kills, 60_000),
}, async () => {
  using folder = new Folder()
  const url = await postgres.createDatabase()
  await using harness = await CrashHarness.open(folder, url, 2)
  const { child } = harness.server
  for (let kill = 1; isMoreWanted(harness, kill); kill += 1) {
    const place = `after kill ${kill} of PostgreSQL`
    await harness.changeUntil(() => postgres.stop('immediate'))
    await postgres.start()
    await harness.awaitRecovery()
    await harness.requireConsistency(queryUrl(url), place)
  }
  expect([child.exitCode, child.signalCode]).toEqual([null, null])
})

/** Whether there were too few kills, or too few that requests were on their way at. */
function isMoreWanted({ ledger }: CrashHarness, kill: number): boolean {
  return kill <= kills || ledger.count().unanswered < kills
}
