// Runs before other scripts, on any Node from 20: installs what package-lock.json asks for, if it is not there.
//   node scripts/install.mjs            everything
//   node scripts/install.mjs server     only if something is missing that a server needs
//   node scripts/install.mjs --check    never: says what a server needs and does not find. Commands beside a running server
//                                       must not change the packages that it loads.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { argv, platform, versions } from 'node:process'

const root = new URL('../', import.meta.url)
const [mode = 'everything'] = argv.slice(2)
const oldestNode = 24

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(new URL(path, root), 'utf8')).packages
  } catch {
    return {}
  }
}

/** Whether a server needs the package on this system: Node itself only where the one that runs is too old. */
function isOfServer(path, { dev, devOptional }) {
  if (path === 'node_modules/node') return mode === 'server' && Number.parseInt(versions.node, 10) < oldestNode
  return !dev && !devOptional
}

const wanted = readPackages('package-lock.json')
const installed = readPackages('node_modules/.package-lock.json')
const isMissing = Object.entries(wanted)
  .filter(([path, { optional }]) => path !== '' && !optional)
  .filter(([path, entry]) => mode === 'everything' || isOfServer(path, entry))
  .some(([path, { version }]) => installed[path]?.version !== version)

if (isMissing && mode === '--check') {
  process.stderr.write(
    'Packages are missing, or have other versions than package-lock.json names. Stop the server that runs from this ' +
      'folder, then run "npm ci --omit=dev", or "npm ci" where tests are run too.\n',
  )
  process.exitCode = 1
} else if (isMissing) {
  process.stderr.write('Installing what is missing …\n')
  try {
    // Warnings about engines are of no use here: the packages run on the Node that is installed with them.
    const words = ['ci', '--no-audit', '--no-fund', '--loglevel=error']
    execFileSync('npm', words, { cwd: root, stdio: ['ignore', 2, 2], shell: platform === 'win32' })
  } catch {
    process.stderr.write('The installation failed; npm says why above.\n')
    process.exitCode = 1
  }
}
