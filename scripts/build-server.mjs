// Bundles the server into few files of JavaScript, below node_modules/.cache: before `npm start`. Programs in bin/ run these in
// place of the sources, as long as the sources have not changed: that halves time and memory. Builds only when they have.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import process, { argv, pid, platform, stderr, versions } from 'node:process'
import { fileURLToPath } from 'node:url'
import { bundles, findBundle, isBundle } from '../bin/compiled-modules.mjs'

const root = new URL('../', import.meta.url)
const ownNode = new URL(`node_modules/node/bin/${platform === 'win32' ? 'node.exe' : 'node'}`, root)

/** Maximum number of bundles that are kept (chosen): a running server may read files of any of them. */
const maxBundles = 5
/** Further inputs of the bundle, besides its sources. */
const others = ['node_modules/.package-lock.json', 'scripts/build-server.mjs', 'scripts/release/bundle.ts']

/** Times and size of every file that the bundle may include, by paths with slashes. */
function readStamps() {
  const below = (folder) =>
    readdirSync(new URL(folder, root), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(fileURLToPath(root), join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
  return new Map(
    [...others, ...below('bin'), ...below('src')].map((path) => {
      const { mtimeMs, ctimeMs, size } = statSync(new URL(path, root))
      return [path, [path, mtimeMs, ctimeMs, size]]
    }),
  )
}

async function buildServer() {
  // Vite builds something else where NODE_ENV names tests or development.
  process.env.NODE_ENV = 'production'
  const { bundleServer } = await import('./release/bundle.ts')
  const before = readStamps()
  const { files, sources } = await bundleServer(fileURLToPath(root), { ending: 'mjs', places: '../../../../src' })
  const after = readStamps()
  const paths = [...after.keys()].filter((path) => !path.startsWith('src/') || sources.includes(path))
  const stamps = paths.map((path) => after.get(path))
  // A change during the build may or may not be in the bundle: the sources are run until the next build.
  if (JSON.stringify(stamps) !== JSON.stringify(paths.map((path) => before.get(path)))) return
  mkdirSync(bundles, { recursive: true })
  const name = digest(files)
  const names = [name, ...readNames().filter((former) => former !== name)].slice(0, maxBundles)
  const place = new URL(name, bundles)
  // A server may be running from it: the same sources have the same bundle, whichever packages of the tests are installed.
  if (!isBundle(name)) {
    rmSync(place, { recursive: true, force: true })
    putInPlace(place, (draft) => {
      mkdirSync(draft)
      for (const { path, bytes } of files) writeFileSync(join(draft, basename(path)), bytes)
    })
  }
  const note = JSON.stringify({ checkout: root.href, names, stamps })
  putInPlace(new URL('built.json', bundles), (draft) => writeFileSync(draft, note))
  const kept = ['built.json', ...names]
  for (const other of readdirSync(bundles)) {
    if (!kept.includes(other) && !isDraft(other)) rmSync(new URL(other, bundles), { recursive: true, force: true })
  }
}

/** Names of the existing bundles, newest first. */
function readNames() {
  try {
    return JSON.parse(readFileSync(new URL('built.json', bundles), 'utf8')).names
  } catch {
    return []
  }
}

/** Writes a draft beside the target and moves it into place as a whole. Another process may have done the same. */
function putInPlace(place, write) {
  const draft = `${fileURLToPath(place)}.${pid}`
  try {
    write(draft)
    renameSync(draft, place)
  } catch (error) {
    if (!existsSync(place)) throw error
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/** Whether a running process is writing this draft. */
function isDraft(name) {
  const [, owner] = /\.(\d+)$/.exec(name) ?? []
  if (owner === undefined) return false
  try {
    return process.kill(Number(owner), 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function digest(files) {
  const hash = createHash('sha256')
  for (const { path, bytes } of files) hash.update(`${path} ${bytes.length}\n`).update(bytes)
  return hash.digest('hex').slice(0, 16)
}

/** Whether the packages that build it are installed. */
const hasSources =
  existsSync(new URL('scripts/release/bundle.ts', root)) && existsSync(new URL('node_modules/vite', root))

if (hasSources && findBundle() === '') {
  if (Number.parseInt(versions.node, 10) < 24) spawnSync(fileURLToPath(ownNode), argv.slice(1), { stdio: 'inherit' })
  else await buildServer().catch((error) => stderr.write(`The server runs from its sources: ${error.message}\n`))
}
