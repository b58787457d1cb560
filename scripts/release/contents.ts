/** Contents of the artefact besides the server: its native packages, the built application, and documents for operators. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatReference } from '../../src/http/docs/reference/reference.ts'
import { endpointTable } from '../../src/http/endpoints/table.ts'
import { Html } from '../../src/http/pages/html.ts'
import { pageTable } from '../../src/http/sign-in/register-pages.ts'
import type { ReleasedPackage } from './packages.ts'
import { compilersOnly } from './packages.ts'
import type { ArchivedFile } from './tar.ts'

/** Systems for which every native package has a compiled module; npm installs the artefact on these only. */
export const systems = { os: ['linux', 'darwin', 'win32'], cpu: ['x64', 'arm64'] } as const

/** Files that are copied unchanged. */
const texts = ['LICENSE', 'README.md', 'CHANGELOG.md', 'SECURITY.md', '.env.example']
const folders = ['pages/dist', 'docs', 'deploy', 'examples']
const program = 'bin/cartulary.mjs'

/** Files of the program from a checkout, without the server itself. */
export function readProgram(root: string): readonly ArchivedFile[] {
  return [
    ...listFiles(root, 'bin').map((path) => fileOf(path, rewriteImports(readText(root, path)), path === program)),
    ...listFiles(root, 'src')
      .filter((path) => !path.endsWith('.ts'))
      .map((path) => fileOf(path, readFileSync(join(root, path)))),
    ...texts.map((path) => fileOf(path, readFileSync(join(root, path)))),
    ...folders.flatMap((folder) => listFiles(root, folder)).map((path) => fileOf(path, readFileSync(join(root, path)))),
  ]
}

/** API reference as a file that can be read without a running server. */
export function readReference(root: string): string {
  const style = ['tokens', 'page'].map((name) => readText(root, `src/http/pages/assets/${name}.css`)).join('')
  return formatReference(endpointTable, pageTable, { style: new Html(`<style>\n${style}</style>`) })
}

/** Replaces imports of the sources in `bin` by those of the bundle. */
function rewriteImports(code: string): string {
  return code.replace(/(import\('\.\.\/src\/)(?:[^']*\/)?([^'/]+)\.ts'/g, "$1$2.js'")
}

/** Description of the package; the artefact has all dependencies, so npm fetches nothing. */
export function formatPackageJson(
  {
    name,
    version,
    description,
    license,
    type,
    private: isPrivate,
    bin,
    dependencies,
  }: Readonly<Record<string, unknown>>,
  released: readonly string[],
): string {
  const direct = Object.entries(dependencies as Readonly<Record<string, string>>)
  return formatJson({
    name,
    version,
    description,
    license,
    type,
    private: isPrivate,
    bin,
    dependencies: Object.fromEntries(direct.filter(([name]) => released.includes(name))),
    engines: { node: '>=24' },
    ...systems,
    bundleDependencies: released,
  })
}

/** Files of a package that a running server may read, and its licence. */
export function readPackage(root: string, { name, path }: ReleasedPackage): readonly ArchivedFile[] {
  return listFiles(root, path)
    .filter((file) => isNeeded(name, file.slice(path.length + 1)))
    .map((file) =>
      file === `${path}/package.json`
        ? fileOf(file, formatManifest(JSON.parse(readText(root, file))))
        : fileOf(file, readFileSync(join(root, file))),
    )
}

/** Removes fields that npm would run, or resolve, during an installation. */
function formatManifest({
  scripts: _scripts,
  devDependencies: _development,
  ...kept
}: Record<string, unknown>): string {
  const dependencies = Object.entries((kept['dependencies'] ?? {}) as Readonly<Record<string, string>>)
  return formatJson({
    ...kept,
    ...(kept['dependencies'] !== undefined && {
      dependencies: Object.fromEntries(dependencies.filter(([name]) => !compilersOnly.includes(name))),
    }),
  })
}

const licences = /(^|\/)(licen[cs]e|notice|copying|copyright)[^/]*$/i
/** Endings of types, source maps, prose, and the sources of native modules. */
const unneededEndings = /\.([cm]?tsx?|map|md|markdown|c|cc|cpp|h|hpp|gypi?|flow)$/
const unneededFolders = /^(\.github|tests?|bench|benchmarks?|docs|examples|integration|node_modules)\//
/** Sources of compiled-in libraries, and builds for browsers. */
const unneededOf: Readonly<Record<string, RegExp>> = { 'better-sqlite3': /^deps\//, oxigraph: /^web/ }
/** Compiled modules for systems that another native package does not support. */
const otherPrebuilds = /^prebuilds\/(freebsd|linux-arm\/|darwin-x64|win32-arm64)/

function isNeeded(packageName: string, path: string): boolean {
  if (unneededFolders.test(path) || unneededOf[packageName]?.test(path)) return false
  return licences.test(path) || !(unneededEndings.test(path) || otherPrebuilds.test(path))
}

function listFiles(root: string, folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(root, '/').length).replaceAll('\\', '/'))
}

const readText = (root: string, path: string) => readFileSync(join(root, path), 'utf8')
const formatJson = (value: unknown) => `${JSON.stringify(value, undefined, 2)}\n`

function fileOf(path: string, content: Uint8Array | string, isProgram = false): ArchivedFile {
  return { path, bytes: typeof content === 'string' ? Buffer.from(content) : content, isProgram }
}
