/** What a command may use of the process. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Aborted when the process is asked to end. */
  readonly signal: AbortSignal
  print(text: string): void
  complain(text: string): void
  /** For what does not end by itself. */
  exit(code: number): void
}

/** The words of a command line are not understood. */
export class UsageWrong extends Error {
  override readonly name = 'UsageWrong'
}
