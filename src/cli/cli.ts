import { SettingRefused } from '../config.ts'
import { StorageUnavailable } from '../storage/storage.ts'
import { portalCommand } from './portal.ts'
import { serveCommand } from './serve.ts'
import { type Terminal, UsageWrong } from './terminal.ts'

const usage = `Usage: cartulary [command]

  serve                      Serves until it is asked to end. This is what happens without a command.
  portal list                Lists the organizations.
  portal create --name "…"   Makes one more organization with an administrator of its own:
                             --admin <username>, and --password <password> or a generated one.
  help                       Prints this.

Settings come from the environment and from a file .env; .env.example describes them.`

type Command = (words: readonly string[], terminal: Terminal) => Promise<void>

const commands: ReadonlyMap<string, Command> = new Map([
  ['serve', serveCommand],
  ['portal', portalCommand],
  ['help', async (_words, { print }) => print(usage)],
])

/** Runs a command; answers the exit code: 0 done, 1 refused with one sentence. */
export async function runCommand(words: readonly string[], terminal: Terminal): Promise<number> {
  const [name = 'serve', ...rest] = words
  try {
    const command = commands.get(name === '--help' || name === '-h' ? 'help' : name)
    if (!command) throw new UsageWrong(`There is no command ${name}.`)
    await command(rest, terminal)
    return 0
  } catch (error) {
    if (error instanceof UsageWrong) {
      terminal.complain(`${error.message}\n\n${usage}`)
      return 1
    }
    const sentence = sentenceFor(error)
    if (sentence !== undefined) {
      terminal.complain(sentence)
      return 1
    }
    throw error
  }
}

/** One sentence for the operator; undefined for a bug, whose stack is of more use. */
function sentenceFor(error: unknown): string | undefined {
  if (error instanceof SettingRefused || error instanceof StorageUnavailable) return error.message
  if (!(error instanceof Error) || !('code' in error)) return undefined
  const { code, message, address, port } = error as Error & { code: unknown; address?: string; port?: number }
  if (code === 'EADDRINUSE') return `The address ${address}:${port} is in use; set PORT or HOST to another one.`
  return surroundingFailures.has(String(code)) ? message : undefined
}

const surroundingFailures: ReadonlySet<string> = new Set([
  'EACCES',
  'EADDRNOTAVAIL',
  'EAI_AGAIN',
  'ENOSPC',
  'ENOTFOUND',
  'EPERM',
  'EROFS',
])
