import type { AccessMode } from '../../../src/collaborations/collaboration.ts'
import type { WireWorkspace } from '../../../src/http/shapes/collaborations/workspace.ts'

/** What an organization does in a workspace; undefined if it takes no part in it. */
export function accessOf(workspace: WireWorkspace, portalId: string): AccessMode | undefined {
  const parts = [...workspace.participantGroupLinks, ...workspace.participantsWithoutGroupLinks]
  return parts.find((part) => part.portalId === portalId)?.accessMode
}

/** What was chosen for a participant by workspace, without what stays; empty text is no part, which can only stay. */
export function changedAccess(
  workspaces: readonly WireWorkspace[],
  portalId: string,
  chosen: Readonly<Record<string, string>>,
): readonly Readonly<Record<string, string>>[] {
  return workspaces.flatMap((workspace) => {
    const mode = chosen[workspace.id]
    return mode && mode !== accessOf(workspace, portalId) ? [{ [workspace.id]: mode }] : []
  })
}
