/** The import rules of ARCHITECTURE.md. Each says what a folder may import; anything else is an error. */

const rooms = 'directory|categories|collaborations|tokens'
const anyRoom = `^src/(${rooms})/`
const words = '^src/(errors|input|json-text|paging|queue)\\.ts$'

/** Everything that `from` imports has to match one of the patterns. */
function only(name, from, ...allowed) {
  return { name, severity: 'error', from: { path: from }, to: { pathNot: allowed } }
}

const core = (...names) => `^(node:)?(${names.join('|')})$`
const packages = (...names) => `^node_modules/(@types/)?(${names.join('|')})/`

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, path: '^src/', pathNot: ['^src/main\\.ts$', '^src/http/directory-pages/page\\.js$'] },
      to: {},
    },
    { name: 'everything-is-found', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'production-imports-no-tests',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(test|scripts)/' },
    },
    {
      name: 'production-needs-no-dev-dependencies',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    only('errors-and-config-import-nothing', '^src/(errors|config|json-text|paging|queue)\\.ts$'),
    only('input-imports-errors', '^src/input\\.ts$', '^src/errors\\.ts$'),
    only('directory-imports-itself', '^src/directory/', '^src/directory/', words),
    only('rooms-import-rooms', `^src/(${rooms})/`, anyRoom, words),
    only(
      'storage-imports-ports-and-drivers',
      '^src/storage/',
      '^src/storage/',
      words,
      '^src/config\\.ts$',
      anyRoom,
      packages('kysely', 'better-sqlite3', 'pg', 'lru-cache'),
      core('crypto', 'events', 'fs', 'path', 'timers/promises', 'worker_threads'),
    ),
    {
      name: 'storage-runs-no-operations',
      severity: 'error',
      from: { path: '^src/(storage|secrets)/' },
      to: { path: ['^src/[a-z]+/operations\\.ts$', '^src/[a-z]+/[a-z]+-operations\\.ts$'] },
    },
    only(
      'secrets-import-ports',
      '^src/secrets/',
      '^src/secrets/',
      '^src/(json-text|queue)\\.ts$',
      anyRoom,
      packages('jose', 'argon2'),
      core('crypto', 'fs', 'os', 'path', 'util'),
    ),
    only(
      'http-imports-rooms-and-fastify',
      '^src/http/',
      '^src/http/',
      words,
      anyRoom,
      '^src/storage/storage\\.ts$',
      packages('fastify', '@fastify', 'prom-client'),
      core('http', 'buffer', 'fs', 'net'),
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'node'] },
  },
}
