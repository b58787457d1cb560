import { runCommand } from '../../src/cli/cli.ts'

/** What a command printed and complained about, and its exit code. */
export interface CommandEnd {
  readonly code: number
  readonly printed: string
  /** Without lines of progress, which only slow machines see. */
  readonly complaint: string
}

const progress = /^[A-Z][a-z ]+: [\d,]+ of [\d,]+ \(\d+ %\)$/

/** Runs a command in this process, as an operator whose standard error is no terminal. */
export async function command(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<CommandEnd> {
  const printed: string[] = []
  const complaints: string[] = []
  const code = await runCommand(words, {
    environment: { LOG_LEVEL: 'silent', ...environment },
    signal,
    print: (text) => printed.push(text),
    printError: (text) => {
      if (!progress.test(text)) complaints.push(text)
    },
    exit: () => complaints.push('exit'),
  })
  return { code, printed: printed.join('\n'), complaint: complaints.join('\n') }
}
