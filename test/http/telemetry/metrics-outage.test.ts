import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { emptyDatabase } from '../../support/databases/test-database.ts'
import { StallingNetwork } from '../../support/faults/stalling-network.ts'
import { startPortal } from '../../support/portal/portal.ts'
import { readScrape, scrape, seriesOf } from '../../support/portal/scrape.ts'

const SECRET_KEY = 'a secret of more than thirty-two characters'

test('a database that hangs is not ready, the process lives and is scraped on, and it is ready again by itself', async () => {
  await using network = await StallingNetwork.open(await emptyDatabase())
  await using portal = await startPortal({ environment: { DATABASE_URL: network.url, SECRET_KEY } })
  const { app } = portal.server
  expect((await app.inject('/health/ready')).json()).toEqual({ status: 'ready' })
  await portal.anonymous.get('/')

  network.stall()
  const begun = performance.now()
  const scraping = app.inject('/metrics').then(({ body }) => ({ body, after: performance.now() - begun }))
  expect((await app.inject('/health/live')).statusCode).toBe(200)
  expect(performance.now() - begun).toBeLessThan(500)
  const scraped = await scraping
  expect(scraped.after).toBeLessThan(2_000)
  expect(scraped.body).not.toContain('cartulary_invitations{')
  expect(seriesOf(readScrape(scraped.body), 'cartulary_requests_total')).toHaveProperty([
    '{operation="root",outcome="200"}',
  ])
  const asked = performance.now()
  const hanging = await app.inject('/health/ready')
  expect(performance.now() - asked).toBeLessThan(3_000)
  expect(hanging.statusCode).toBe(503)
  // A new connection is given up after 2 seconds too: either may be the first to say so.
  expect(hanging.json().reason).toMatch(/^The database does not answer( within 2 seconds)?\.$/)

  network.resume()
  const resumed = performance.now()
  while ((await app.inject('/health/ready')).statusCode !== 200 && performance.now() - resumed < 10_000) {
    await setTimeout(20)
  }
  expect(performance.now() - resumed).toBeLessThan(3_000)
  const connections = seriesOf(await scrape(app), 'cartulary_storage_connections')
  expect(Object.keys(connections)).toEqual(['{state="busy"}', '{state="idle"}'])
})
