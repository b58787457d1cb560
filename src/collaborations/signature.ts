import type { PortalKey } from '../directory/portal.ts'
import type { FileKind, SignedDocument, UnverifiedFile } from './signed-file.ts'

/** Signing and verification of files (port). */
export interface DocumentSigner {
  /** Signs the JSON of a document with the portal's private key, which is unsealed only for this signature. */
  sign(document: object, kind: FileKind, key: PortalKey): Promise<SignedDocument>
  /** Verifies form and signature of a file; a problem is one sentence. */
  verify(text: string, kind: FileKind): Promise<VerifiedFile | { readonly problem: string }>
  /** SHA-256 of a file's text, in lower-case hex. */
  digest(text: string): string
  /** Fingerprint of a key, for people to compare: its JWK thumbprint (RFC 7638, SHA-256). */
  fingerprint(publicKey: object): Promise<string>
}

/** A file whose signature matches the key in it. Whose key it is, people find out by comparing fingerprints. */
export interface VerifiedFile extends Pick<UnverifiedFile, 'document'> {
  /** JWK text. */
  readonly publicKey: string
  readonly fingerprint: string
  /** SHA-256 of the file's text, in lower-case hex. */
  readonly digest: string
}
