import type { Shell } from '../../client/shell.ts'

/** Parts of the process that a command may use. */
export interface Terminal extends Shell {
  /** The file `.env`; undefined if there is none. Throws if it cannot be read. */
  readEnvFile?(): Uint8Array | undefined
  /** Takes what SIGHUP asks for; without it, SIGHUP asks the command to end. */
  onHangup?(listener: () => void): void
  /** Notes that a server runs, which goes on where its output cannot be written. */
  onServe?(): void
  /** Writes a line in place of the last one that it wrote; absent where standard error is not a terminal. */
  redraw?(line: string): void
  /** Ends the process immediately. */
  exit(code: number): void
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
