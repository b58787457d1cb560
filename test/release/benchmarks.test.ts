import { execFile } from 'node:child_process'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { readDocument } from '../journeys/shell-walk.ts'
import { isLong } from '../support/length.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Commands of the page, without their comments; another checkout is this one. */
const commands = /```sh\n(.*?)```/s
  .exec(readDocument('docs/performance.md'))![1]!
  .trim()
  .split('\n')
  .map((line) => line.replace(/ *#.*/, '').replace('../other', '.'))

/** A part of the name of the rows that are tried, of options with many rows that run alike, or that change no row. */
const someRows: Readonly<Record<string, string>> = {
  '--soak': 'large groups',
  '--neighbours': 'assign',
  '--bystanders': 'files',
  '--against': 'read',
  '--checkout': 'idle',
  '--quick': 'idle',
  '--markdown': 'idle',
}

/** Options of many rows, which the long tier tries. */
const ofMany = ['', '--content', '--at-once', '--bystanders', '--worst']

const optionOf = (command: string) => command.split(' ')[4] ?? ''

test.each(
  commands.filter((command) => command.startsWith('npm run bench') && (isLong || !ofMany.includes(optionOf(command)))),
)('%s --quick ends well', async (command) => {
  const words = command.split(' ').slice(4)
  const rows = someRows[optionOf(command)]
  const given = [...words, ...(rows === undefined ? [] : ['--only', rows]), '--quick']
  const { stdout } = await promisify(execFile)(execPath, ['bench/main.ts', ...given], { cwd: root })
  expect(stdout).toMatch(/ (met|missed|no goal|not measured)$/m)
})

test('the page has a command for each step, and steps run', async () => {
  expect(commands.at(-1)).toBe('npx node bench/steps.ts')
  const { stdout } = await promisify(execFile)(execPath, ['bench/steps.ts'], { cwd: root })
  expect(stdout).toContain('JSON.parse alone')
})
