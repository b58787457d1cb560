import { formatAll, formatMan, formatRows } from '../client/command-line/help.ts'
import { clientWords, findMeant, isClientWord } from '../client/command-line/table.ts'
import { withHint } from '../spelling.ts'
import { version } from '../version.ts'
import { type Terminal, UsageError } from './output/terminal.ts'
import { serverCommands } from './usage.ts'

/** Name of organizations in addresses, and the first name of the command `organization`. */
const formerNames = ['portal']
const serverWords = new Set([...serverCommands.map(({ usage }) => wordOf(usage)), ...formerNames])

/** Runs a command; answers its exit code. What a command needs is loaded when it runs. */
export async function runCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name = 'serve', ...rest] = args
  try {
    if (name === '--version' || name === '-v') {
      terminal.print(`Cartulary ${version}, Node ${process.versions.node}`)
      return 0
    }
    if (name === 'help' || name === '--help' || name === '-h') {
      const isMan = rest.includes('--man')
      const words = rest.filter((word) => word !== '--man' && word !== '--help' && word !== '-h')
      if (words[0] !== undefined && isClientWord(words[0])) return await runForPortal([...words, '--help'], terminal)
      terminal.print(isMan ? formatMan(serverCommands) : helpOn(words))
      return 0
    }
    if (isClientWord(name)) return await runForPortal(args, terminal)
    requireServerWord(name)
    // After a double hyphen, or as the value of an option, it would be no question; no command takes such values.
    if (rest.includes('--help') || rest.includes('-h')) {
      terminal.print(helpOn([name]))
      return 0
    }
    const { runServerCommand } = await import('./server-commands.ts')
    return await runServerCommand(name, rest, terminal)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    terminal.printError(`${error.message}\nRun "cartulary help" for the commands and their arguments.`)
    return 2
  }
}

async function runForPortal(args: readonly string[], terminal: Terminal): Promise<number> {
  const { runClient } = await import('../client/program.ts')
  return runClient(args, terminal)
}

/** Help on everything, or on one word of the server's commands. */
function helpOn([word, ...others]: readonly string[]): string {
  if (others.length > 0) throw new UsageError(`Unexpected argument ${others[0]}.`)
  if (word === undefined || word === 'help') return formatAll(serverCommands)
  requireServerWord(word)
  const rows = serverCommands.filter(({ usage }) => wordOf(usage) === word)
  return rows.length > 0 ? `Usage: cartulary …\n\n${formatRows(rows)}` : formatAll(serverCommands)
}

function requireServerWord(name: string): void {
  if (serverWords.has(name)) return
  const known = [...serverWords, 'help', ...clientWords]
  throw new UsageError(withHint(`Unknown command ${name}`, findMeant(name, known)))
}

function wordOf(usage: string): string {
  return usage.split(' ', 1)[0]!
}
