import type { Parsed } from '../call/parsed.ts'
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

/** The only one of these texts, by their names, verified from its form to its signature. The operation checks who it is for. */
export async function verifyOnly(
  signer: Pick<DocumentSigner, 'verify'>,
  given: Parsed<readonly (readonly [name: string, text: unknown])[]>,
  kind: FileKind,
): Promise<Parsed<VerifiedFile>> {
  if ('problems' in given) return given
  const [text, ...others] = given.value.map(([, found]) => found).filter((found) => typeof found === 'string' && found)
  if (typeof text !== 'string' || others.length > 0) {
    return { problems: [`Give either ${given.value.map(([name]) => name).join(' or ')}.`] }
  }
  const file = await signer.verify(text, kind)
  return 'problem' in file ? { problems: [file.problem] } : { value: file }
}
