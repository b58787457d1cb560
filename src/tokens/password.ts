/** Password hashing. Slow on purpose: never call it inside a transaction. Clients take turns, by the key of `addressKey`. */
export interface PasswordHash {
  /** Hash of a new password, with its salt and costs. Waits for its turn however long that takes. */
  hash(password: string, turnOf: string): Promise<string>
  /**
   * Whether the password matches the hash. Without a hash it does the same work and resolves with false. Rejects with
   * PasswordsBusy if its turn is too far away.
   */
  verify(password: string, hash: string | undefined, turnOf: string): Promise<boolean>
}

/** Too many clients wait for passwords to be hashed. */
export class PasswordsBusy extends Error {
  override readonly name = 'PasswordsBusy'
}
