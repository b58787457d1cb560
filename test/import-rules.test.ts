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
  'production-needs-no-dev-dependencies': { 'src/cli/borrowed.ts': 'fast-check' },
  'errors-and-config-import-nothing': { 'src/errors.ts': './cli/one.ts' },
  'input-imports-errors': { 'src/input.ts': './paging.ts' },
  'directory-imports-itself': { 'src/directory/curious.ts': '../tokens/token.ts' },
  'rooms-import-rooms': { 'src/categories/busy.ts': 'node:fs' },
  'storage-imports-ports-and-drivers': { 'src/storage/talkative.ts': '../http/form.ts' },
  'storage-runs-no-operations': { 'src/storage/bossy.ts': '../categories/operations.ts' },
  'secrets-import-ports': { 'src/secrets/careless.ts': '../storage/rows.ts' },
  'http-imports-rooms-and-fastify': { 'src/http/direct.ts': 'better-sqlite3' },
} as const satisfies Record<string, Record<string, string | undefined>>

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
  const files = Object.values(violations).flatMap((entries) => Object.entries(entries))
  const targets = ['src/paging.ts', 'src/tokens/token.ts', 'src/http/form.ts', 'src/categories/operations.ts']
  const others = [...targets, 'src/storage/rows.ts', 'test/support/portal.ts'].map((path) => [path, undefined] as const)
  for (const [path, imported] of [...others, ...files]) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    const text = imported === undefined ? 'export const value = 1\n' : `import '${imported}'\nexport const value = 1\n`
    await writeFile(join(folder, path), text)
  }
  const cruise = join(root, 'node_modules/.bin/depcruise')
  const words = ['--config', '.dependency-cruiser.cjs', '--output-type', 'json', 'src', 'test']
  // It exits with the number of violations; what it prints is what counts.
  const { stdout } = await promisify(execFile)(cruise, words, { cwd: folder, maxBuffer: 64 * 1024 * 1024 }).catch(
    (ended: { stdout: string }) => ended,
  )
  found = JSON.parse(stdout).summary.violations
}, 60_000)

afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

test.each(Object.entries(violations))('%s is an error', (rule, files) => {
  const [from] = Object.keys(files)
  expect(found.filter(({ rule: { name } }) => name === rule).map((violation) => violation.from)).toContain(from)
})

test('every rule has its violation here', async () => {
  const { default: config } = await import(join(root, '.dependency-cruiser.cjs'))
  expect(config.forbidden.map(({ name }: { name: string }) => name).sort()).toEqual(Object.keys(violations).sort())
})
