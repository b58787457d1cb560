import type { PortalKey } from '../directory/portal.ts'
import type { FileKind, SignedDocument, UnverifiedFile } from './signed-file.ts'

/** What collaborations ask of signatures. */
export interface DocumentSigner {
  /** Signs the JSON of a document with the portal's own key, which is unsealed for this one signature. */
  sign(document: object, kind: FileKind, key: PortalKey): Promise<SignedDocument>
  /** Checks a file of one kind from its text to its signature; a problem is one sentence that says why not. */
  verify(text: string, kind: FileKind): Promise<VerifiedFile | { readonly problem: string }>
  /** SHA-256 of a file's text, in lower-case hex. */
  digest(text: string): string
  /** By which people compare a key: its JWK thumbprint (RFC 7638, SHA-256). */
  fingerprint(publicKey: object): Promise<string>
}

/** A file that was signed by the key that it carries, and by nobody else. Whose key that is, people compare. */
export interface VerifiedFile extends Pick<UnverifiedFile, 'document'> {
  /** JWK text. */
  readonly publicKey: string
  readonly fingerprint: string
  /** SHA-256 of the file's text, in lower-case hex. */
  readonly digest: string
}
