/** What a room asks of password hashing. The work is slow on purpose: never inside a transaction. */
export interface PasswordHash {
  /** Hash of a new password, with its salt and costs. */
  hash(password: string): Promise<string>
  /** Whether the password belongs to the hash. Without a hash it does the same work and answers false. */
  verify(password: string, hash: string | undefined): Promise<boolean>
}

/** More passwords are to be hashed than the processor can do in time. */
export class PasswordsBusy extends Error {
  override readonly name = 'PasswordsBusy'
}
