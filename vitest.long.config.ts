import { defineConfig } from 'vitest/config'

const long = { TEST_LENGTH: 'long' }

/** Plans, changes and moves of category schemas, and which tokens live: what they promise holds between servers too. */
const serverInterval = [
  'test/journeys/{planned-verdicts,schema-races}.test.ts',
  'test/journeys/moves-oracle/*.test.ts',
  'test/journeys/live-tokens/*.test.ts',
]

const onSqlite = [
  'test/client/{cli-document,histories,killed-jobs,killed-takeovers}.test.ts',
  'test/{durability,linearizability,faults}/**/*.test.ts',
  'test/deploy/rolling-restart.test.ts',
  'test/release/benchmarks.test.ts',
  'test/cli/migrate-data.test.ts',
  'test/http/permissions/two-portals.test.ts',
  'test/http/sign-in/threats/nothing-kept.test.ts',
  'test/rooms/{plain-schema,schema-properties}.test.ts',
  'test/rooms/schema-diff/{equal-parts,laws,edits,lineage,minimality,moves}.test.ts',
  'test/rooms/schema-files/{csv-round-trip,written-workbook,skos/written-graph}.test.ts',
  'test/rooms/search/query-properties.test.ts',
  'test/storage/search-index/{columns-in-memory,moved-categories-oracle,replica-oracle,searches-oracle,two-portals}.test.ts',
  'test/storage/stores/lineage-oracle.test.ts',
]

/** The tests whose full counts take too long for every run: durability, linearizability, faults, properties. */
export default defineConfig({
  test: {
    globalSetup: ['./test/support/databases/memory-disk.ts', './test/support/databases/postgres-server.ts'],
    testTimeout: 3_600_000,
    hookTimeout: 600_000,
    projects: [
      { extends: true, test: { name: 'SQLite', include: [...onSqlite, ...serverInterval], env: long } },
      {
        extends: true,
        test: {
          name: 'three servers on PostgreSQL',
          include: serverInterval,
          env: { ...long, TEST_ENGINE: 'postgres' },
        },
      },
    ],
    // They measure times and kill processes: one after the other.
    fileParallelism: false,
    reporters: ['verbose', './test/support/closing-line.ts'],
  },
})
