/** A mistake as it could be made, in one place of the source. */
export interface Fault {
  /** Effect of the fault, as a user would notice it. */
  readonly name: string
  readonly file: `src/${string}`
  /** Text that occurs once in the file. */
  readonly find: string
  readonly replace: string
  /** Files of tests that could notice it. */
  readonly tests: readonly `test/${string}.test.ts`[]
}
