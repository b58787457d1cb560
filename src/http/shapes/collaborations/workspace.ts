import { accessModes } from '../../../collaborations/collaboration.ts'
import type { WorkspaceView } from '../../../collaborations/workspace-operations.ts'
import { choice, component, emptyObject, id, list, object, shortId, text, time, type ValueOf } from '../shape.ts'

const participant = {
  portalId: shortId('The organization that participates.'),
  accessMode: choice(accessModes, 'What the participant does in the workspace.'),
}

export const workspaceShape = component(
  'Workspace',
  'A workspace of a collaboration; each participant links a group of its own to it.',
  object({
    id: id(),
    name: text(),
    description: text(),
    collaborationId: id(),
    config: emptyObject(),
    created: time('When the workspace was created.'),
    modified: time('When the workspace was last changed.'),
    participantGroupLinks: list(
      object({ ...participant, portalGroupId: id('The linked group, in that organization.') }),
      'Participants that have linked a group.',
    ),
    participantsWithoutGroupLinks: list(object(participant), 'Participants that have not linked a group.'),
  }),
)
export type WireWorkspace = ValueOf<typeof workspaceShape>

export function workspaceToWire({ workspace, links }: WorkspaceView): WireWorkspace {
  return {
    id: workspace.workspaceId,
    name: workspace.name,
    description: workspace.description,
    collaborationId: workspace.collaborationId,
    config: {},
    created: workspace.createdAt,
    modified: workspace.modifiedAt,
    participantGroupLinks: links.flatMap(({ portalId, groupId, accessMode }) =>
      groupId === undefined ? [] : [{ portalId, portalGroupId: groupId, accessMode }],
    ),
    participantsWithoutGroupLinks: links
      .filter(({ groupId }) => groupId === undefined)
      .map(({ portalId, accessMode }) => ({ portalId, accessMode })),
  }
}
