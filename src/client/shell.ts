/** Parts of the process that commands for any portal use. */
export interface Shell {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Aborted when the process is asked to end; the reason is the name of the signal. */
  readonly signal: AbortSignal
  /** Working folder; by default that of the process. */
  readonly folder?: string
  /** Whether standard output is a terminal, and its width. */
  readonly isTerminal?: boolean
  readonly columns?: number
  /** Writes a text and a line feed to standard output; `printBytes` nothing else than the bytes. */
  print(text: string): void
  printBytes?(bytes: Uint8Array): void
  /** Writes a text and a line feed to standard error. */
  printError(text: string): void
  /** Standard input; absent where there is none. */
  readonly input?: ShellInput
  /** Waits before a request is repeated; rejects when the signal is aborted. By default, on the clock. */
  wait?(milliseconds: number): Promise<void>
}

export interface ShellInput {
  /** Whether a person types. */
  readonly isTerminal: boolean
  /** The first line, without its end; undefined where there is none. */
  readLine(): Promise<string | undefined>
  /** A line that is typed unseen at a terminal. */
  readSecret?(prompt: string): Promise<string | undefined>
  readAll?(): Promise<Uint8Array>
}
