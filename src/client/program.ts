import { findCommand, parseCall } from './command-line/arguments.ts'
import type { CommandName } from './command-line/table.ts'
import { CommandError } from './failure.ts'
import { clean } from './output/text.ts'
import { programs } from './programs.ts'
import type { Shell } from './shell.ts'

/** Exit codes of a command that a signal ends. */
const ofSignal: Readonly<Record<string, number>> = { SIGINT: 130, SIGTERM: 143 }
/** Lines of a refusal. */
const maxLines = 12

export async function runClient(words: readonly string[], shell: Shell): Promise<number> {
  // Before the arguments are parsed, a refusal of them already has to have the form that was asked for.
  const isJson = words.includes('--json')
  try {
    if (words.includes('--help') || words.includes('-h')) {
      const { formatHelp } = await import('./command-line/help.ts')
      const named = words.filter((word) => !word.startsWith('-'))
      shell.print(formatHelp(named, shell.isTerminal ? shell.columns : undefined))
      return 0
    }
    const { command, rest } = findCommand(words)
    const ended = programs[command.name as CommandName](parseCall(command, rest, shell))
    const { json, text, exit = 0 } = await Promise.race([ended, interruption(shell.signal)])
    if (isJson) shell.print(JSON.stringify({ format: 1, ...json }))
    else if (typeof text !== 'string') shell.printBytes?.(text)
    else if (text !== '') shell.print(text.replace(/\n$/, ''))
    return exit
  } catch (error) {
    if (shell.signal.aborted) return ofSignal[String(shell.signal.reason)] ?? 130
    if (!(error instanceof CommandError)) throw error
    const { portalCode: code, message, details, exit, members } = error
    const asJson = () => JSON.stringify({ format: 1, error: { code, message, details, exit, ...members } })
    shell.printError(isJson ? asJson() : formatAsText(error))
    return exit
  }
}

/** Rejects when the process is asked to end, whatever the command waits for. */
function interruption(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

/** Texts of a portal are on one line each, and steer no terminal. */
function formatAsText({ message, details }: CommandError): string {
  const lines = [...message.split('\n'), ...details.map((detail) => `  ${detail}`)].map(clean)
  if (lines.length <= maxLines) return lines.join('\n')
  const further = lines.length - maxLines + 1
  return [...lines.slice(0, maxLines - 1), `  ${further} further lines; --json has all of them.`].join('\n')
}
