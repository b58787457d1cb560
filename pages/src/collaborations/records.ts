import { formatResponseName } from '../../../src/collaborations/response.ts'
import type { WireCollaboration } from '../../../src/http/shapes/collaborations/collaboration.ts'
import type { WireInvitation } from '../../../src/http/shapes/collaborations/invitation.ts'
import type { WireParticipant } from '../../../src/http/shapes/collaborations/participant.ts'
import type { WireWorkspace } from '../../../src/http/shapes/collaborations/workspace.ts'
import { type Entries, listPages } from '../session/list-pages.ts'
import { call } from '../session/session.ts'

export const collaborationsPath = '/portals/self/collaborations'

export function collaborationPath(collaborationId: string): string {
  return `${collaborationsPath}/${encodeURIComponent(collaborationId)}`
}

export function invitationPath(collaborationId: string, invitationId: string): string {
  return `${collaborationPath(collaborationId)}/invitations/${encodeURIComponent(invitationId)}`
}

/** A collaboration with all its parts; a guest sees no invitations. */
export interface WholeCollaboration {
  readonly collaboration: WireCollaboration
  readonly workspaces: Entries<WireWorkspace>
  readonly participants: Entries<WireParticipant>
  readonly invitations: Entries<WireInvitation>
}

export async function readWhole(
  collaborationId: string,
  portalId: string,
  pages: number,
  signal: AbortSignal,
): Promise<WholeCollaboration> {
  const path = collaborationPath(collaborationId)
  const [collaboration, workspaces, participants] = await Promise.all([
    call<WireCollaboration>(path, {}, { signal }),
    listPages<WireWorkspace>(`${path}/workspaces`, 'workspaces', signal, pages),
    listPages<WireParticipant>(`${path}/participants`, 'participants', signal, pages),
  ])
  const isHost = collaboration.collaborationHostPortalId === portalId
  const invitations = isHost
    ? await listPages<WireInvitation>(`${path}/invitations`, 'collaborationInvitations', signal, pages)
    : { entries: [], total: 0 }
  return { collaboration, workspaces, participants, invitations }
}

/** File name that the server gives to the response of a guest, from the guest's public root. */
export function nameResponse(guestPortalUrl: string | undefined): string {
  return guestPortalUrl && URL.canParse(guestPortalUrl) ? formatResponseName(guestPortalUrl) : 'collaboration.response'
}
