import { defineConfig } from 'vitest/config'

/**
 * Files of `npm run test:system`, which runs after `npm test`: whole programs that are killed, cut off, upgraded, installed, put behind a
 * proxy or looked at in a browser; PostgreSQL; and oracles that compare with many random histories.
 */
export const ofSystem = [
  // Programs that are killed, cut off, upgraded, installed, deployed.
  'test/{deploy,durability,faults,linearizability,release}/**/*.test.ts',
  'test/cli/{*-kill,busy-server,migrate-data,postgres-backup,prune,scheduled-backup,start,user-data}.test.ts',
  'test/cli/{secret,secret-postgres,secret-renew}.test.ts',
  'test/cli/doctor/postgres.test.ts',
  'test/client/{broken-connections,cli-document,histories,item-tables,killed-jobs,killed-takeovers,takeover-faults,takeovers}.test.ts',
  'test/journeys/{callers-on-replicas,operator-commands,recovery-drill}.test.ts',
  'test/start/{loaded-packages,signals}.test.ts',
  'test/http/sign-in/threats/nothing-kept.test.ts',
  // Browsers.
  'test/browser/*.test.ts',
  'test/browser/application/{by-keyboard,collaborations,content,coverage,documents,drafts,edges,editor,every-screen,files,frame,lists}.test.ts',
  'test/browser/application/{apps,groups,home,interrupted,log,pasting,people,picker,review,story,templates-and-exports}.test.ts',
  'test/clients/app-in-browser.test.ts',
  // Hundreds of strings over HTTP, of which test/rooms and naughty-strings.test.ts have the rules, and files that parsers fail on.
  'test/http/limits/hostile/{hostile-schemas,json-test-suite,naughty-items}.test.ts',
  'test/file-reading/hostile-files.test.ts',
  // Thousands of participants, hundreds of versions, megabytes that no client reads, and a server for each setting.
  'test/http/limits/{collaboration-scale,schema-growth,connections/unread-answers}.test.ts',
  'test/http/sign-in/provider/roles.test.ts',
  // The matrix of who may call once more, as each resource says it.
  'test/http/permissions/who-may-call/{can,permission-check}.test.ts',
  // Databases of earlier commits, and many histories.
  'test/storage/kept/*.test.ts',
  'test/storage/{search-index,stores}/*-oracle.test.ts',
  'test/storage/search-index/columns-in-memory.test.ts',
  // PostgreSQL alone, and what storages promise once more.
  'test/http/telemetry/metrics-outage.test.ts',
  'test/storage/postgres/*.test.ts',
  'test/storage/sqlite/{full-disk,prepare-thread,sqlite-memory}.test.ts',
  'test/journeys/{live-tokens,moves-oracle}/*.test.ts',
  'test/journeys/planned-verdicts.test.ts',
  // Requests that conflict, and guesses of passwords, by the hundred.
  'test/journeys/{at-once,group-races,invitation-races,oauth-races}.test.ts',
  'test/http/limits/{generate-token-limit,groups,items,sign-in-limits}.test.ts',
  'test/cli/{first-start,mail,secret-file,user-beside-server}.test.ts',
  'test/file-reading/threaded-reader.test.ts',
  // A linter that takes longer to load than the description takes to write, and more than a hundred thousand items.
  'test/http/docs/openapi-linter.test.ts',
  'test/http/endpoints/items/sharing-of-many.test.ts',
  'test/client/arcgis/many-items.test.ts',
  // Steps of jobs that fail again and again.
  'test/http/endpoints/items/failing-steps.test.ts',
]

/** Settings of every tier. */
export const ofEveryTier = {
  globalSetup: ['./test/support/databases/memory-disk.ts'],
  // No test, and no server in one, calls another machine.
  setupFiles: ['./test/support/faults/no-outbound.mjs', './test/support/causes.ts'],
  // These end only what hangs: no result depends on how fast or how busy the machine is.
  testTimeout: 600_000,
  hookTimeout: 600_000,
  teardownTimeout: 60_000,
  // Without it a poll waits for one second.
  expect: { poll: { timeout: 300_000 } },
  // Tests share nothing but what they import: loading that once for each worker saves more than half of the time.
  isolate: false,
  maxWorkers: '100%',
  // Tests that run concurrently in one file wait for deadlines, and not for the machine.
  maxConcurrency: 20,
  reporters: ['default', './test/support/closing-line.ts'],
}

/** Tests on SQLite, and those that run once more on three servers that share PostgreSQL. */
export function projectsOf(files: {
  readonly include: string[]
  readonly exclude?: string[]
  readonly onPostgres: string[]
}) {
  const { onPostgres, ...onSqlite } = files
  const sqlite = { extends: true as const, test: { name: 'SQLite', ...onSqlite } }
  const name = 'three servers on PostgreSQL'
  const postgres = { extends: true as const, test: { name, include: onPostgres, env: { TEST_ENGINE: 'postgres' } } }
  return onPostgres.length > 0 ? [sqlite, postgres] : [sqlite]
}

/** Tests that a developer runs before each commit. */
export default defineConfig({
  test: {
    ...ofEveryTier,
    projects: projectsOf({ include: ['test/**/*.test.ts'], exclude: ofSystem, onPostgres: [] }),
  },
})
