import { hasDuplicateMember, isObject } from '../json-text.ts'
import { say } from '../sentences/say.ts'

/**
 * The files that portals exchange: a document in the clear, the signer's public key, and a compact JWS over the JSON text
 * of the document. docs/protocol.md specifies them.
 */

/** The largest file that is read, in bytes. */
export const maxFileLength = 64 * 1024

/** A compact JWS, and the public key (JWK) that it carries. */
export interface SignedDocument {
  readonly jws: string
  readonly publicKey: object
}

/** Names that distinguish the kinds of files. */
export interface FileKind {
  /** Member of the document. */
  readonly document: string
  /** Member of the signer's public key. */
  readonly publicKey: string
  /** `typ` of the signature, so that a document of one kind is never accepted as another. */
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

/** The text of a file, which is stored and sent unchanged. */
export function formatSignedFile(kind: FileKind, document: object, { jws, publicKey }: SignedDocument): string {
  return JSON.stringify({ [kind.document]: document, [kind.publicKey]: publicKey, signature: jws })
}

/** A file in the right form; its signature is not verified yet. */
export interface UnverifiedFile {
  readonly document: Readonly<Record<string, unknown>>
  readonly signed: SignedDocument
}

/** Parses a file, or says in one sentence why it is refused. Only the exact form that `formatSignedFile` writes is accepted. */
export function readSignedFile(kind: FileKind, text: string): UnverifiedFile | { readonly problem: string } {
  const bytes = Buffer.byteLength(text)
  if (bytes > maxFileLength) return { problem: say('fileTooLong', { bytes, max: maxFileLength }) }
  let file: unknown
  try {
    // Text around it is found below, with what to do about it.
    file = JSON.parse(text.trim())
  } catch {
    return { problem: say('fileNotJson') }
  }
  if (!isObject(file)) return { problem: say('fileNoObject') }
  const { [kind.document]: document, [kind.publicKey]: publicKey, signature: jws } = file
  if (!isObject(document)) return { problem: `The file has no ${kind.document}.` }
  if (!isObject(publicKey)) return { problem: `The file has no ${kind.publicKey}.` }
  if (typeof jws !== 'string') return { problem: say('fileNoSignature') }
  const signed = { jws, publicKey }
  if (isAsWritten(kind, document, signed, text)) return { document, signed }
  const isPadded = isAsWritten(kind, document, signed, text.trim())
  return { problem: say('fileRewritten', { cause: isPadded ? padding : change }) }
}

const padding =
  'There is a line end, a space or a byte order mark before or behind it, as mail programs and editors add them.'
const change = 'It was changed on its way, perhaps by a mail program or an editor.'

function isAsWritten(kind: FileKind, document: object, signed: SignedDocument, text: string): boolean {
  try {
    return formatSignedFile(kind, document, signed) === text && !hasDuplicateMember(text)
  } catch {
    // Nested too deeply for JSON.stringify, though not for JSON.parse.
    return false
  }
}
