import type { WireCollaboration } from '../../../src/http/shapes/collaborations/collaboration.ts'
import type { WireInvitation } from '../../../src/http/shapes/collaborations/invitation.ts'
import type { WireParticipant } from '../../../src/http/shapes/collaborations/participant.ts'
import type { WireWorkspace } from '../../../src/http/shapes/collaborations/workspace.ts'
import { call } from '../session/session.ts'

export const collaborationsPath = '/portals/self/collaborations'

export function collaborationPath(collaborationId: string): string {
  return `${collaborationsPath}/${encodeURIComponent(collaborationId)}`
}

export function invitationPath(collaborationId: string, invitationId: string): string {
  return `${collaborationPath(collaborationId)}/invitations/${encodeURIComponent(invitationId)}`
}

/** Entries of a list from its start, and their total number. */
export interface Entries<Entry> {
  readonly entries: readonly Entry[]
  readonly total: number
}

/** Fetches this many pages of a list, of 100 entries each. */
export async function listPages<Entry>(
  path: string,
  member: string,
  pages: number,
  signal: AbortSignal,
): Promise<Entries<Entry>> {
  const entries: Entry[] = []
  for (let start = 1, page = 0; ; page++) {
    const answer = await call<Record<string, unknown>>(path, { start, num: 100 }, { signal })
    entries.push(...(answer[member] as Entry[]))
    const { nextStart, total } = answer as { readonly nextStart: number; readonly total: number }
    if (nextStart < 0 || page + 1 >= pages) return { entries, total }
    start = nextStart
  }
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
    listPages<WireWorkspace>(`${path}/workspaces`, 'workspaces', pages, signal),
    listPages<WireParticipant>(`${path}/participants`, 'participants', pages, signal),
  ])
  const isHost = collaboration.collaborationHostPortalId === portalId
  const invitations = isHost
    ? await listPages<WireInvitation>(`${path}/invitations`, 'collaborationInvitations', pages, signal)
    : { entries: [], total: 0 }
  return { collaboration, workspaces, participants, invitations }
}
