/** `npm test`: the tests and, in parallel, every check. Failures are printed at the end; the last line counts the tests. */
import { spawn } from 'node:child_process'
import { platform } from 'node:process'
import { fileURLToPath } from 'node:url'
import { runChecks } from './check.mjs'

const root = fileURLToPath(new URL('../', import.meta.url))
const closingLine = /^\d+ passed, \d+ failed, \d+ skipped$/

/** Passes on the output of the tests, except their closing line. */
function runTests(words) {
  const env = { ...process.env, ...(process.stdout.isTTY && { FORCE_COLOR: '1' }) }
  const child = spawn('vitest', ['run', ...words], {
    cwd: root,
    env,
    stdio: ['inherit', 'pipe', 'inherit'],
    shell: platform === 'win32',
  })
  let closing = ''
  let rest = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop()
    for (const line of lines) {
      if (closingLine.test(line)) closing = line
      else process.stdout.write(`${line}\n`)
    }
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      process.stdout.write(rest)
      resolve({ closing, isClean: code === 0 })
    })
  })
}

const [tests, checks] = await Promise.all([runTests(process.argv.slice(2)), runChecks()])
process.stdout.write(`${checks.text}\n${tests.closing}\n`)
process.exitCode = tests.isClean && checks.isClean ? 0 : 1
