import type { PortalKey } from '../directory/portal.ts'
import type { SignedDocument } from './invitation.ts'

/** `typ` of what portals sign for each other; a document of one type never passes for another. */
export type DocumentType = 'cartulary-invitation+jws' | 'cartulary-invitation-response+jws'

/** What collaborations ask of signatures. The private key is unsealed for one signature at a time. */
export interface DocumentSigner {
  /** Signs the JSON of a document with the portal's own key. */
  sign(document: object, type: DocumentType, key: PortalKey): Promise<SignedDocument>
}
