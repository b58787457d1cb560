/** Password hashing. Slow on purpose: never call it inside a transaction. */
export interface PasswordHash {
  /** Hash of a new password, with its salt and costs. */
  hash(password: string): Promise<string>
  /** Whether the password matches the hash. Without a hash it does the same work and resolves with false. */
  verify(password: string, hash: string | undefined): Promise<boolean>
}

/** The queue of passwords to be hashed is full. */
export class PasswordsBusy extends Error {
  override readonly name = 'PasswordsBusy'
}
