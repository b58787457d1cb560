import { expect, test } from 'vitest'
import { emptyDatabase } from '../../support/databases/test-database.ts'
import { FaultyNetwork } from '../../support/faults/faulty-network.ts'
import { startPortal } from '../../support/portal/portal.ts'
import { readScrape, seriesOf } from '../../support/portal/scrape.ts'
import { until } from '../../support/until.ts'

const SECRET_KEY = 'a secret of more than thirty-two characters'

test('a database that hangs is not ready, the process lives and is scraped on, and it is ready again by itself', async () => {
  await using network = await FaultyNetwork.open(await emptyDatabase())
  await using portal = await startPortal({ environment: { DATABASE_URL: network.url, SECRET_KEY } })
  const { app } = portal.server
  await portal.anonymous.get('/')

  network.silence()
  const [readiness, scraped] = await Promise.all([app.inject('/health/ready'), app.inject('/metrics')])
  expect(readiness.statusCode).toBe(503)
  // A new connection is given up after 2 seconds too: either may be the first to say so.
  expect(readiness.json().reason).toMatch(/^The database does not answer( within 2 seconds)?\.$/)
  expect((await app.inject('/health/live')).statusCode).toBe(200)
  expect(scraped.body).not.toContain('cartulary_invitations{')
  expect(seriesOf(readScrape(scraped.body), 'cartulary_requests_total')).toHaveProperty([
    '{operation="readRoot",outcome="200"}',
  ])

  await network.pass()
  await until('it is ready', async () => (await app.inject('/health/ready')).statusCode === 200)
})
