import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

/** Keeps small secrets unreadable in the database: AES-256-GCM under a key that is never in it. */
export interface Seal {
  seal(secret: string): string
  open(sealed: string): string
}

/** The sealed text came from another key, or was altered. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken'
}

const nonceBytes = 12
const tagBytes = 16

/** The key is the SHA-256 of the setting's text, which has to be long and random. */
export function openSeal(secret: string): Seal {
  const key = createHash('sha256').update(secret).digest()
  return {
    seal(text) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
    },
    open(text) {
      const bytes = Buffer.from(text, 'base64url')
      try {
        const nonce = bytes.subarray(0, nonceBytes)
        const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
        decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
        return decipher.update(bytes.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8')
      } catch (error) {
        throw new SealBroken('A sealed key does not open: the secret is not the one it was sealed with.', {
          cause: error,
        })
      }
    },
  }
}
