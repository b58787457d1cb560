import { createDecipheriv, createHmac, createSecretKey, hash, hkdfSync } from 'node:crypto'
import { CompactEncrypt, type CompactJWEHeaderParameters, compactDecrypt, decodeProtectedHeader } from 'jose'

/** Keeps small secrets unreadable in the database: encrypted under a key that is never in it. */
export interface Seal {
  /** Encrypts under the present key. */
  seal(secret: string): Promise<string>
  /** Decrypts what was sealed under the present key or the previous one; anything else throws SealBroken. */
  open(sealed: string): Promise<string>
  /** Whether it is sealed under the present key, in the present form. */
  isCurrent(sealed: string): boolean
  /** Equal for equal texts, under the present key: without the key, it says nothing about the text. */
  digest(text: string): string
}

/** The sealed text was made under another key, or was altered. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken'
}

/** The form of a sealed text: a compact JWE (RFC 7516) with this header, and the id of its key as `kid`. */
const form = { alg: 'dir', enc: 'A256GCM', typ: 'cartulary-sealed-v1+jwe' } as const
const algorithms = { keyManagementAlgorithms: [form.alg], contentEncryptionAlgorithms: [form.enc] }

/** Seals under the key of one secret, and opens under that of the previous one too. */
export function openSeal(presentSecret: string, previousSecret?: string): Seal {
  const present = deriveKey(presentSecret)
  const keys = previousSecret === undefined ? [present] : [present, deriveKey(previousSecret)]
  // A key object: bytes would be made one for each digest, which takes six times as long as the digest.
  const digestKey = createSecretKey(new Uint8Array(hkdfSync('sha256', present.bytes, '', 'cartulary digest', 32)))
  return {
    seal: (secret) =>
      new CompactEncrypt(new TextEncoder().encode(secret))
        .setProtectedHeader({ ...form, kid: present.id })
        .encrypt(present.bytes),
    async open(sealed) {
      const opened = sealed.includes('.') ? await decrypt(sealed, keys) : decryptEarlierForm(sealed, keys)
      if (opened !== undefined) return opened
      throw new SealBroken('A sealed key does not open: the secret is not the one that it was sealed with.')
    },
    isCurrent(sealed) {
      const { kid, typ } = readHeader(sealed)
      return kid === present.id && typ === form.typ
    },
    digest: (text) => createHmac('sha256', digestKey).update(text).digest('base64url'),
  }
}

interface Key {
  /** 16 hex characters by which a sealed text names its key. */
  readonly id: string
  readonly bytes: Uint8Array
}

/**
 * The key is the SHA-256 of the setting's text, which has to be long and random. Its id is derived from the key by HKDF
 * (RFC 5869), so it says nothing about the key. A guess at the secret can be checked against the id, but an attacker
 * gains nothing by that: the tag of the sealed text beside it answers the same question at the same price.
 */
function deriveKey(secret: string): Key {
  const bytes = hash('sha256', secret, 'buffer')
  return { id: Buffer.from(hkdfSync('sha256', bytes, '', 'cartulary key id', 8)).toString('hex'), bytes }
}

async function decrypt(sealed: string, keys: readonly Key[]): Promise<string | undefined> {
  const { kid, typ } = readHeader(sealed)
  const key = keys.find(({ id }) => id === kid)
  if (!key || typ !== form.typ) return undefined
  try {
    const { plaintext } = await compactDecrypt(sealed, key.bytes, algorithms)
    return new TextDecoder().decode(plaintext)
  } catch {
    return undefined
  }
}

function readHeader(sealed: string): Pick<CompactJWEHeaderParameters, 'kid' | 'typ'> {
  try {
    return decodeProtectedHeader(sealed)
  } catch {
    return {}
  }
}

const nonceBytes = 12
const tagBytes = 16

/** The form before there were key ids: base64url of a nonce, a tag, and the text encrypted by AES-256-GCM. */
function decryptEarlierForm(sealed: string, keys: readonly Key[]): string | undefined {
  const all = Buffer.from(sealed, 'base64url')
  for (const { bytes } of keys) {
    try {
      const decipher = createDecipheriv('aes-256-gcm', bytes, all.subarray(0, nonceBytes), { authTagLength: tagBytes })
      decipher.setAuthTag(all.subarray(nonceBytes, nonceBytes + tagBytes))
      return decipher.update(all.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8')
    } catch {
      // Sealed under another key, or altered.
    }
  }
  return undefined
}
