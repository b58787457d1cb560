/** The import rules of ARCHITECTURE.md. Each says what a folder may import; anything else is an error. */
const { readdirSync } = require('node:fs')

/** Every other folder of src is a room of the domain. */
const layers = [
  'background',
  'call',
  'cli',
  'client',
  'file-reading',
  'http',
  'identity-provider',
  'mail',
  'operations',
  'outgoing',
  'secrets',
  'sentences',
  'settings',
  'start',
  'storage',
]
const folders = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory())
const rooms = folders.map(({ name }) => name).filter((name) => !layers.includes(name))
const anyRoom = `^src/(${rooms.join('|')})/`
/** The ground floor: a call and its caller, input as it is judged, and what an operation adds to its audit entry. */
const call = '^src/call/'
const words =
  '^src/(sentences/.+|digest|errors|languages|limits|json-text|json-syntax|csv-text|paging|plain-text|priority|queue|record|spelling|used-time)\\.ts$'
/** The files of rooms that need a package. */
const csvTable = '^src/schema-files/csv/table\\.ts$'
const xlsxArchive = '^src/schema-files/xlsx/parts\\.ts$'
/** Shapes of answers. */
const shapes = '^src/http/shapes/'
/** Files of operations, in a room or in a folder of one. */
const operations = ['^src/.+[/-]operations\\.ts$', '^src/operations/']

/** Everything that `from` imports has to match one of the patterns. */
function only(name, from, ...allowed) {
  return { name, severity: 'error', from: { path: from }, to: { pathNot: allowed } }
}

/** Nothing that `from` imports may match one of the patterns. */
function never(name, from, ...forbidden) {
  return { name, severity: 'error', from: { path: from }, to: { path: forbidden } }
}

const core = (...names) => `^(node:)?(${names.join('|')})$`
const packages = (...names) => `^node_modules/(@types/)?(${names.join('|')})/`

/**
 * Floors of folders, the lowest first. What stands on one imports what stands on lower ones, and of its own floor itself alone,
 * so that no folders are in a circle. Where no file is named, files that are in no folder may stand anywhere.
 */
const floors = {
  src: [
    'sentences',
    'csv-text.ts digest.ts json-syntax.ts json-text.ts languages.ts limits.ts paging.ts plain-text.ts priority.ts queue.ts record.ts spelling.ts version.ts',
    'errors.ts',
    'call',
    'search',
    'directory',
    'audit categories collaborations jobs tokens',
    'items schema-files',
    'item-sheets oauth',
    'first-run identities webhooks',
    'settings',
    'config.ts',
    'file-reading identity-provider mail outgoing secrets storage',
    'operations start',
    'dependencies.ts http search-thread.ts write-thread.ts',
    'background first-organization.ts',
    'server.ts',
    'client',
    'cli',
    'main.ts',
  ],
  'src/categories': ['diff', 'history', 'change merge', 'drafts'],
  'src/client': [
    'failure.ts shell.ts',
    'output',
    'command-line',
    'files',
    'network',
    'sign-in',
    'portals',
    'schemas',
    'items',
    'takeover',
    'collaborations audit',
    'process-shell.ts programs.ts',
    'program.ts',
    'run.ts',
    'main.ts',
  ],
  'src/cli': ['output', 'accounts backups', 'doctor', 'ephemeral'],
  'src/directory': ['passwords', 'users', 'groups'],
  'src/http': [
    'shapes',
    'answer.ts',
    'decoding examples',
    'endpoints transport',
    'application telemetry',
    'requests',
    'pages',
    'sign-in',
    'docs replies',
    'http.ts',
  ],
  'src/http/endpoints': ['audit categories items oauth webhooks', 'groups people', 'collaborations'],
  'src/http/shapes': ['oauth', 'categories collaborations directory items webhooks', 'audit'],
  'src/items': ['search', 'categories', 'changes'],
  'src/oauth': ['apps passwords', 'sign-in', 'sessions', 'tokens'],
  'src/schema-files': ['csv skos templates xlsx'],
  'src/storage': [
    'storage.ts',
    'caller-cache.ts search-turns.ts tables',
    'stores',
    'stores.ts',
    'postgres sqlite',
    'replica',
    'maintenance',
    'open-storage.ts',
  ],
  'src/storage/stores': ['categories oauth', 'items', 'audit groups'],
  'src/storage/stores/items': ['index', 'columns'],
  'src/storage/tables': ['rows', 'migrations'],
  'pages/src': [
    'navigation texts',
    'sentences',
    'api operations owners',
    'session',
    'elements',
    'forms help',
    'collaborations drafts picker schemas system',
    'news tables',
    'content',
    'publication',
    'shared-drafts',
    'editor files first-run home people review',
    'coverage groups history log palette sheets',
    'overview settings',
    'frame',
    'documents',
  ],
  'pages/src/collaborations': ['partner-files', 'invitations'],
  'pages/src/content': ['sharing', 'bulk history'],
  'pages/src/groups': ['choice', 'members settings'],
  'pages/src/people': ['privileges you', 'apps check list new person requests roles'],
}

