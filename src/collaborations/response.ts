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
 * What a guest answers: the member `invitationResponse` of its file, and what is signed. `id` is the invitation's,
 * `invitationDigest` the SHA-256 of the very file that the host issued, in lower-case hex.
 */
export type InvitationResponse = Shaped<typeof responseShape>

/** `collaboration-maps.example.com.response`, named after the guest (chosen, after the invitation's documented name). */
export function formatResponseName(guestPortalUrl: string): string {
  return `collaboration-${new URL(guestPortalUrl).hostname}.response`
}

/** The response in a verified file, or why it is none. */
export function readResponse(file: VerifiedFile): InvitationResponse | { readonly problem: string } {
  if (hasShape(file.document, responseShape)) return file.document
  return { problem: 'The members of the document are not those of an invitation response.' }
}

/** What a response is held against. */
export interface Expected {
  readonly hostPortalId: string
  readonly collaborationId: string
  /** The invitation that the response names; undefined where the collaboration has none of this id. */
  readonly invitation: Invitation | undefined
  /** Whether the guest takes part already, by an earlier invitation. */
  readonly isParticipant: boolean
  readonly now: number
}

/** The invitation as importing the response leaves it, or why the host does not import it. */
export type ImportVerdict =
  | { readonly imported: Invitation; readonly invitation: Invitation }
  | { readonly problem: string }

/** The host's judgement on a response (contract §4). */
export function judgeResponse(response: InvitationResponse, expected: Expected): ImportVerdict {
  const { invitation } = expected
  if (response.hostPortalId !== expected.hostPortalId) return { problem: 'The response is for another portal.' }
  if (response.collaborationId !== expected.collaborationId)
    return { problem: 'The response is for another collaboration.' }
  if (!invitation) return { problem: 'The response is for an invitation that does not exist.' }
  const transition = findTransition(invitation, 'import', expected.now)
  if ('refused' in transition) return { problem: transition.refused }
  if (response.invitationDigest !== invitation.digest) {
    return { problem: 'The response is for another file than the one that the invitation has now.' }
  }
  if (response.guestPortalUrl !== invitation.guestPortalUrl)
    return { problem: 'The response is from another portal than the invited one.' }
  if (response.guestPortalId === expected.hostPortalId) return { problem: 'The response is from the host itself.' }
  if (expected.isParticipant) return { problem: 'The guest takes part in the collaboration already.' }
  const { guestPortalId } = response
  const imported = { ...invitation, state: transition.to, guestPortalId, modifiedAt: expected.now }
  return { invitation, imported }
}
