import { hash, randomBytes, randomInt, randomUUID } from 'node:crypto'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/**
 * Ids and secrets that cannot be guessed, and the hash by which a token is remembered.
 *
 * An id is a UUID of version 4 without its dashes: 6 of its 128 bits are fixed. The 122 others are random, which is
 * enough for ids to be distinct, all that they have to be: no id is a secret. Secrets are tokens, of 256 bits.
 */
export const random = {
  id: () => randomUUID().replaceAll('-', ''),
  shortId: () => Array.from({ length: 16 }, () => letters[randomInt(letters.length)]).join(''),
  token: () => randomBytes(32).toString('base64url'),
  hashToken: (token: string) => hash('sha256', token),
}
