import { hash, randomBytes, randomFillSync, randomInt } from 'node:crypto'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

const idBytes = 16

/** Random bytes in stock for ids: every request has one, and the generator costs far more by the call than by the byte. */
const stock = Buffer.allocUnsafeSlow(256 * idBytes)
let taken = stock.length

/** Bytes that are handed out once; they have to be used before more are taken. */
function takeBytes(count: number): Buffer {
  if (taken + count > stock.length) {
    randomFillSync(stock)
    taken = 0
  }
  taken += count
  return stock.subarray(taken - count, taken)
}

/** Ids and secrets that nobody can guess, and the hash by which a token is remembered. */
export const random = {
  id: () => takeBytes(idBytes).toString('hex'),
  shortId: () => Array.from({ length: 16 }, () => letters[randomInt(letters.length)]).join(''),
  token: () => randomBytes(32).toString('base64url'),
  hashToken: (token: string) => hash('sha256', token),
}
