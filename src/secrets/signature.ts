import { CompactSign, exportJWK, generateKeyPair, importJWK } from 'jose'
import type { DocumentSigner } from '../collaborations/signature.ts'
import type { PortalKey } from '../directory/portal.ts'
import type { Seal } from './sealed.ts'

const algorithm = 'Ed25519'

/** A new Ed25519 key pair for a portal; the private half leaves here only sealed. */
export async function createPortalKey(seal: Seal): Promise<PortalKey> {
  const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true })
  return {
    publicKey: JSON.stringify(await exportJWK(publicKey)),
    sealedPrivateKey: seal.seal(JSON.stringify(await exportJWK(privateKey))),
  }
}

/** Compact JWS by Ed25519 (RFC 9864), with the public key inside. */
export function openSigner(seal: Seal): DocumentSigner {
  return {
    async sign(document, type, key) {
      const privateKey = await importJWK(JSON.parse(seal.open(key.sealedPrivateKey)), algorithm)
      const publicKey = JSON.parse(key.publicKey)
      const jws = await new CompactSign(new TextEncoder().encode(JSON.stringify(document)))
        .setProtectedHeader({ alg: algorithm, typ: type, jwk: publicKey })
        .sign(privateKey)
      return { jws, publicKey }
    },
  }
}
