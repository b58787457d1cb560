import { join } from 'node:path'
import { test } from 'vitest'
import { countOf, timeoutOf } from '../support/length.ts'
import { Folder } from '../support/portal/process.ts'
import { CrashHarness } from './crash-harness.ts'
import { SqliteTables } from './sqlite-tables.ts'

const databases = countOf({ sample: 1, long: 12 })
const killsOfDatabase = countOf({ sample: 2, long: 25 })
const kills = databases * killsOfDatabase

test(`a server that is killed ${kills} times keeps what it acknowledged and leaves nothing half done`, {
  timeout: timeoutOf(kills, 30_000),
}, async () => {
  for (let seed = 1; seed <= databases; seed += 1) await killOften(seed)
})

/** Kills a server often, and until enough requests were in flight at a kill. */
async function killOften(seed: number): Promise<void> {
  using folder = new Folder()
  const file = join(folder.path, 'portal.db')
  await using harness = await CrashHarness.open(folder, `file:${file}`, seed)
  for (let kill = 1; kill <= killsOfDatabase || harness.ledger.count().unanswered < killsOfDatabase; kill += 1) {
    await harness.changeUntil(() => harness.server.stop('SIGKILL'))
    await harness.restart()
    const place = `after kill ${kill} of seed ${seed}`
    using tables = new SqliteTables(file)
    await tables.requireSound(place)
    await harness.requireConsistency(tables.query, place)
  }
}
