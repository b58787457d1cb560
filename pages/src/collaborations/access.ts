import type { AccessMode } from '../../../src/collaborations/collaboration.ts'
import type { WireWorkspace } from '../../../src/http/shapes/collaborations/workspace.ts'

/** Access mode of an organization in a workspace; undefined if it does not participate. */
export function accessOf(workspace: WireWorkspace, portalId: string): AccessMode | undefined {
  const parts = [...workspace.participantGroupLinks, ...workspace.participantsWithoutGroupLinks]
  return parts.find((part) => part.portalId === portalId)?.accessMode
}

/** Changed access modes of a participant, by workspace. Empty text means no participation, which cannot be changed here. */
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
