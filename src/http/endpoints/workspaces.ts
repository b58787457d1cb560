import { accessModes, collaborationLimits } from '../../collaborations/collaboration.ts'
import type { WorkspaceView } from '../../collaborations/workspace-operations.ts'
import { mapParsed } from '../../parsed.ts'
import { listAnswer, success } from '../answer.ts'
import {
  exampleIds,
  generatedIds,
  secondWorkspaceAnswer,
  singlePage,
  workspaceAnswer,
  workspaceOf,
} from '../docs/examples.ts'
import { eitherAdministrators, hostAdministrators } from './collaboration-callers.ts'
import { type Endpoint, endpoint } from './endpoint.ts'
import { optionalChoice, optionalText, pageParameters, requiredText } from './parameter-types.ts'
import { changeOf } from './partial-update.ts'

const { portalId, collaborationId, workspaceId, groupId } = exampleIds

const name = { maxLength: collaborationLimits.name }
const description = optionalText('Description.', { maxLength: collaborationLimits.description })

function workspaceToWire({ workspace, links }: WorkspaceView): object {
  return {
    id: workspace.workspaceId,
    name: workspace.name,
    description: workspace.description,
    collaborationId: workspace.collaborationId,
    config: {},
    created: workspace.createdAt,
    modified: workspace.modifiedAt,
    participantGroupLinks: links
      .filter(({ groupId }) => groupId !== undefined)
      .map(({ portalId, groupId, accessMode }) => ({ portalId, portalGroupId: groupId, accessMode })),
    participantsWithoutGroupLinks: links
      .filter(({ groupId }) => groupId === undefined)
      .map(({ portalId, accessMode }) => ({ portalId, accessMode })),
  }
}

