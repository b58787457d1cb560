/** Keys by which passwords that wait to be verified take turns. */
export interface PasswordTurn {
  /** Key of `addressKey`: clients take turns. */
  readonly address: string
  /** Whether the account knows the address: such sign-ins and all others take turns too, however many the others are. */
  readonly isKnownAddress: boolean
}

/** Password hashing. Slow on purpose: never call it inside a transaction. */
export interface PasswordHash {
  /** Hash of a new password, with its salt and costs, for a known caller. Waits for its turn however long that takes. */
  hash(password: string, address: string): Promise<string>
  /**
   * Whether the password matches the hash. Without a hash it does the same work and resolves with false. Rejects with
   * PasswordsBusy if its turn is too far away.
   */
  verify(password: string, hash: string | undefined, turn: PasswordTurn): Promise<boolean>
}

/** Too many clients wait for passwords to be hashed. */
export class PasswordsBusy extends Error {
  override readonly name = 'PasswordsBusy'
}
