import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { ofEveryTier, ofSystem, projectsOf } from './vitest.config.ts'

/**
 * What runs once more on three servers that share PostgreSQL. What never asks a database says the same on either engine, and
 * each room's store is held to its promise by test/storage/contract.
 */
const onPostgres = [
  // Requests that conflict, on one server and between several.
  'test/journeys/{at-once,group-races,import-races,invitation-races,oauth-races,schema-races}.test.ts',
  // The longest story, over connections.
  'test/journeys/handshake.test.ts',
  // What operators do beside a server, and what they are told of a database.
  'test/cli/{app,index-rebuild,prune,secret,secret-renew,user-beside-server}.test.ts',
  'test/cli/doctor/{doctor,items}.test.ts',
  // Sessions that end on one server, and are asked for on the others.
  'test/http/sign-in/threats/ended-sessions.test.ts',
  // A tenth of the operations by each caller: the outcome, the rows that changed, the audit.
  'test/http/permissions/who-may-call/matrix.test.ts',
  // What items have after changes of schemas, which tokens live, and what plans said, by every address.
  'test/journeys/{live-tokens,moves-oracle}/*.test.ts',
  'test/journeys/planned-verdicts.test.ts',
  // What storages promise of reads, searches and statements, and what migrations leave.
  'test/storage/{measured-room,reads}.test.ts',
  'test/storage/searches/searches.test.ts',
  'test/storage/search-index/{deep-conditions,indexed-together,people-searches,removed-groups,two-portals}.test.ts',
  'test/storage/stores/{assigned-together,checksums,count-pages,moved-together}.test.ts',
  'test/storage/tables/*-migration.test.ts',
  // Each operation once, with everything that it answers.
  'test/http/docs/examples.test.ts',
  // What the permission check says of a quarter of the operations, to the other half of the users.
  'test/http/permissions/who-may-call/permission-check.test.ts',
]

/** What runs in `npm test`, too, with smaller samples: properties of any input. */
const withLargerSamples = [
  'test/rooms/schema-merge/merge.test.ts',
  'test/rooms/{json-syntax,plain-schema,schema-properties,search/query-properties}.test.ts',
  'test/rooms/schema-diff/{edits,equal-parts,laws,lineage,moves}.test.ts',
  'test/rooms/schema-files/{csv-round-trip,skos/written-graph}.test.ts',
  'test/secrets/signature-bytes.test.ts',
  'test/storage/search-index/{columns-in-memory,two-portals}.test.ts',
]

/** What runs before a landing, behind `npm test`. */
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
