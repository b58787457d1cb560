import { createCipheriv, hash, randomBytes } from 'node:crypto'

/** Seals as versions did before sealed texts had a header. */
export function sealInEarlierForm(secret: string, text: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', hash('sha256', secret, 'buffer'), nonce)
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url')
}
