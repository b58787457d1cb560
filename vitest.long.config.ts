import { defineConfig } from 'vitest/config'

/** The tests whose full counts take too long for every run: durability, linearizability, faults, properties. */
export default defineConfig({
  test: {
    globalSetup: ['./test/support/databases/memory-disk.ts', './test/support/databases/postgres-server.ts'],
    include: [
      'test/{durability,linearizability,faults}/**/*.test.ts',
      'test/cli/migrate-data.test.ts',
      'test/journeys/moves-oracle/*.test.ts',
      'test/rooms/{plain-schema,schema-properties}.test.ts',
      'test/rooms/schema-diff/{laws,edits,minimality,moves}.test.ts',
      'test/storage/search-index/{searches-oracle,two-portals}.test.ts',
    ],
    env: { TEST_LENGTH: 'long' },
    testTimeout: 3_600_000,
    hookTimeout: 600_000,
    // They measure times and kill processes: one after the other.
    fileParallelism: false,
    reporters: ['verbose', './test/support/closing-line.ts'],
  },
})