/** Workspaces of a collaboration, and the groups that are linked to them. */
export const workspaceRows: readonly Endpoint[] = [
  endpoint({
    id: 'addWorkspace',
    room: 'collaborations',
    title: 'Add workspace',
    task: 'add workspace',
    effect: 'change',
    path: '/portals/:portalId/collaborations/:collaborationId/addWorkspace',
    parameters: {
      collaborationWorkspaceName: requiredText('Name.', name),
      collaborationWorkspaceDescription: description,
      portalGroupId: optionalText("The host's group for the workspace.", { maxLength: 32 }),
      accessMode: optionalChoice('What the host does in it: sendAndReceive if not given.', accessModes),
    },
    token: 'required',
    who: hostAdministrators,
    summary: 'Adds a workspace, in which the host takes part at once.',
    source: 'documented',
    chosen: ['Guests take part in it by new access modes; a guest hears of it when it leaves and is invited again.'],
    example: {
      ids: { portalId, collaborationId },
      parameters: { collaborationWorkspaceName: 'Glaciers', accessMode: 'receive' },
      answer: {
        success: true,
        workspace: workspaceOf({ id: generatedIds.id, name: 'Glaciers', description: '', accessMode: 'receive' }),
      },
    },
    async answer({ ids, input, dependencies, run }) {
      const properties = mapParsed(input, (values) => ({
        name: values.collaborationWorkspaceName,
        description: values.collaborationWorkspaceDescription ?? '',
        accessMode: values.accessMode ?? 'sendAndReceive',
        portalGroupId: values.portalGroupId || undefined,
      }))
      const view = await run({ ...ids, workspaceId: dependencies.random.id(), properties })
      return { json: { success: true, workspace: workspaceToWire(view) } }
    },
  }),
  endpoint({
    id: 'listWorkspaces',
    room: 'collaborations',
    title: 'Workspaces',
    task: 'list workspaces',
    effect: 'none',
    path: '/portals/:portalId/collaborations/:collaborationId/workspaces',
    parameters: pageParameters,
    token: 'required',
    who: eitherAdministrators,
    summary: 'The workspaces of a collaboration, in the order in which they were made.',
    source: 'documented',
    links: (value, { portalId, collaborationId }) =>
      (
        (value as { collaborationWorkspaces?: readonly { id: string; name: string }[] }).collaborationWorkspaces ?? []
      ).map(({ id, name }) => ({
        text: name,
        path: `/portals/${portalId}/collaborations/${collaborationId}/workspaces/${id}`,
      })),
    example: {
      ids: { portalId, collaborationId },
      answer: singlePage('collaborationWorkspaces', [workspaceAnswer, secondWorkspaceAnswer]),
    },
    async answer({ ids, input, run }) {
      const found = await run({ ...ids, page: input })
      return listAnswer('collaborationWorkspaces', found, workspaceToWire)
    },
  }),
  endpoint({
    id: 'readWorkspace',
    room: 'collaborations',
    title: 'Workspace',
    task: 'read workspace',
    effect: 'none',
    path: '/portals/:portalId/collaborations/:collaborationId/workspaces/:workspaceId',
    parameters: {},
    token: 'required',
    who: eitherAdministrators,
    summary: 'A workspace, and which groups are linked to it.',
    source: 'documented',
    example: { ids: { portalId, collaborationId, workspaceId }, answer: workspaceAnswer },
    answer: async ({ ids, run }) => ({ json: workspaceToWire(await run(ids)) }),
  }),
  endpoint({
    id: 'updateWorkspace',
    room: 'collaborations',
    title: 'Update workspace',
    task: 'update workspace',
    effect: 'change',
    path: '/portals/:portalId/collaborations/:collaborationId/workspaces/:workspaceId/updateInfo',
    parameters: { name: optionalText('Name.', name), description },
    token: 'required',
    who: hostAdministrators,
    summary: 'Changes what is given and leaves the rest.',
    source: 'documented',
    example: {
      ids: { portalId, collaborationId, workspaceId },
      parameters: { name: 'Base maps of the Alps' },
      answer: { success: true },
    },
    async answer({ ids, input, run }) {
      await run({ ...ids, change: changeOf(input, 'name') })
      return success
    },
  }),
  endpoint({
    id: 'deleteWorkspace',
    room: 'collaborations',
    title: 'Delete workspace',
    task: 'delete workspace',
    effect: 'change',
    path: '/portals/:portalId/collaborations/:collaborationId/workspaces/:workspaceId/delete',
    parameters: {},
    token: 'required',
    who: hostAdministrators,
    summary: 'Removes the workspace; the last one is refused.',
    source: 'documented',
    chosen: ['A collaboration keeps at least one workspace. Invitations that name a removed one import without it.'],
    example: {
      ids: { portalId, collaborationId, workspaceId: exampleIds.secondWorkspaceId },
      answer: { success: true },
    },
    async answer({ ids, run }) {
      await run(ids)
      return success
    },
  }),
  endpoint({
    id: 'linkWorkspaceGroup',
    room: 'collaborations',
    title: 'Link group',
    task: 'update portal group link',
    effect: 'change',
    path: '/portals/:portalId/collaborations/:collaborationId/workspaces/:workspaceId/updatePortalGroupLink',
    parameters: { portalGroupId: requiredText("A group of the caller's own portal.", { maxLength: 32 }) },
    token: 'required',
    who: eitherAdministrators,
    summary: "Links a group of the caller's own portal to the workspace.",
    source: 'documented',
    example: {
      ids: { portalId, collaborationId, workspaceId },
      parameters: { portalGroupId: groupId },
      answer: { success: true },
    },
    async answer({ ids, input, run }) {
      await run({ ...ids, group: input })
      return success
    },
  }),
  endpoint({
    id: 'unlinkWorkspaceGroup',
    room: 'collaborations',
    title: 'Remove group link',
    task: 'remove portal group link',
    effect: 'change',
    path: '/portals/:portalId/collaborations/:collaborationId/workspaces/:workspaceId/removePortalGroupLink',
    parameters: {},
    token: 'required',
    who: eitherAdministrators,
    summary: "Ends the link of the caller's own portal; refused where there is none.",
    source: 'documented',
    example: { ids: { portalId, collaborationId, workspaceId }, answer: { success: true } },
    async answer({ ids, run }) {
      await run(ids)
      return success
    },
  }),
]
