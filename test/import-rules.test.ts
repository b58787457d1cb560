import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../', import.meta.url))

/** One deliberate violation for each rule: where it stands, and what it imports. */
const violations = {
  'no-cycles': { 'src/cli/one.ts': './other.ts', 'src/cli/other.ts': './one.ts' },
  'no-orphans': { 'src/cli/lonely.ts': undefined },
  'everything-is-found': { 'src/cli/lost.ts': './nowhere.ts' },
  'production-imports-no-tests': { 'src/cli/tested.ts': '../../test/support/portal.ts' },
  'the-server-knows-no-pages': { 'src/cli/vain.ts': '../../pages/src/main.ts' },
  'pages-import-rules-of-rooms': { 'pages/src/curious.ts': '../../src/storage/tables/rows.ts' },
  'pages-run-no-operations': { 'pages/src/bossy.ts': '../../src/categories/operations.ts' },
  'pages-know-answers-as-types': { 'pages/src/shaping.ts': '../../src/http/shapes/shape.ts' },
  'pages-run-in-browsers': { 'pages/src/reading.ts': 'node:fs' },
  'production-needs-no-dev-dependencies': { 'src/cli/borrowed.ts': 'fast-check' },
  'errors-and-the-like-import-at-most-limits': { 'src/errors.ts': './cli/one.ts' },
  'settings-import-rules-of-names': { 'src/settings/curious.ts': '../tokens/token.ts' },
  'digest-imports-crypto': { 'src/digest.ts': './paging.ts' },
  'priority-imports-that-of-the-system': { 'src/priority.ts': './paging.ts' },
  'version-imports-files': { 'src/version.ts': './paging.ts' },
  'rooms-import-rooms': { 'src/categories/busy.ts': 'node:fs' },
  'the-table-of-a-file-reads-csv': { 'src/schema-files/csv/table.ts': 'node:fs' },
  'the-archive-of-a-workbook-is-zipped': { 'src/schema-files/xlsx/parts.ts': 'node:fs' },
  'operations-import-rooms-and-the-storage-port': { 'src/operations/web.ts': '../http/transport.ts' },
  'storage-imports-ports-and-drivers': { 'src/storage/talkative.ts': '../http/transport.ts' },
  'storage-runs-no-operations': { 'src/storage/bossy.ts': '../categories/operations.ts' },
  'the-port-of-storage-imports-rooms': { 'src/storage/storage.ts': './tables/rows.ts' },
  'secrets-import-ports': { 'src/secrets/careless.ts': '../storage/tables/rows.ts' },
  'file-reading-imports-the-formats-of-files': { 'src/file-reading/greedy.ts': '../tokens/token.ts' },
  'the-identity-provider-is-called-by-its-own-packages': { 'src/identity-provider/curious.ts': '../tokens/token.ts' },
  'mail-imports-settings-and-one-package': { 'src/mail/curious.ts': '../tokens/token.ts' },
  'outgoing-requests-import-settings-and-no-package': { 'src/outgoing/curious.ts': '../tokens/token.ts' },
  'nothing-else-calls-out': { 'src/cli/calling.ts': 'openid-client' },
  'http-imports-rooms-and-fastify': { 'src/http/direct.ts': 'better-sqlite3' },
  'the-client-knows-the-public-api': { 'src/client/deep.ts': '../storage/tables/rows.ts' },
  'the-client-runs-no-operations': { 'src/client/bossy.ts': '../categories/operations.ts' },
  'only-requests-execute': { 'src/http/endpoints/direct.ts': '../../operations/execute.ts' },
  'everything-has-a-floor': { 'src/attic/old.ts': '../paging.ts' },
  'imports-run-downwards': { 'src/call/climbing.ts': '../tokens/token.ts' },
} as const satisfies Record<string, Record<string, string | undefined>>

/** Imports that run down in no folder, and that no circle of files betrays: each is an error. */
const climbing = {
  'a room imports one above it': { 'src/tokens/hasty.ts': '../oauth/sessions/session.ts' },
  'two rooms import each other': {
    'src/audit/one.ts': '../tokens/token.ts',
    'src/tokens/other.ts': '../audit/plain.ts',
  },
  'a row imports a page': { 'src/http/endpoints/vain.ts': '../pages/html.ts' },
  'one engine imports the other': { 'src/storage/sqlite/shared.ts': '../postgres/session.ts' },
  'and that one the first': { 'src/storage/postgres/shared.ts': '../sqlite/file.ts' },
  'an app knows sessions': { 'src/oauth/apps/curious.ts': '../sessions/session.ts' },
  'a sign-in knows sessions': { 'src/oauth/sign-in/hasty.ts': '../sessions/session.ts' },
} as const satisfies Record<string, Record<string, string>>

interface Violation {
  readonly from: string
  readonly rule: { readonly name: string }
}

let folder: string
let found: readonly Violation[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'import-rules-'))
  for (const name of ['package.json', 'tsconfig.json', '.dependency-cruiser.cjs']) {
    await cp(join(root, name), join(folder, name))
  }
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  const files = [...Object.values(violations), ...Object.values(climbing)].flatMap((entries) => Object.entries(entries))
  const targets = [
    'src/paging.ts',
    'src/tokens/token.ts',
    'src/oauth/sessions/session.ts',
    'src/audit/plain.ts',
    'src/categories/operations.ts',
    'src/operations/execute.ts',
    'src/storage/tables/rows.ts',
    'src/storage/sqlite/file.ts',
    'src/storage/postgres/session.ts',
    'src/http/transport.ts',
    'src/http/pages/html.ts',
    'src/http/shapes/shape.ts',
    'pages/src/main.ts',
    'test/support/portal.ts',
  ]
  const others = targets.map((path) => [path, undefined] as const)
  for (const [path, imported] of [...others, ...files]) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    const text = imported === undefined ? 'export const value = 1\n' : `import '${imported}'\nexport const value = 1\n`
    await writeFile(join(folder, path), text)
  }
  const cruise = join(root, 'node_modules/.bin/depcruise')
  const words = ['--config', '.dependency-cruiser.cjs', '--output-type', 'json', 'src', 'pages', 'test']
  // It exits with the number of violations; what it prints is what counts.
  const { stdout } = await promisify(execFile)(cruise, words, { cwd: folder, maxBuffer: 64 * 1024 * 1024 }).catch(
    (ended: { stdout: string }) => ended,
  )
  found = JSON.parse(stdout).summary.violations
})

afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

test.each(Object.entries(violations))('%s is an error', (rule, files) => {
  const [from] = Object.keys(files)
  expect(found.filter(({ rule: { name } }) => name === rule).map((violation) => violation.from)).toContain(from)
})

test.each(Object.entries(climbing))('%s, which is an error', (_, files) => {
  const upwards = found.filter(({ rule: { name } }) => name === 'imports-run-downwards').map(({ from }) => from)
  expect(upwards).toEqual(expect.arrayContaining(Object.keys(files)))
})

test('every rule has its violation here', async () => {
  const { default: config } = await import(join(root, '.dependency-cruiser.cjs'))
  const names = new Set(config.forbidden.map(({ name }: { name: string }) => name))
  expect([...names].sort()).toEqual(Object.keys(violations).sort())
})
