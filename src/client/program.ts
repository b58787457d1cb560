import { findCommand, parseCall } from './command-line/arguments.ts'
import type { CommandName } from './command-line/table.ts'
import { CommandError, refused } from './failure.ts'
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
    if (isJson && Symbol.iterator in json) for (const part of json) shell.printBytes?.(part)
    else if (isJson) shell.print(JSON.stringify({ format: 1, ...json }))
    else if (typeof text !== 'string') shell.printBytes?.(text)
    else if (text !== '') shell.print(text.replace(/\n$/, ''))
    return exit
  } catch (error) {
    if (shell.signal.aborted) return ofSignal[String(shell.signal.reason)] ?? 130
    const failure = error instanceof CommandError ? error : unforeseen(error, words.includes('--verbose'))
    const { portalCode: code, message, details, exit, members } = failure
    const asJson = () => JSON.stringify({ format: 1, error: { code, message, details, exit, ...members } })
    shell.printError(isJson ? asJson() : formatAsText(failure))
    return exit
  }
}

/** An answer of a form that no step of a command expects, or a fault of the program. */
function unforeseen(error: unknown, isVerbose: boolean): CommandError {
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error))
  const details = isVerbose
    ? stack.split('\n')
    : ['--verbose shows where. What was written before stays: compare by plan.']
  return refused(
    `The portal's answer has another form than is documented, or the program has a fault: ${message}`,
    details,
  )
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
