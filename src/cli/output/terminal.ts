/** Parts of the process that a command may use. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The file `.env`; undefined if there is none. Throws if it cannot be read. */
  readEnvFile?(): Uint8Array | undefined
  /** Aborted when the process is asked to end. */
  readonly signal: AbortSignal
  /** Takes what SIGHUP asks for; without it, SIGHUP asks the command to end. */
  onHangup?(listener: () => void): void
  /** Notes that a server runs, which goes on where its output cannot be written. */
  onServe?(): void
  /** Whether standard output is a terminal: a person reads it then, otherwise a program. */
  readonly isTerminal?: boolean
  print(text: string): void
  printError(text: string): void
  /** Standard input; absent where there is none. */
  readonly input?: TerminalInput
  /** Writes a line in place of the last one that it wrote; absent where standard error is not a terminal. */
  redraw?(line: string): void
  /** Ends the process immediately. */
  exit(code: number): void
}

export interface TerminalInput {
  /** Whether a person types, and sees what is typed. */
  readonly isTerminal: boolean
  /** The first line, without its end; undefined where there is none. */
  readLine(): Promise<string | undefined>
}

/** The arguments of a command are wrong. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Error of a command that is refused or was not done, in one sentence; code 2 where it could not be tried at all. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed'
  readonly code: 1 | 2

  constructor(message: string, code: 1 | 2 = 1) {
    super(message)
    this.code = code
  }
}

/** Text of others on one line: control and invisible characters, which may steer a terminal, become question marks. */
export function printable(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '?')
}
