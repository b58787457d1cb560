/** Static checks, each by its own tool and all in parallel: `npm run check`. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { platform } from 'node:process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))

/** Cache folder for results on files that have not changed. */
const cache = join('node_modules', '.cache', 'check')
const incremental = (name) => ['--incremental', '--tsBuildInfoFile', join(cache, `${name}.tsbuildinfo`)]

const checks = {
  'format and lint': ['biome', 'ci', '.'],
  types: ['tsc', ...incremental('server')],
  'types of the pages': ['tsc', '-p', 'pages', ...incremental('pages')],
  'import rules': [
    'depcruise',
    '--cache',
    join(cache, 'dependencies'),
    '--cache-strategy',
    'content',
    '--config',
    '.dependency-cruiser.cjs',
    'bin',
    'src',
    'pages/src',
    'pages/build',
    'pages/*.ts',
    'test',
    'scripts',
    'bench/*.ts',
  ],
  words: ['node', 'scripts/check-words.mjs'],
  'unused code': ['knip', '--cache', '--cache-location', join(cache, 'unused')],
}

/** Runs every check; returns the report on each, and whether all of them passed. */
export async function runChecks() {
  const reports = await Promise.all(Object.entries(checks).map(runCheck))
  return { text: reports.map(({ text }) => text).join(''), isClean: reports.every(({ isClean }) => isClean) }
}

/** One line if the check passed, otherwise the output of the tool. */
async function runCheck([name, [tool, ...words]]) {
  const { code, printed } = await run(tool, words)
  if (code === 0) return { isClean: true, text: `check passed: ${name}\n` }
  return { isClean: false, text: `${printed}\ncheck failed: ${name} (${[tool, ...words].join(' ')})\n\n` }
}

function run(tool, words) {
  return new Promise((resolve) => {
    const child = spawn(tool, words, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], shell: platform === 'win32' })
    let printed = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        printed += text
      })
    }
    child.on('error', (error) => resolve({ code: 1, printed: error.message }))
    child.on('close', (code) => resolve({ code, printed }))
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { text, isClean } = await runChecks()
  process.stdout.write(text)
  process.exitCode = isClean ? 0 : 1
}