/** One of the named files and folders. */
function unitsOf(folder, named) {
  return `^${folder}/(${named.join(' ').replaceAll('.', '\\.').replaceAll(' ', '|')})(?:/|$)`
}

function floorRules([folder, named]) {
  const hasFiles = named.join(' ').includes('.ts')
  const placed = { path: `^${folder}/${hasFiles ? '' : '[^/]+/'}`, pathNot: unitsOf(folder, named) }
  return [
    { name: 'everything-has-a-floor', severity: 'error', from: placed, to: {} },
    ...named.map((floor, height) => ({
      name: 'imports-run-downwards',
      severity: 'error',
      from: { path: unitsOf(folder, [floor]) },
      to: { path: unitsOf(folder, named.slice(height)), pathNot: `^${folder}/$1(?:/|$)` },
    })),
  ]
}

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, path: '^src/', pathNot: ['^src/main\\.ts$', '^src/http/pages/assets/page\\.js$'] },
      to: {},
    },
    {
      name: 'everything-is-found',
      severity: 'error',
      from: {},
      // The build makes what is virtual.
      to: { couldNotResolve: true, pathNot: '^virtual:' },
    },
    never('production-imports-no-tests', '^src/', '^(test|scripts|bench)/'),
    never('the-server-knows-no-pages', '^(src|bin)/', '^pages/'),
    {
      name: 'pages-import-rules-of-rooms',
      severity: 'error',
      from: { path: '^pages/' },
      to: { path: '^(src|bin|test|scripts|bench)/', pathNot: [anyRoom, call, words, shapes] },
    },
    never('pages-run-no-operations', '^pages/', ...operations, '^src/.+/store\\.ts$'),
    {
      name: 'pages-know-answers-as-types',
      severity: 'error',
      from: { path: '^pages/' },
      to: { path: shapes, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'pages-run-in-browsers',
      severity: 'error',
      from: { path: '^pages/src/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'production-needs-no-dev-dependencies',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    only(
      'errors-and-the-like-import-at-most-limits',
      '^src/(errors|languages|limits|json-text|json-syntax|csv-text|paging|plain-text|queue|record|spelling|used-time)\\.ts$',
      '^src/(limits\\.ts$|sentences/)',
    ),
    only(
      'settings-import-rules-of-names',
      '^src/(config\\.ts$|settings/)',
      '^src/settings/',
      '^src/(limits|spelling)\\.ts$',
      '^src/directory/(portal|user|passwords/password)\\.ts$',
      '^src/identities/rules\\.ts$',
      core('net', 'util'),
    ),
    only('digest-imports-crypto', '^src/digest\\.ts$', core('crypto')),
    only('priority-imports-that-of-the-system', '^src/priority\\.ts$', core('os')),
    only('version-imports-files', '^src/version\\.ts$', core('fs')),
    {
      name: 'rooms-import-rooms',
      severity: 'error',
      from: { path: [anyRoom, call], pathNot: [csvTable, xlsxArchive] },
      to: { pathNot: [anyRoom, call, words] },
    },
    only('the-table-of-a-file-reads-csv', csvTable, call, words, packages('csv-parse')),
    only('the-archive-of-a-workbook-is-zipped', xlsxArchive, packages('fflate')),
    only(
      'operations-import-rooms-and-the-storage-port',
      '^src/operations/',
      '^src/operations/',
      anyRoom,
      call,
      words,
      '^src/mail/mailer\\.ts$',
      '^src/storage/storage\\.ts$',
    ),
    only(
      'storage-imports-ports-and-drivers',
      '^src/storage/',
      '^src/storage/',
      call,
      words,
      '^src/(config\\.ts$|settings/)',
      '^src/version\\.ts$',
      anyRoom,
      packages('kysely', 'better-sqlite3', 'pg', 'lru-cache'),
      core('crypto', 'events', 'fs', 'fs/promises', 'os', 'path', 'timers/promises', 'worker_threads', 'zlib'),
    ),
    never('storage-runs-no-operations', '^src/(storage|secrets)/', ...operations),
    only('the-port-of-storage-imports-rooms', '^src/storage/storage\\.ts$', anyRoom, call),
    only(
      'secrets-import-ports',
      '^src/secrets/',
      '^src/secrets/',
      call,
      words,
      '^src/version\\.ts$',
      anyRoom,
      packages('jose', 'argon2'),
      core('crypto', 'fs', 'os', 'path', 'util'),
    ),
    only(
      'file-reading-imports-the-formats-of-files',
      '^src/file-reading/',
      '^src/file-reading/',
      call,
      words,
      '^src/schema-files/',
      packages('fflate', 'oxigraph', 'sax'),
      core('os', 'v8', 'worker_threads'),
    ),
    only(
      'the-identity-provider-is-called-by-its-own-packages',
      '^src/identity-provider/',
      '^src/identity-provider/',
      '^src/identities/(provider|rules)\\.ts$',
      packages('openid-client', 'jose'),
    ),
    only(
      'mail-imports-settings-and-one-package',
      '^src/mail/',
      '^src/mail/',
      words,
      '^src/settings/mail\\.ts$',
      '^src/directory/user\\.ts$',
      '^src/oauth/apps/reminders\\.ts$',
      '^src/categories/drafts/end-operations\\.ts$',
      packages('nodemailer'),
    ),
    only(
      'outgoing-requests-import-settings-and-no-package',
      '^src/outgoing/',
      '^src/outgoing/',
      words,
      '^src/(config\\.ts$|settings/)',
      core('crypto', 'dns/promises', 'events', 'fs', 'http', 'net', 'os', 'tls'),
    ),
    {
      name: 'nothing-else-calls-out',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(identity-provider|mail)/' },
      to: { path: '(^|/)node_modules/(openid-client|oauth4webapi|nodemailer)/' },
    },
    only(
      'http-imports-rooms-and-fastify',
      '^src/http/',
      '^src/http/',
      call,
      words,
      anyRoom,
      '^src/operations/',
      '^src/version\\.ts$',
      '^src/mail/(mailer|texts)\\.ts$',
      '^src/storage/storage\\.ts$',
      packages('fastify', '@fastify', 'prom-client', 'typebox', '@sinclair/typebox'),
      core('http', 'buffer', 'crypto', 'fs', 'net', 'path', 'perf_hooks', 'timers/promises', 'url', 'zlib'),
    ),
    only(
      'the-client-knows-the-public-api',
      '^src/client/',
      '^src/client/',
      '^src/version\\.ts$',
      words,
      call,
      anyRoom,
      '^src/file-reading/read\\.ts$',
      core(
        'buffer',
        'child_process',
        'crypto',
        'events',
        'fs',
        'fs/promises',
        'http',
        'https',
        'net',
        'os',
        'path',
        'readline',
        'timers/promises',
        'tls',
        'util',
        'v8',
      ),
    ),
    never('the-client-runs-no-operations', '^src/client/', ...operations, '^src/.+/store\\.ts$'),
    {
      name: 'only-requests-execute',
      severity: 'error',
      from: { path: '^src/http/', pathNot: '^src/http/requests/' },
      to: { path: '^src/operations/execute\\.ts$' },
    },
    ...Object.entries(floors).flatMap(floorRules),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'node'] },
  },
}
