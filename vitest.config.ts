import { defineConfig } from 'vitest/config'

/** What needs no database, or is about SQLite's own files: once is enough. */
const once = [
  'test/http/{api-reference,form,parameters,params}.test.ts',
  'test/http/{limits,logs,wire-socket}.test.ts',
  'test/http/{openapi,examples,health,metrics*}.test.ts',
]

export default defineConfig({
  test: {
    globalSetup: './test/support/postgres-server.ts',
    testTimeout: 30_000,
    // Tests share nothing but what they import: loading that once for each worker saves more than half of the time.
    isolate: false,
    maxWorkers: '100%',
    reporters: ['default', './test/support/closing-line.ts'],
    projects: [
      { extends: true, test: { name: 'SQLite', include: ['test/**/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'three servers on PostgreSQL',
          include: ['test/{http,clients}/**/*.test.ts'],
          exclude: once,
          env: { TEST_ENGINE: 'postgres' },
        },
      },
    ],
  },
})
