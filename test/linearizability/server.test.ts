import { join } from 'node:path'
import { expect, test } from 'vitest'
import { countOf, timeoutOf } from '../support/length.ts'
import { startPortal } from '../support/portal/portal.ts'
import { Folder, serve } from '../support/portal/process.ts'
import { playRound, type Site } from './crowd.ts'
import { createFixtures, createFixturesIn } from './fixture.ts'
import { Judgement } from './judgement.ts'
import { KilledServers } from './killed-servers.ts'

const rounds = countOf({ sample: 1, long: 40 })
const operations = countOf({ sample: 25, long: 110 })
/** At least one invitation for each mix of concurrent operations. */
const invitations = countOf({ sample: 6, long: 14 })
const killsOfRound = countOf({ sample: 1, long: 2 })

test('concurrent requests of twenty clients to a server are as if one asked after another', {
  timeout: timeoutOf(rounds, 60_000),
}, async ({ annotate }) => {
  using folder = new Folder()
  const environment = { DATABASE_URL: `file:${join(folder.path, 'portal.db')}`, PORT: '0' }
  await using portal = await startPortal({ environment })
  const fixtures = await createFixtures(portal, rounds, invitations)
  const base = `${await portal.server.listen()}${portal.base}`
  const site: Site = { base: async () => base, settle: async () => undefined }
  const judgement = new Judgement()
  for (const [seed, fixture] of fixtures.entries()) {
    judgement.judge(await playRound({ site, fixture, seed, operations, faults: [] }), `round ${seed}`)
  }
  await annotate(judgement.figures)
  judgement.requireVariety(rounds)
  expect(judgement.unanswered).toBe(0)
})

test('what twenty clients ask of a server that is killed now and then is as if one asked after another', {
  timeout: timeoutOf(rounds, 60_000),
}, async ({ annotate }) => {
  using folder = new Folder()
  const environment = { DATABASE_URL: `file:${join(folder.path, 'portal.db')}`, LOG_LEVEL: 'error' }
  const fixtures = await createFixturesIn(environment, rounds, invitations)
  await using servers = await KilledServers.open(() => serve({ folder: folder.path, environment }))
  const judgement = new Judgement(/^TypeError: (fetch failed|terminated)$/)
  for (const [seed, fixture] of fixtures.entries()) {
    const faults = Array.from({ length: killsOfRound }, () => () => servers.kill(0))
    judgement.judge(await playRound({ site: servers, fixture, seed, operations, faults }), `round ${seed}`)
  }
  await annotate(judgement.figures)
  judgement.requireVariety(rounds)
  expect(judgement.unanswered).toBeGreaterThan(0)
})
