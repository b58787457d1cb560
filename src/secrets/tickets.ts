import { hkdfSync } from 'node:crypto'
import { CompactEncrypt, compactDecrypt } from 'jose'
import type { TicketPurpose, TicketSeal } from '../oauth/sign-in/authorization.ts'

/** A compact JWE (RFC 7516); each purpose has a key of its own. */
const form = { alg: 'dir', enc: 'A256GCM', typ: 'cartulary-ticket-v1+jwe' } as const
const algorithms = { keyManagementAlgorithms: [form.alg], contentEncryptionAlgorithms: [form.enc] }

/** Characters: what is longer is not opened. */
const maxTicketLength = 32_768

/** Seals under the present secret; what was sealed under the previous one still opens, so that a renewal ends no sign-in. */
export function openTicketSeal(presentSecret: string, previousSecret?: string): TicketSeal {
  const secrets = previousSecret === undefined ? [presentSecret] : [presentSecret, previousSecret]
  return {
    seal: (purpose, value) =>
      new CompactEncrypt(new TextEncoder().encode(JSON.stringify(value)))
        .setProtectedHeader(form)
        .encrypt(keyOf(presentSecret, purpose)),
    async open(purpose, text) {
      if (text.length > maxTicketLength) return undefined
      for (const secret of secrets) {
        const opened = await decrypt(text, keyOf(secret, purpose))
        if (opened !== undefined) return JSON.parse(opened)
      }
      return undefined
    },
  }
}

function keyOf(secret: string, purpose: TicketPurpose): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', `cartulary ticket ${purpose}`, 32))
}

async function decrypt(text: string, key: Uint8Array): Promise<string | undefined> {
  try {
    const { plaintext, protectedHeader } = await compactDecrypt(text, key, algorithms)
    return protectedHeader.typ === form.typ ? new TextDecoder().decode(plaintext) : undefined
  } catch {
    return undefined
  }
}
