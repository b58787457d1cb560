import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import {
  base64url,
  CompactSign,
  calculateJwkThumbprint,
  compactVerify,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
} from 'jose'
import type { DocumentSigner } from '../collaborations/signature.ts'
import { type FileKind, readSignedFile, type SignedDocument } from '../collaborations/signed-file.ts'
import type { PortalKey } from '../directory/portal.ts'
import { hasDuplicateMember, isObject } from '../json-text.ts'
import { say } from '../sentences/say.ts'
import type { Seal } from './sealed.ts'

const algorithm = 'Ed25519'

/** A new Ed25519 key pair for a portal; the private half leaves here only sealed. */
export async function createPortalKey(seal: Seal): Promise<PortalKey> {
  const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true })
  return {
    publicKey: JSON.stringify(await exportJWK(publicKey)),
    sealedPrivateKey: await seal.seal(JSON.stringify(await exportJWK(privateKey))),
  }
}

/** Compact JWS by Ed25519 (RFC 9864), with the public key inside. */
export function openSigner(seal: Seal): DocumentSigner {
  const digest = (text: string) => hash('sha256', text)
  const fingerprint = (publicKey: object) => calculateJwkThumbprint(publicKey as JWK, 'sha256')
  return {
    digest,
    fingerprint,
    async sign(document, kind, key) {
      const privateKey = await importJWK(JSON.parse(await seal.open(key.sealedPrivateKey)), algorithm)
      const publicKey = JSON.parse(key.publicKey)
      const jws = await new CompactSign(new TextEncoder().encode(JSON.stringify(document)))
        .setProtectedHeader({ alg: algorithm, typ: kind.type, jwk: publicKey })
        .sign(privateKey)
      return { jws, publicKey }
    },
    async verify(text, kind) {
      const file = readSignedFile(kind, text)
      if ('problem' in file) return file
      const problem = findKeyProblem(file.signed.publicKey) ?? findHeaderProblem(file.signed, kind)
      if (problem) return { problem }
      const payload = await verifyPayload(file.signed)
      if (payload === undefined) return { problem: 'The signature does not match.' }
      if (!Buffer.from(JSON.stringify(file.document)).equals(payload)) {
        return { problem: say('signatureOfAnotherFile') }
      }
      const { publicKey } = file.signed
      return {
        document: file.document,
        publicKey: JSON.stringify(publicKey),
        fingerprint: await fingerprint(publicKey),
        digest: digest(text),
      }
    },
  }
}

const keyBytes = 32
const keyMembers = ['crv', 'x', 'kty']

/**
 * A public Ed25519 key and nothing more, in the one order in which it is written: a private member, or another spelling
 * of the same key, is refused.
 */
function findKeyProblem(key: object): string | undefined {
  const { kty, crv, x } = key as JWK
  const isPlain = Object.keys(key).join() === keyMembers.join()
  if (!isPlain || kty !== 'OKP' || crv !== algorithm) return 'The key in the file is not a public Ed25519 key.'
  return typeof x === 'string' && decodeStrictly(x)?.length === keyBytes
    ? undefined
    : 'The key in the file is malformed.'
}

/** The header is looked at before anything is verified: `none` and HMAC never get that far. */
function findHeaderProblem({ jws, publicKey }: SignedDocument, kind: FileKind): string | undefined {
  const parts = jws.split('.', 4)
  const decoded = parts.map(decodeStrictly)
  if (parts.length !== 3 || decoded.includes(undefined)) return 'The signature is not a compact JWS.'
  const header = parseHeader(decoded[0]!)
  if (!header) return 'The header of the signature is not JSON, or has a member twice.'
  if (header['alg'] !== algorithm) return `The algorithm of the signature is not ${algorithm}.`
  if (header['typ'] !== kind.type) return `The signature is not of the type ${kind.type}.`
  if (!isDeepStrictEqual(header['jwk'], publicKey)) return 'The key in the signature is not the key in the file.'
  return Object.keys(header).length === 3
    ? undefined
    : 'The header of the signature has other members than alg, typ and jwk.'
}

function parseHeader(bytes: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    const header: unknown = JSON.parse(text)
    return isObject(header) && !hasDuplicateMember(text) ? header : undefined
  } catch {
    return undefined
  }
}

/** Bytes of the payload; undefined where the signature does not match. */
async function verifyPayload({ jws, publicKey }: SignedDocument): Promise<Uint8Array | undefined> {
  try {
    const key = await importJWK(publicKey as JWK, algorithm)
    return (await compactVerify(jws, key, { algorithms: [algorithm] })).payload
  } catch {
    return undefined
  }
}

/** Bytes of base64url without padding; undefined for any other spelling of them, such as stray bits at the end. */
function decodeStrictly(text: string): Uint8Array | undefined {
  try {
    const bytes = base64url.decode(text)
    return base64url.encode(bytes) === text ? bytes : undefined
  } catch {
    return undefined
  }
}
