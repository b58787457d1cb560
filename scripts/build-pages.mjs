// Builds the application in the browser, from pages/ into pages/dist/: `npm run pages`, and before `npm start` and `npm test`.
// Builds only where the output is missing or older than its sources, and writes compressed files beside the output. Runs on any
// Node from 20: where that is too old to build, the Node that is installed with the packages does.
//   node scripts/build-pages.mjs           fails if it cannot build
//   node scripts/build-pages.mjs --start   a server starts without it, and one line says so
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import process, { argv, pid, platform, stderr, versions } from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib'

const root = fileURLToPath(new URL('../', import.meta.url))
const pages = join(root, 'pages')
const built = join(pages, 'dist')
const license = { fileName: 'licenses.md' }
const configs = [
  { file: 'vite.config.ts', folder: '', license },
  { file: 'vite.picker.config.ts', folder: 'picker', license },
  { file: 'vite.documents.config.ts', folder: '', license: false },
]

/** Further inputs of the build, besides everything in pages/ and docs/, and its imports from src/; styles import without a module. */
const others = [
  ...['package-lock.json', 'scripts/build-pages.mjs', 'tsconfig.json', 'README.md', 'CHANGELOG.md', 'SECURITY.md'],
  ...['tokens.css', 'page.css', 'icon.svg'].map((name) => `src/http/pages/assets/${name}`),
]

const isNodeTooOld = Number.parseInt(versions.node, 10) < 24
const ownNode = join(root, 'node_modules/node/bin', platform === 'win32' ? 'node.exe' : 'node')

/** Names below pages/ that are no sources: packages, the output, and output that another process is writing. */
const isBuilt = /^(?:node_modules|dist|\.dist-(\d+)(?:-old)?)(?:\/|$)/

/** Files below a folder, with slashes on every system. */
function listFiles(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort()
}

function listOwn() {
  const paths = listFiles(pages).filter((path) => !isBuilt.test(path))
  return [...paths.map((path) => `pages/${path}`), ...listFiles(join(root, 'docs')).map((path) => `docs/${path}`)]
}

function digest(content) {
  return createHash('sha256').update(content).digest('hex')
}

function digestFile(path) {
  const file = join(root, path)
  return existsSync(file) ? digest(readFileSync(file)) : 'missing'
}

/** SHA-256 of all inputs of the build; `imports` are files of src/. */
function digestSources(imports, own = listOwn(), digestOf = digestFile) {
  return digest([...own, ...imports, ...others].map((path) => `${path} ${digestOf(path)}\n`).join(''))
}

/** Reads all digests now; the returned function computes the digest of the sources for any imports. */
function readDigests() {
  const own = listOwn()
  const ofServer = listFiles(join(root, 'src')).map((path) => `src/${path}`)
  const digests = new Map([...own, ...ofServer, ...others].map((path) => [path, digestFile(path)]))
  return (imports) => digestSources(imports, own, (path) => digests.get(path) ?? 'missing')
}

/** Whether the output was built from the present sources. */
function isUpToDate() {
  try {
    const { sources, imports } = JSON.parse(readFileSync(join(built, 'built.json'), 'utf8'))
    return sources === digestSources(imports)
  } catch {
    return false
  }
}

function hasVite() {
  try {
    createRequire(import.meta.url).resolve('vite/package.json')
    return true
  } catch {
    return false
  }
}

/** Removes leftovers of builds that were interrupted. */
function removeLeftovers() {
  for (const name of readdirSync(pages)) {
    const [, owner] = isBuilt.exec(name) ?? []
    if (owner !== undefined && !isRunning(Number(owner))) rmSync(join(pages, name), { recursive: true, force: true })
  }
}

function isRunning(owner) {
  try {
    return process.kill(owner, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Builds into a folder; returns false if a source has changed meanwhile, as the output may then match neither state. */
async function buildInto(folder) {
  const digestBefore = readDigests()
  // Vite builds something else where NODE_ENV names tests or development.
  process.env.NODE_ENV = 'production'
  const { build } = await import('vite')
  const modules = new Set()
  const collector = {
    name: 'imported-modules',
    generateBundle() {
      for (const id of this.getModuleIds()) modules.add(id.replace(/[?#].*$/, ''))
    },
  }
  for (const { file, folder: below, license } of configs) {
    await build({
      configFile: join(pages, file),
      logLevel: 'warn',
      plugins: [collector],
      build: {
        outDir: join(folder, below),
        license,
        // Minifying removes comments that name folders of this machine: the same bytes everywhere.
        rolldownOptions: { output: { minify: true } },
      },
    })
  }
  const { firstSegments: screens } = await import(pathToFileURL(join(pages, 'src/navigation/paths.ts')).href)
  const paths = [...modules].map((id) => relative(root, id).replaceAll('\\', '/')).sort()
  const imports = paths.filter((path) => path.startsWith('src/'))
  const packages = new Set(
    paths.flatMap((path) => /node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(path) ?? []),
  )
  // Digest from before the build, so that a change during the build makes another one necessary.
  const sources = digestBefore(imports)
  writeFileSync(
    join(folder, 'built.json'),
    `${JSON.stringify({ sources, screens, imports, packages: [...packages] }, undefined, 2)}\n`,
  )
  for (const path of listFiles(folder)) if (/^(assets|picker)\/.*(?<!\.png)$/.test(path)) compress(join(folder, path))
  return sources === digestSources(imports)
}

/** Writes a file in the encodings that make it smaller. */
function compress(file) {
  const bytes = readFileSync(file)
  const parameters = { [zlib.BROTLI_PARAM_QUALITY]: 11, [zlib.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  const variants = { br: brotliCompressSync(bytes, { params: parameters }), gz: gzipSync(bytes, { level: 9 }) }
  for (const [ending, variant] of Object.entries(variants)) {
    if (variant.length < bytes.length) writeFileSync(`${file}.${ending}`, variant)
  }
}

/** Moves the output into place as a whole. Another process may have done the same, or may be doing so. */
function putInPlace(folder) {
  const former = `${folder}-old`
  for (let attempt = 1; !isUpToDate(); attempt += 1) {
    try {
      if (existsSync(built)) renameSync(built, former)
      renameSync(folder, built)
      return
    } catch (error) {
      if (attempt === 10) throw error
    } finally {
      rmSync(former, { recursive: true, force: true })
    }
  }
}

async function buildPages() {
  say('Building the application in the browser …')
  removeLeftovers()
  const folder = join(pages, `.dist-${pid}`)
  mkdirSync(folder, { recursive: true })
  try {
    if (!(await buildInto(folder))) await buildInto(folder)
    putInPlace(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function say(sentence) {
  stderr.write(`${sentence}\n`)
}

async function main() {
  const isOfStart = argv.includes('--start')
  // A release has no sources.
  if (!existsSync(join(pages, configs[0].file))) return
  if (isUpToDate()) {
    if (!isOfStart) say('The application in the browser is up to date.')
    return
  }
  const state = existsSync(join(built, 'built.json')) ? 'older than its sources' : 'not built'
  if (!hasVite()) {
    say(`The application in the browser is ${state}: Vite is not installed. "npm run pages" builds it.`)
    if (!isOfStart) process.exitCode = 1
    return
  }
  if (isNodeTooOld && existsSync(ownNode)) {
    const { status } = spawnSync(ownNode, argv.slice(1), { stdio: 'inherit' })
    process.exitCode = status ?? 1
    return
  }
  try {
    await buildPages()
  } catch (error) {
    say(`The application in the browser is ${state}, and could not be built: ${error.message}`)
    if (!isOfStart) process.exitCode = 1
  }
}

await main()
