/** Entry point of `cartulary-client.mjs`: the commands for any portal alone, in one file. */
import { version } from '../version.ts'
import { formatAll, formatMan } from './command-line/help.ts'
import { processShell } from './process-shell.ts'
import { runClient } from './program.ts'

const ended = new AbortController()
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => ended.abort(signal))
// A closed pipe ends no command: a change that has begun is made as a whole.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined)

const shell = { ...processShell(), environment: process.env, signal: ended.signal }

async function run(words: readonly string[]): Promise<number> {
  const [name = '', ...rest] = words
  if (name === '--version' || name === '-v') {
    shell.print(`Cartulary ${version}, Node ${process.versions.node}`)
    return 0
  }
  const isHelp = name === 'help' || name === '--help' || name === '-h'
  if (isHelp && rest.some((word) => !word.startsWith('-'))) return runClient([...rest, '--help'], shell)
  if (!isHelp && name !== '') return runClient(words, shell)
  shell.print(rest.includes('--man') ? formatMan([]) : formatAll([]))
  return isHelp ? 0 : 2
}

process.exitCode = await run(process.argv.slice(2))
// Standard input may still be open.
if (ended.signal.aborted) process.exit()
