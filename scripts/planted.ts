/**
 * `npm run test:planted [-- words of a fault's name or file]`: shows that the tests find faults. A copy of the project gets one fault
 * after the other, and the tests that could find it run there. Exits with 1 if a fault is missed, or no longer fits the source.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, matchesGlob, relative } from 'node:path'
import { argv, platform } from 'node:process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Fault } from '../test/planted/fault.ts'
import { faults } from '../test/planted/faults.ts'
import { Postgres } from '../test/support/databases/postgres.ts'
import { ofSystem } from '../vitest.config.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
/** Entries that a copy does not need, or has as links. */
const notCopied = ['.git', 'data', 'node_modules', join('pages', 'node_modules')]
/** Cache folders of tools in a folder of packages; every other hidden entry is linked. */
const written = /^\.(cache|vite.*)$/
/** Timeout of a test or a hook, in milliseconds: one that hangs because of a fault has failed. */
const maxTestMilliseconds = 180_000
/** Milliseconds that all tests of one fault may take together. */
const maxRunMilliseconds = 600_000
/** Ends a run at the first test that fails. */
const untilFirst = '--bail=1'

/** Result of a run of tests. */
interface Verdict {
  readonly passed: number
  /** Names of tests, each with its file. */
  readonly failed: readonly string[]
  /** Reason why the run gave no result. */
  readonly problem: string | undefined
}

/** Fields of Vitest's report that are read. */
interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly message: string
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[]
  }[]
}

const interrupted = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort())

async function copyProject(folder: string): Promise<void> {
  const isCopied = (path: string) => !notCopied.includes(relative(root, path))
  await cp(root, folder, { recursive: true, filter: isCopied, verbatimSymlinks: true })
  for (const packages of ['node_modules', join('pages', 'node_modules')]) {
    if (!existsSync(join(root, packages))) continue
    await mkdir(join(folder, packages))
    for (const name of await readdir(join(root, packages))) {
      if (!written.test(name)) await symlink(join(root, packages, name), join(folder, packages, name))
    }
  }
}

/** Runs the test files, each with the settings of its tier. */
async function runTests(folder: string, files: readonly string[], words: readonly string[]): Promise<Verdict> {
  const isOfSystem = (file: string) => ofSystem.some((pattern) => matchesGlob(file, pattern))
  const verdicts: Verdict[] = []
  for (const [isSystem, ofTier] of Map.groupBy(new Set(files), isOfSystem)) {
    const config = isSystem ? ['--config', 'vitest.system.config.ts'] : []
    verdicts.push(await runVitest(folder, [...ofTier, ...config, ...words]))
  }
  return {
    passed: verdicts.reduce((sum, { passed }) => sum + passed, 0),
    failed: verdicts.flatMap(({ failed }) => failed),
    problem: verdicts.map(({ problem }) => problem).find((problem) => problem !== undefined),
  }
}

async function runVitest(folder: string, words: readonly string[]): Promise<Verdict> {
  const file = join(folder, 'report.json')
  await rm(file, { force: true })
  const limits = [`--testTimeout=${maxTestMilliseconds}`, `--hookTimeout=${maxTestMilliseconds}`]
  const report = ['--reporter=json', `--outputFile=${file}`]
  const vitest = join(folder, 'node_modules', '.bin', 'vitest')
  const child = spawn(vitest, ['run', ...words, '--project', 'SQLite', ...limits, ...report], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    shell: platform === 'win32',
    signal: interrupted.signal,
    // The run without a fault has no timeout, as its tests end.
    ...(words.includes(untilFirst) && { timeout: maxRunMilliseconds }),
  })
  const [said] = await Promise.all([text(child.stderr), once(child, 'close')])
  if (!existsSync(file)) return { passed: 0, failed: [], problem: `The tests did not end.\n${said.slice(-2_000)}` }
  return readReport(folder, JSON.parse(await readFile(file, 'utf8')))
}

function readReport(folder: string, { testResults }: Report): Verdict {
  const results = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, status }) => ({ status, name: `${relative(folder, name)}: ${fullName}` })),
  )
  const failed = results.filter(({ status }) => status === 'failed').map(({ name }) => name)
  const passed = results.filter(({ status }) => status === 'passed').length
  // Messages of files that could not be loaded and of hooks that failed: these have no test results.
  const problems = testResults.flatMap(({ message }) => (message === '' ? [] : [message]))
  return { passed, failed, problem: passed + failed.length > 0 ? problems[0] : (problems[0] ?? 'No test ran.') }
}

/** Plants a fault, runs its tests, and restores the source. */
async function plant(folder: string, { file, find, replace, tests }: Fault): Promise<Verdict> {
  const misfit = (problem: string) => ({ passed: 0, failed: [], problem })
  const missing = [file, ...tests].find((path) => !existsSync(join(folder, path)))
  if (missing) return misfit(`${missing} does not exist.`)
  const path = join(folder, file)
  const source = await readFile(path, 'utf8')
  const parts = source.split(find)
  if (parts.length !== 2) return misfit(`Its text occurs ${parts.length - 1} times.`)
  await writeFile(path, parts.join(replace))
  try {
    return await runTests(folder, tests, [untilFirst])
  } finally {
    await writeFile(path, source)
  }
}

function print(...lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`)
}

function formatChange({ file, find, replace }: Fault): string {
  const signed = (sign: string, lines: string) => lines.split('\n').map((line) => `  ${sign} ${line.trim()}`)
  return [`  ${file}`, ...signed('-', find), ...signed('+', replace)].join('\n')
}

/** Plants the faults; resolves with the number of missed ones. */
async function plantAll(folder: string, chosen: readonly Fault[]): Promise<number> {
  const table: string[] = []
  let missed = 0
  for (const fault of chosen) {
    print('', fault.name, formatChange(fault))
    const { failed, problem } = await plant(folder, fault)
    const [foundBy] = failed
    if (foundBy === undefined) missed += 1
    const outcome = foundBy ?? (problem === undefined ? 'MISSED' : `ERROR: ${problem}`)
    print(`  found by: ${outcome}`)
    table.push(`${fault.name}\n    ${outcome.split('\n', 1)[0]}`)
  }
  print('', ...table, '', `${chosen.length} faults, ${missed} missed`)
  return missed
}

async function main(words: readonly string[]): Promise<number> {
  const isNamed = ({ name, file }: Fault) =>
    words.every((word) => `${name} ${file}`.toLowerCase().includes(word.toLowerCase()))
  const chosen = faults.filter(isNamed)
  const folder = await mkdtemp(join(tmpdir(), 'cartulary-planted-'))
  try {
    await copyProject(folder)
    // Shared by all runs.
    await using postgres = await Postgres.open('max_connections=400')
    process.env['TEST_DATABASE_URL'] = postgres.url()
    print('The tests without a fault …')
    const files = chosen.flatMap(({ tests }) => tests).filter((path) => existsSync(join(folder, path)))
    const { passed, failed, problem } = await runTests(folder, files, [])
    print(`${passed} passed`, ...failed.map((name) => `failed without a fault: ${name}`), ...(problem ? [problem] : []))
    if (failed.length > 0 || problem !== undefined) return 1
    return (await plantAll(folder, chosen)) === 0 ? 0 : 1
  } catch (error) {
    if (!interrupted.signal.aborted) throw error
    return 130
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

process.exitCode = await main(argv.slice(2).flatMap((words) => words.split(' ')))
