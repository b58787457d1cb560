import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { ofEveryTier, ofSystem, projectsOf } from './vitest.config.ts'

/**
 * Files that run again on three servers that share PostgreSQL. A rule without a database has the same result on either engine, and
 * each room's store is held to its promise by test/storage/contract.
 */
const onPostgres = [
  // Requests that conflict, on one server and between several.
  'test/journeys/{at-once,group-races,invitation-races,oauth-races,schema-races,reported-changes}.test.ts',
  // The longest story, over connections.
  'test/journeys/handshake.test.ts',
  // A portal that is taken over, compared and taken back.
  'test/client/takeovers.test.ts',
  // Commands of operators beside a server, and inspections of a database.
  'test/cli/{app,index-rebuild,prune,secret,secret-renew,user-beside-server,user-data}.test.ts',
  'test/cli/doctor/{doctor,items}.test.ts',
  // Sessions that end on one server, and are asked for on the others.
  'test/http/sign-in/threats/ended-sessions.test.ts',
  // Races of those that make webhooks and fetch from them.
  'test/http/endpoints/webhooks/{hooks,deliveries}.test.ts',
  // A tenth of the operations by each caller: the outcome, the rows that changed, the audit.
  'test/http/permissions/who-may-call/matrix.test.ts',
  // Categories of items after changes of schemas, tokens that live, and outcomes of plans, by every address.
  'test/journeys/{live-tokens,moves-oracle}/*.test.ts',
  'test/journeys/planned-verdicts.test.ts',
  // Promises of storages for reads, searches and statements.
  'test/storage/{measured-room,reads}.test.ts',
  'test/storage/searches/searches.test.ts',
  'test/storage/search-index/{deep-conditions,indexed-together,people-searches,removed-groups,resumed-index,two-portals}.test.ts',
  'test/storage/stores/{assigned-together,checksums,counted-links,item-tags,moved-together}.test.ts',
  // Each operation once, with everything that it answers.
  'test/http/docs/examples.test.ts',
  // Answers of the permission check for a quarter of the operations, to the other half of the users.
  'test/http/permissions/who-may-call/permission-check.test.ts',
]

/** Files that `npm test` runs with smaller samples: properties of any input. */
const withLargerSamples = [
  'test/rooms/schema-merge/merge.test.ts',
  'test/rooms/{json-syntax,plain-schema,schema-properties,search/query-properties}.test.ts',
  'test/rooms/schema-diff/{edits,equal-parts,laws,lineage,moves}.test.ts',
  'test/rooms/schema-files/{csv-round-trip,written-workbook,skos/written-graph}.test.ts',
  'test/secrets/signature-bytes.test.ts',
  'test/storage/search-index/two-portals.test.ts',
]

/** Tests that run before a landing, after `npm test`. */
export default defineConfig({
  test: {
    ...ofEveryTier,
    globalSetup: [...ofEveryTier.globalSetup, './test/support/databases/postgres-server.ts'],
    // Much of it waits: for programs that end and start, for proxies, for browsers.
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    env: { TEST_LENGTH: 'system' },
    projects: projectsOf({ include: [...ofSystem, ...withLargerSamples], onPostgres }),
  },
})
