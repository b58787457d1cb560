import { hash, randomBytes, randomFillSync, randomInt } from 'node:crypto'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

const idBytes = 16
/** Random bytes of the next ids: each request has one, and asking for 16 bytes takes as long as asking for thousands. */
const pool = Buffer.allocUnsafe(256 * idBytes)
let used = pool.length

function id(): string {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += idBytes
  return pool.toString('hex', used - idBytes, used)
}

/**
 * Ids and secrets that cannot be guessed, and the hash by which a token is remembered.
 *
 * An id is 128 random bits in hexadecimal, enough for ids to be distinct; no id is a secret. Secrets are tokens, of 256 bits.
 */
export const random = {
  id,
  shortId: () => Array.from({ length: 16 }, () => letters[randomInt(letters.length)]).join(''),
  token: () => randomBytes(32).toString('base64url'),
  hashToken: (token: string) => hash('sha256', token),
}
