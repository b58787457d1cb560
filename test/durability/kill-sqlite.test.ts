import { join } from 'node:path'
import { test } from 'vitest'
import { countOf, timeoutOf } from '../support/length.ts'
import { Folder } from '../support/portal/process.ts'
import { SqliteTables } from './sqlite-tables.ts'
import { Stage } from './stage.ts'

const databases = countOf({ sample: 1, long: 12 })
const killsOfDatabase = countOf({ sample: 2, long: 25 })
const kills = databases * killsOfDatabase

test(`a server that is killed ${kills} times keeps what it acknowledged and leaves nothing half done`, {
  timeout: timeoutOf(kills, 30_000),
}, async () => {
  for (let seed = 1; seed <= databases; seed += 1) await killOften(seed)
})

/** So often, and until as many requests were on their way at a kill. */
async function killOften(seed: number): Promise<void> {
  using folder = new Folder()
  const file = join(folder.path, 'portal.db')
  await using stage = await Stage.open(folder, `file:${file}`, seed)
  for (let kill = 1; kill <= killsOfDatabase || stage.ledger.count().unanswered < killsOfDatabase; kill += 1) {
    await stage.changeUntilStruck(() => stage.server.stop('SIGKILL'))
    await stage.restart()
    const place = `after kill ${kill} of seed ${seed}`
    using tables = new SqliteTables(file)
    await tables.requireSound(place)
    await stage.requireTruth(tables.query, place)
  }
}
