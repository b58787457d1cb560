import { say } from '../sentences/say.ts'
import { findTransition, type Invitation } from './invitation.ts'
import { hasShape, type Shaped } from './shape.ts'
import type { VerifiedFile } from './signature.ts'

export const responseShape = {
  id: 'id',
  collaborationId: 'id',
  hostPortalId: 'portalId',
  guestPortalId: 'portalId',
  guestPortalName: 'text',
  guestPortalUrl: 'text',
  guestContactFirstname: 'text',
  guestContactLastname: 'text',
  guestContactEmailAddress: 'text',
  invitationDigest: 'text',
  created: 'time',
} as const

/**
 * The member `invitationResponse` of the guest's file, which the guest signs. `id` is the id of the invitation,
 * `invitationDigest` the SHA-256 of the file that the host issued, in lower-case hex.
 */
export type InvitationResponse = Shaped<typeof responseShape>

/** `collaboration-maps.example.com.response`, named after the guest (chosen, after the invitation's documented name). */
export function formatResponseName(guestPortalUrl: string): string {
  return `collaboration-${new URL(guestPortalUrl).hostname}.response`
}

/** The response of a verified file, or why the document is not a response. */
export function readResponse(file: VerifiedFile): InvitationResponse | { readonly problem: string } {
  if (hasShape(file.document, responseShape)) return file.document
  return { problem: say('notResponseMembers') }
}

/** The host's state that a response is checked against. */
export interface Expected {
  readonly hostPortalId: string
  readonly collaborationId: string
  /** The invitation with the response's id; undefined if the collaboration has none. */
  readonly invitation: Invitation | undefined
  /** Whether the guest is already a participant, by an earlier invitation. */
  readonly isParticipant: boolean
  readonly now: number
}

/** The invitation before and after the import, or why the response is refused. */
export type ImportVerdict =
  | { readonly imported: Invitation; readonly invitation: Invitation }
  | { readonly problem: string }

/** Checks a response on the host's side (contract §4). */
export function judgeResponse(response: InvitationResponse, expected: Expected): ImportVerdict {
  const { invitation } = expected
  if (response.hostPortalId !== expected.hostPortalId) return { problem: say('responseOfAnother') }
  if (response.collaborationId !== expected.collaborationId) return { problem: say('responseOfOther') }
  if (!invitation) return { problem: say('responseOfNone') }
  const transition = findTransition(invitation, 'import', expected.now)
  if ('refused' in transition) return { problem: transition.refused }
  if (response.invitationDigest !== invitation.digest) {
    return { problem: say('responseOfEarlier') }
  }
  if (response.guestPortalUrl !== invitation.guestPortalUrl) {
    const problem = say('responseFrom', { from: response.guestPortalUrl, guest: invitation.guestPortalUrl })
    return { problem }
  }
  if (response.guestPortalId === expected.hostPortalId) return { problem: say('responseOfHost') }
  if (expected.isParticipant) return { problem: say('guestTakesPart') }
  const { guestPortalId } = response
  const imported = { ...invitation, state: transition.to, guestPortalId, modifiedAt: expected.now }
  return { invitation, imported }
}
