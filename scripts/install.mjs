// Runs before other scripts, on any Node from 20: installs what package-lock.json asks for, if it is not there.
//   node scripts/install.mjs            everything
//   node scripts/install.mjs server     what a server and the build of pages/ need, which are the dependencies of both; the
//                                       package of Node itself is a peer dependency, for where the present one is too old
//   node scripts/install.mjs --check    never: says what a server needs and does not find. Commands beside a running server
//                                       must not change the packages that it loads.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { argv, platform, versions } from 'node:process'

const root = new URL('../', import.meta.url)
const [mode = 'everything'] = argv.slice(2)
const isNodeTooOld = Number.parseInt(versions.node, 10) < 24
const slim = isNodeTooOld ? ['--omit=dev'] : ['--omit=dev', '--omit=peer']

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(new URL(path, root), 'utf8')).packages
  } catch {
    return {}
  }
}

/** Whether a server needs the package on this system. */
function isOfServer([path, { dev, devOptional, peer }]) {
  return path === 'node_modules/node' ? isNodeTooOld : !dev && !devOptional && !peer
}

const wanted = readPackages('package-lock.json')
const installed = readPackages('node_modules/.package-lock.json')
const required = Object.entries(wanted).filter(([path, { optional }]) => path !== '' && !optional)
const isMissing = required
  .filter((entry) => mode === 'everything' || isOfServer(entry))
  .some(([path, { version }]) => installed[path]?.version !== version)

/**
 * Chooses the arguments of npm: packages in the right version are neither removed nor replaced, as a running server may load
 * them.
 */
function chooseWords() {
  const present = required.filter(([path]) => installed[path])
  // npm removes packages that it is to omit.
  const omitted = mode === 'server' && !present.some(([, { dev }]) => dev) ? slim : []
  const isOutdated = present.some(([path, { version }]) => installed[path].version !== version)
  return [...(present.length === 0 || isOutdated ? ['ci'] : ['install', '--no-save']), ...omitted]
}

if (isMissing && mode === '--check') {
  process.stderr.write(
    'Packages are missing, or have other versions than package-lock.json names. Stop the server that runs from this ' +
      `folder, then run "npm ci ${slim.join(' ')}", or "npm ci" where tests are run too.\n`,
  )
  process.exitCode = 1
} else if (isMissing) {
  process.stderr.write('Installing what is missing …\n')
  try {
    // Warnings about engines do not apply: the packages run on the Node that is installed with them.
    const words = [...chooseWords(), '--no-audit', '--no-fund', '--loglevel=error']
    execFileSync('npm', words, { cwd: root, stdio: ['ignore', 2, 2], shell: platform === 'win32' })
  } catch {
    process.stderr.write('The installation failed; npm says why above.\n')
    process.exitCode = 1
  }
}
