import { hasDuplicateMember, isObject } from '../json-text.ts'

/**
 * The files that portals exchange: a document in the clear, the signer's public key, and a compact JWS over the very
 * JSON text of the document. docs/protocol.md describes them for other implementations.
 */

/** The largest file that is read, in bytes. */
export const longestFile = 64 * 1024

/** A compact JWS, and the public key (JWK) that it carries. */
export interface SignedDocument {
  readonly jws: string
  readonly publicKey: object
}

/** The names that tell one kind of file from another. */
export interface FileKind {
  /** Member of the document. */
  readonly document: string
  /** Member of the signer's public key. */
  readonly publicKey: string
  /** `typ` of the signature: a document of one kind never passes for another. */
  readonly type: string
}

export const invitationFile: FileKind = {
  document: 'invitationRequest',
  publicKey: 'hostPublicKey',
  type: 'cartulary-invitation+jws',
}
export const responseFile: FileKind = {
  document: 'invitationResponse',
  publicKey: 'guestPublicKey',
  type: 'cartulary-invitation-response+jws',
}

/** The text of a file, which is kept and handed out byte for byte. */
export function formatSignedFile(kind: FileKind, document: object, { jws, publicKey }: SignedDocument): string {
  return JSON.stringify({ [kind.document]: document, [kind.publicKey]: publicKey, signature: jws })
}

/** A file whose form is right; its signature is still to be checked. */
export interface UnverifiedFile {
  readonly document: Readonly<Record<string, unknown>>
  readonly signed: SignedDocument
}

/** The file, or one sentence that says why it is none. Anything but the very form in which it is written is refused. */
export function readSignedFile(kind: FileKind, text: string): UnverifiedFile | { readonly problem: string } {
  const bytes = Buffer.byteLength(text)
  if (bytes > longestFile) return { problem: `The file has ${bytes} bytes; at most ${longestFile} are allowed.` }
  let file: unknown
  try {
    file = JSON.parse(text)
  } catch {
    return { problem: 'The file is not JSON.' }
  }
  if (!isObject(file)) return { problem: 'The file is not a JSON object.' }
  const { [kind.document]: document, [kind.publicKey]: publicKey, signature: jws } = file
  if (!isObject(document)) return { problem: `The file has no ${kind.document}.` }
  if (!isObject(publicKey)) return { problem: `The file has no ${kind.publicKey}.` }
  if (typeof jws !== 'string') return { problem: 'The file has no signature.' }
  const signed = { jws, publicKey }
  return isAsWritten(kind, document, signed, text)
    ? { document, signed }
    : { problem: 'The file is not in the form in which it was written.' }
}

function isAsWritten(kind: FileKind, document: object, signed: SignedDocument, text: string): boolean {
  try {
    return formatSignedFile(kind, document, signed) === text && !hasDuplicateMember(text)
  } catch {
    // Nested more deeply than JSON is written, though not than it is read.
    return false
  }
}
