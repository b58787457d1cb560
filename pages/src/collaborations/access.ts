import type { AccessMode } from '../../../src/collaborations/collaboration.ts'
import type { WireWorkspace } from '../../../src/http/shapes/collaborations/workspace.ts'

/** What an organization does in a workspace; undefined if it takes no part in it. */
export function accessOf(workspace: WireWorkspace, portalId: string): AccessMode | undefined {
  const parts = [...workspace.participantGroupLinks, ...workspace.participantsWithoutGroupLinks]
  return parts.find((part) => part.portalId === portalId)?.accessMode
}
