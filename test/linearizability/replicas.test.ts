import { expect, test } from 'vitest'
import { applicationName } from '../../src/storage/postgres/session.ts'
import { Postgres, queryAt } from '../support/databases/postgres.ts'
import { emptyDatabase } from '../support/databases/test-database.ts'
import { FaultyNetwork } from '../support/faults/faulty-network.ts'
import { seededRandom } from '../support/inputs/seeded-random.ts'
import { countOf, isLong, timeoutOf } from '../support/length.ts'
import { Folder, serve } from '../support/portal/process.ts'
import { type Fault, playRound } from './crowd.ts'
import { createFixturesIn } from './fixture.ts'
import { Judgement } from './judgement.ts'
import { KilledServers } from './killed-servers.ts'

const replicas = countOf({ sample: 2, long: 3 })
const killed = countOf({ sample: 1, long: replicas })
const rounds = countOf({ sample: 1, long: 40 })
const operations = countOf({ sample: 25, long: 110 })
/** At least one invitation for each mix of concurrent operations. */
const invitations = countOf({ sample: 6, long: 14 })

test(`what twenty clients ask of ${replicas} servers that are killed and cut off is as if one asked one server`, {
  timeout: timeoutOf(rounds, 60_000),
}, async ({ annotate }) => {
  await using site = await openSite()
  const fixtures = await createFixturesIn(site.environment(site.url), rounds, invitations)
  await using servers = await site.startServers()
  const judgement = new Judgement(/^TypeError: (fetch failed|terminated)$|^Error: HTTP 503$/)
  let faults = 0
  for (const [seed, fixture] of fixtures.entries()) {
    const inTurn = site.faultsAt(servers, seededRandom(seed))
    judgement.judge(await playRound({ site: servers, fixture, seed, operations, faults: inTurn }), `round ${seed}`)
    faults += inTurn.length
  }
  await annotate(`${faults} faults: ${judgement.figures}`)
  judgement.requireVariety(rounds)
  expect(judgement.unanswered).toBeGreaterThan(0)
})

/** A database that servers share; one of them reaches it through a network that fails. */
async function openSite() {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(new Folder())
  // Only a PostgreSQL server of one's own can be stopped.
  const postgres = isLong ? stack.use(await Postgres.open()) : undefined
  const url = postgres ? await postgres.createDatabase() : await emptyDatabase()
  const network = stack.use(await FaultyNetwork.open(url))
  const environment = (way: string) => ({
    DATABASE_URL: way,
    DATABASE_CONNECTIONS: '6',
    SECRET_KEY: 'one secret for all the servers of a test',
    LOG_LEVEL: 'error',
    SEARCH_REPLICA: folder.path,
  })
  const kept = stack.move()
  return {
    url,
    environment,
    startServers: () =>
      KilledServers.open(
        ...[network.url, ...Array.from({ length: replicas - 1 }, () => url)].map(
          (way) => () => serve({ folder: folder.path, environment: environment(way) }),
        ),
      ),
    faultsAt(servers: KilledServers, random: () => number): readonly Fault[] {
      const faults: readonly Fault[] = [
        ...Array.from({ length: killed }, (_, index) => () => servers.kill(index)),
        () => queryAt(url, endSome),
        () => network.cut(),
        () => network.cutInsteadOf('COMMIT'),
        ...(postgres ? [() => servers.pauseWhile(() => restart(postgres))] : []),
      ]
      return shuffle(faults, random)
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

async function restart(postgres: Postgres): Promise<void> {
  await postgres.stop('immediate')
  await postgres.start()
}

const endSome = `select pg_terminate_backend(pid) from pg_stat_activity
  where application_name = '${applicationName}' and datname = current_database() and random() < 0.5`

function shuffle<Entry>(entries: readonly Entry[], random: () => number): readonly Entry[] {
  return entries
    .map((entry) => ({ entry, place: random() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ entry }) => entry)
}
