import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Query, queryFile, queryUrl } from '../support/databases/recorded.ts'
import { createDatabase } from '../support/databases/test-database.ts'
import { countOf, isLong } from '../support/length.ts'
import { adminPassword } from '../support/portal/portal.ts'
import { Folder, serve } from '../support/portal/process.ts'
import { until } from '../support/until.ts'
import { Observer, type Outcome } from './observer.ts'
import { reachProcess, secret } from './servers.ts'

const requests = countOf({ sample: 100, long: 500 })

/** Ends a server with assigns on their way, each on a connection of its own. */
async function endAtWork(url: string, query: Query): Promise<void> {
  using folder = new Folder()
  const environment = { DATABASE_URL: url, SECRET_KEY: secret, ADMIN_PASSWORD: adminPassword }
  await using server = await serve({ folder: folder.path, environment })
  const observer = await Observer.open(await reachProcess(server))
  const counts: Record<Outcome, number> = { done: 0, refused: 0, unanswered: 0 }
  const working = Array.from({ length: requests }, async (_, index) => {
    counts[await observer.assign(observer.owners[index % observer.owners.length])] += 1
  })
  await until('some are answered', () => counts.done > 0)
  const before = counts.done
  const { code, err } = await server.stop()
  await Promise.all(working)
  expect([code, err]).toEqual([0, ''])
  expect(counts.done, 'those on their way are finished').toBeGreaterThan(before)
  await observer.requireConsistency(query)
}

interface Engine {
  readonly engine: string
  open(folder: string): Promise<{ readonly url: string; readonly query: Query }>
}

const sqlite: Engine = {
  engine: 'SQLite',
  async open(folder) {
    const file = join(folder, 'portal.db')
    return { url: `file:${file}`, query: queryFile(file) }
  },
}
const postgres: Engine = {
  engine: 'PostgreSQL',
  async open() {
    const url = await createDatabase()
    return { url, query: queryUrl(url) }
  },
}

// Only the way in which connections end differs on PostgreSQL: the tests of outages close servers too.
test.for(isLong ? [sqlite, postgres] : [sqlite])(
  `a server on $engine that is asked to end with ${requests} writes on their way loses none that it acknowledged`,
  async ({ open }) => {
    using folder = new Folder()
    const { url, query } = await open(folder.path)
    await endAtWork(url, query)
  },
)
