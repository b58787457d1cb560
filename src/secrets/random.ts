import { hash, randomBytes, randomInt } from 'node:crypto'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Ids and secrets that nobody can guess, and the hash by which a token is remembered. */
export const random = {
  id: () => randomBytes(16).toString('hex'),
  shortId: () => Array.from({ length: 16 }, () => letters[randomInt(letters.length)]).join(''),
  token: () => randomBytes(32).toString('base64url'),
  hashToken: (token: string) => hash('sha256', token),
}
