import type {
  WireInvitationFile,
  WireInvitationResponseFile,
} from '../../../../src/http/shapes/collaborations/handshake.ts'

/** Maximum size of a file that the server reads, in bytes (documented in docs/protocol.md). */
export const maxFileLength = 64 * 1024

/** Kind of a partner's file, by its own claim; only the server verifies it. */
export type PartnerFile =
  | { readonly kind: 'invitation'; readonly claims: Claims }
  | { readonly kind: 'response'; readonly claims: Claims }
  | { readonly kind: 'none'; readonly problem: 'tooLong' | 'notJson' | 'neither' }

export interface Claims {
  readonly invitationId: string
  readonly collaborationId: string
}

/** Parses the text of a file: an invitation, for a guest, or a response, for the host. */
export function readPartnerFile(text: string): PartnerFile {
  if (new TextEncoder().encode(text).length > maxFileLength) return { kind: 'none', problem: 'tooLong' }
  let file: Partial<WireInvitationFile & WireInvitationResponseFile> | null
  try {
    file = JSON.parse(text)
  } catch {
    return { kind: 'none', problem: 'notJson' }
  }
  for (const [kind, document] of [
    ['invitation', file?.invitationRequest],
    ['response', file?.invitationResponse],
  ] as const) {
    if (isId(document?.id) && isId(document?.collaborationId)) {
      return { kind, claims: { invitationId: document.id, collaborationId: document.collaborationId } }
    }
  }
  return { kind: 'none', problem: 'neither' }
}

/** Checks ids, as they become parts of addresses. */
function isId(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{32}$/.test(value)
}
