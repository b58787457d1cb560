/** Entry point of `cartulary-client.mjs`: the commands for any portal alone, in one file. Each part is loaded where it is needed. */
import { version } from '../version.ts'

/** The answers that need nothing of the process but its output; undefined for a command. */
async function explain([name, ...rest]: readonly string[]): Promise<string | undefined> {
  if (name === '--version' || name === '-v') return `Cartulary ${version}, Node ${process.versions.node}`
  if (!isHelp(name) || rest.some((word) => !word.startsWith('-'))) return undefined
  const { formatAll, formatMan } = await import('./command-line/help.ts')
  return rest.includes('--man') ? formatMan([]) : formatAll([], process.stdout.columns)
}

function isHelp(name: string | undefined): boolean {
  return name === undefined || name === 'help' || name === '--help' || name === '-h'
}

// A closed pipe ends no command: a change that has begun is made as a whole.
process.stdout.on('error', () => undefined)
const words = process.argv.slice(2)
const explained = await explain(words)
if (explained === undefined) {
  const { run } = await import('./run.ts')
  process.exitCode = await run(isHelp(words[0]) ? [...words.slice(1), '--help'] : words)
} else {
  process.stdout.write(`${explained}\n`)
  process.exitCode = words.length === 0 ? 2 : 0
}
