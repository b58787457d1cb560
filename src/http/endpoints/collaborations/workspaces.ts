import { mapParsed } from '../../../call/parsed.ts'
import { accessModes, collaborationLimits } from '../../../collaborations/collaboration.ts'
import {
  exampleIds,
  generatedIds,
  secondWorkspaceAnswer,
  singlePage,
  workspaceAnswer,
  workspaceOf,
} from '../../examples/examples.ts'
import { workspaceShape, workspaceToWire } from '../../shapes/collaborations/workspace.ts'
import { pageOf, pageToWire } from '../../shapes/page.ts'
import { success, successShapeWith, successWith } from '../../shapes/success.ts'
import { type Endpoint, endpointsOf, runByIds } from '../endpoint.ts'
import { pageParameters } from '../page-parameters.ts'
import { changedName, optionalChoice, optionalText, requiredName, requiredText } from '../parameter-types.ts'
import { changeOf } from '../partial-update.ts'
import { withoutEffect } from '../unused-parameters.ts'
import { eitherAdministrators, hostAdministrators } from './collaborations.ts'

const endpoint = endpointsOf('collaborations')

const { portalId, collaborationId, workspaceId, groupId } = exampleIds

const name = { maxLength: collaborationLimits.name }
const description = optionalText('Description.', { maxLength: collaborationLimits.description })

/** Settings for copying content to other participants (documented): no server here copies any. */
const copying = withoutEffect('maxItemSizeInMB', 'maxReplicationPackageSizeInMB', 'copyByRefIfCopyFail', 'config')

/** Workspaces of a collaboration, and the groups that are linked to them. */
export const workspaceRows: readonly Endpoint[] = [
  endpoint({
    id: 'addWorkspace',
    title: 'Add workspace',
    goals: ['Invite a partner'],
    path: '/portals/:portalId/collaborations/:collaborationId/addWorkspace',
    parameters: {
      collaborationWorkspaceName: requiredName('Name.', name),
      collaborationWorkspaceDescription: description,
      portalGroupId: optionalText('Group of the host to link to the workspace.', { maxLength: 32 }),
      accessMode: optionalChoice('Access mode of the host; default sendAndReceive.', accessModes),
      ...copying,
    },
    who: hostAdministrators,
    summary: 'Adds a workspace, in which the host participates immediately.',
    chosen: [
      'Guests are added by updating their access modes; they see the workspace after leaving and accepting a new invitation.',
    ],
    answers: { json: successShapeWith({ workspace: workspaceShape }) },
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
      return successWith({ workspace: workspaceToWire(view) })
    },
  }),
  endpoint({
    id: 'listWorkspaces',
    title: 'Workspaces',
    path: '/portals/:portalId/collaborations/:collaborationId/workspaces',
    parameters: pageParameters,
    who: eitherAdministrators,
    summary: 'The workspaces of a collaboration, oldest first.',
    answers: { json: pageOf('workspaces', workspaceShape) },
    example: {
      ids: { portalId, collaborationId },
      answer: singlePage('workspaces', [workspaceAnswer, secondWorkspaceAnswer]),
    },
    async answer({ ids, input, run }) {
      const found = await run({ ...ids, page: input })
      return { json: pageToWire('workspaces', found, workspaceToWire) }
    },
  }),
  endpoint({
    id: 'readWorkspace',
    title: 'Workspace',
    path: '/portals/:portalId/collaborations/:collaborationId/workspaces/:workspaceId',
    who: eitherAdministrators,
    summary: 'A workspace and the groups that are linked to it.',
    answers: { json: workspaceShape },
    example: { ids: { portalId, collaborationId, workspaceId }, answer: workspaceAnswer },
    answer: async ({ ids, run }) => ({ json: workspaceToWire(await run(ids)) }),
  }),
  endpoint({
    id: 'updateWorkspace',
    title: 'Update workspace',
    path: '/portals/:portalId/collaborations/:collaborationId/workspaces/:workspaceId/updateInfo',
    parameters: { name: changedName('Name.', name), description, ...copying },
    who: hostAdministrators,
    summary: 'Changes the given properties; the others are unchanged.',
    example: {
      ids: { portalId, collaborationId, workspaceId },
      parameters: { name: 'Base maps of the Alps' },
      answer: { success: true },
    },
    async answer({ ids, input, run }) {
      await run({ ...ids, change: changeOf(input) })
      return success
    },
  }),
  endpoint({
    id: 'deleteWorkspace',
    title: 'Delete workspace',
    path: '/portals/:portalId/collaborations/:collaborationId/workspaces/:workspaceId/delete',
    who: hostAdministrators,
    summary: 'Deletes the workspace; refused for the last one.',
    chosen: [
      'A collaboration keeps at least one workspace. Responses to invitations that name a deleted one are imported without it.',
    ],
    example: {
      ids: { portalId, collaborationId, workspaceId: exampleIds.secondWorkspaceId },
      answer: { success: true },
    },
    answer: runByIds,
  }),
  endpoint({
    id: 'linkWorkspaceGroup',
    title: 'Link group',
    task: 'update portal group link',
    goals: ['Invite a partner'],
    path: '/portals/:portalId/collaborations/:collaborationId/workspaces/:workspaceId/updatePortalGroupLink',
    parameters: {
      portalGroupId: requiredText("A group of the caller's organization.", { maxLength: 32 }),
      ...withoutEffect(
        'enableRealtimeSync',
        'copyFeatureServiceData',
        'copyByRefIfCopyFail',
        'enableFeatureServiceBidirectionalSync',
      ),
    },
    who: eitherAdministrators,
    summary: "Links a group of the caller's organization to the workspace.",
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
    title: 'Remove group link',
    task: 'remove portal group link',
    path: '/portals/:portalId/collaborations/:collaborationId/workspaces/:workspaceId/removePortalGroupLink',
    who: eitherAdministrators,
    summary: "Removes the link of the caller's organization; refused if there is none.",
    example: { ids: { portalId, collaborationId, workspaceId }, answer: { success: true } },
    answer: runByIds,
  }),
]
