// Runs before every other script, on any Node from 20: installs what package-lock.json asks for, if it is not there.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { platform } from 'node:process'

const root = new URL('../', import.meta.url)

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(new URL(path, root), 'utf8')).packages
  } catch {
    return {}
  }
}

const wanted = readPackages('package-lock.json')
const installed = readPackages('node_modules/.package-lock.json')
const missing = Object.entries(wanted).some(
  ([path, { version, optional }]) => path !== '' && !optional && installed[path]?.version !== version,
)

if (missing) {
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
