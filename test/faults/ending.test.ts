import { expect, test } from 'vitest'
import type { Query } from '../support/databases/recorded.ts'
import { countOf, isLong } from '../support/length.ts'
import { adminPassword } from '../support/portal/portal.ts'
import { Folder, serve } from '../support/portal/process.ts'
import { until } from '../support/until.ts'
import { Observer, type Outcome } from './observer.ts'
import { engines, reachProcess, secret } from './servers.ts'

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

// Only the way in which connections end differs on PostgreSQL: the tests of outages close servers too.
test.for(isLong ? engines : engines.slice(0, 1))(
  `a server on $engine that is asked to end with ${requests} writes on their way loses none that it acknowledged`,
  async ({ open }) => {
    using folder = new Folder()
    const { url, query } = await open(folder.path)
    await endAtWork(url, query)
  },
)
