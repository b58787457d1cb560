import { defineConfig } from 'vitest/config'

/** Once is enough. */
const once = [
  // No database is asked.
  'test/http/{request,docs}/{api-reference,form,openapi,request-parameters}.test.ts',
  // What one server does with its connections: a proxy before several would do that itself.
  'test/http/{limits/limits,wire/socket}.test.ts',
  // A process of their own, or the figures of one server; what they say of PostgreSQL they say in either project.
  'test/http/telemetry/{logs,metrics,metrics-listener,metrics-outage}.test.ts',
  // Of SQLite's file; how ready servers are whose PostgreSQL fails is in test/faults.
  'test/http/telemetry/health.test.ts',
]

export default defineConfig({
  test: {
    globalSetup: ['./test/support/databases/memory-disk.ts', './test/support/databases/postgres-server.ts'],
    // Generous: what takes a second on a quiet machine takes many on one that is shared.
    testTimeout: 90_000,
    // Tests share nothing but what they import: loading that once for each worker saves more than half of the time.
    isolate: false,
    maxWorkers: '100%',
    // Tests that run at once in one file wait for deadlines, and not for the machine.
    maxConcurrency: 20,
    reporters: ['default', './test/support/closing-line.ts'],
    projects: [
      { extends: true, test: { name: 'SQLite', include: ['test/**/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'three servers on PostgreSQL',
          include: ['test/{http,clients,journeys}/**/*.test.ts'],
          exclude: once,
          env: { TEST_ENGINE: 'postgres' },
        },
      },
    ],
  },
})
