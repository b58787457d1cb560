/** Exit codes of the commands for any portal, as `help` prints them. */
export const exitCodes = [
  ['0', 'done, or nothing to do'],
  ['1', 'refused by the portal, a rule or a test; or not done as a whole'],
  ['2', 'could not be tried: usage, a file, configuration, sign-in, connection'],
  ['3', 'there are differences; only with --detailed-exitcode'],
  ['4', 'the schema has changed since the plan'],
  ['130, 143', 'interrupted by SIGINT, by SIGTERM'],
] as const

/** Further facts of a failure. */
interface FailureFacts {
  readonly details?: readonly string[]
  /** Code of the portal's error. */
  readonly portalCode?: number | null
  /** Further members of the error with `--json`. */
  readonly members?: object
}

/** Error of a command in one sentence; `exit` is its exit code. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly exit: 1 | 2 | 4
  readonly details: readonly string[]
  readonly portalCode: number | null
  readonly members: object

  constructor(exit: 1 | 2 | 4, message: string, { details = [], portalCode = null, members = {} }: FailureFacts = {}) {
    super(message)
    this.exit = exit
    this.details = details
    this.portalCode = portalCode
    this.members = members
  }
}

/** Something is refused, by the portal or by rules. */
export function refused(message: string, details: readonly string[] = []): CommandError {
  return new CommandError(1, message, { details })
}

/** The command could not be tried. */
export function untried(message: string, details: readonly string[] = []): CommandError {
  return new CommandError(2, message, { details })
}

/** Code of a system error, such as ENOENT; undefined for any other value. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
