import { runCommand } from '../../src/cli/cli.ts'

/** What a command printed and complained about, and its exit code. */
export interface CommandEnd {
  readonly code: number
  readonly printed: string
  /** Without lines of progress, which only slow machines see. */
  readonly complaint: string
}

const progress = /^[A-Z][a-z ]+: [\d,]+ of [\d,]+ \(\d+ %\)$/

/** Runs a command in this process, as an operator whose standard error is no terminal; `typed` comes by standard input. */
export async function command(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  signal: AbortSignal = new AbortController().signal,
  typed?: string,
): Promise<CommandEnd> {
  const printed: string[] = []
  const complaints: string[] = []
  const code = await runCommand(words, {
    environment: { LOG_LEVEL: 'silent', ...environment },
    signal,
    ...(typed !== undefined && { input: { isTerminal: false, readLine: async () => typed } }),
    print: (text) => printed.push(text),
    printError: (text) => {
      if (!progress.test(text)) complaints.push(text)
    },
    exit: () => complaints.push('exit'),
  })
  return { code, printed: printed.join('\n'), complaint: complaints.join('\n') }
}
