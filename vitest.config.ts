import { defineConfig } from 'vitest/config'

/**
 * What runs once more on three servers that share PostgreSQL: what reads or writes across rooms. What never asks a
 * database says the same on either engine, and each room's store is held to its promise by test/storage/contract.
 */
const acrossRooms = [
  // Each operation by each caller: the outcome, the rows that changed, the audit.
  'test/http/permissions/who-may-call/*.test.ts',
  // Each operation once, with everything that it answers.
  'test/http/docs/examples.test.ts',
  // Accounts of an identity provider.
  'test/http/sign-in/provider/{sign-in,linking,foreign-accounts,roles,logout}.test.ts',
  // Requests that conflict, on one server and between several.
  'test/journeys/{at-once,group-races,import-races,invitation-races,schema-races,planned-verdicts}.test.ts',
  // Sessions that end on one server, and are asked for on the others.
  'test/http/sign-in/{new-password,threats/ended-sessions}.test.ts',
  // Accounts: passwords, resets, lock-out, codes, refresh tokens and apps, where every answer depends on rows.
  'test/http/endpoints/{tokens,apps}/*.test.ts',
  'test/http/sign-in/{sign-in,sign-out-of-apps,threats/codes,threats/refresh-tokens}.test.ts',
  'test/http/limits/sign-in-limits.test.ts',
  // A link that is used once, by whoever comes first.
  'test/http/endpoints/directory/first-run.test.ts',
  // Which tokens of apps live, after whatever was done.
  'test/journeys/{live-tokens/*,oauth-races}.test.ts',
  // What items have after changes of schemas, by every address.
  'test/journeys/moves-oracle/*.test.ts',
  // Versions, plans, files and the log, which several rooms write and read.
  'test/http/endpoints/audit/*.test.ts',
  'test/http/endpoints/categories/{export-schema,import-schema,schema-history,schema-plan}.test.ts',
  // The longest story, over connections.
  'test/journeys/handshake.test.ts',
]

export default defineConfig({
  test: {
    // No test, and no server in one, calls another machine.
    setupFiles: ['./test/support/faults/no-outbound.mjs'],
    globalSetup: ['./test/support/databases/memory-disk.ts', './test/support/databases/postgres-server.ts'],
    // These end only what hangs: no result depends on how fast or how busy the machine is.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    teardownTimeout: 60_000,
    // Without it a poll waits for one second.
    expect: { poll: { timeout: 300_000 } },
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
        test: { name: 'three servers on PostgreSQL', include: acrossRooms, env: { TEST_ENGINE: 'postgres' } },
      },
    ],
  },
})
