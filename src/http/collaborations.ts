import { accessModes, type Collaboration, collaborationLimits } from '../collaborations/collaboration.ts'
import {
  createCollaboration,
  listCollaborations,
  listWorkspaces,
  readCollaboration,
  readWorkspace,
  type WorkspaceView,
} from '../collaborations/operations.ts'
import { refine } from '../input.ts'
import { listAnswer } from './answer.ts'
import { collaborationAnswer, collaborationOf, drawn, exampleIds, onlyPage, workspaceAnswer } from './examples.ts'
import { type Operation, operation } from './operation.ts'
import { optionalChoice, optionalText, pageParameters, requiredText, Wrong } from './parameters.ts'

const { portalId, collaborationId, workspaceId } = exampleIds
const who = 'Administrators of the host, and custom roles with portal:admin:manageCollaborations'

const nameRules = { maxLength: collaborationLimits.name }
const descriptionRules = { maxLength: collaborationLimits.description }
const contactRules = { maxLength: collaborationLimits.contact }

const config = optionalText("JSON object of the client's own settings, kept as it is.", {
  maxLength: collaborationLimits.config,
})

export function collaborationToWire(collaboration: Collaboration): object {
  const { collaborationId, name, description, hostPortalId, hostContact, createdAt, modifiedAt } = collaboration
  return {
    id: collaborationId,
    name,
    description,
    collaborationHostPortalId: hostPortalId,
    config: {
      hostContactFirstname: hostContact.firstName,
      hostContactLastname: hostContact.lastName,
      hostContactEmailAddress: hostContact.email,
      ...JSON.parse(collaboration.config),
    },
    created: createdAt,
    modified: modifiedAt,
  }
}

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

/** Collaborations of a host and their workspaces. Invitations are in the rows of invitations.ts. */
export const collaborationRows: readonly Operation[] = [
  operation({
    id: 'createCollaboration',
    room: 'collaborations',
    title: 'Create collaboration',
    task: 'create collaboration',
    kind: 'operation',
    path: '/portals/:portalId/createCollaboration',
    parameters: {
      name: requiredText('Name.', nameRules),
      description: optionalText('Description.', descriptionRules),
      workspaceName: requiredText('Name of the first workspace.', nameRules),
      workspaceDescription: optionalText('Description of the first workspace.', descriptionRules),
      portalGroupId: optionalText("The host's group for the first workspace.", { maxLength: 32 }),
      hostContactFirstname: optionalText('Whom a guest may ask.', contactRules),
      hostContactLastname: optionalText('Whom a guest may ask.', contactRules),
      hostContactEmailAddress: optionalText('Where a guest may ask.', contactRules),
      accessMode: optionalChoice(
        'What the host does in the first workspace: sendAndReceive if not given.',
        accessModes,
      ),
      config: { ...config, type: 'json', read: readConfig },
    },
    token: 'required',
    who,
    summary: 'Makes a collaboration with one workspace; the portal is its host.',
    source: 'documented',
    example: {
      ids: { portalId },
      parameters: { name: 'Lakes', workspaceName: 'Shorelines', accessMode: 'send' },
      answer: {
        success: true,
        collaboration: collaborationOf({
          id: drawn.id,
          name: 'Lakes',
          description: '',
          config: { hostContactFirstname: '', hostContactLastname: '', hostContactEmailAddress: '' },
        }),
      },
    },
    async answer({ ids, input, ports, publicUrl, write }) {
      const properties = refine(input, (values) => ({
        name: values.name,
        description: values.description ?? '',
        workspaceName: values.workspaceName,
        workspaceDescription: values.workspaceDescription ?? '',
        accessMode: values.accessMode ?? 'sendAndReceive',
        portalGroupId: values.portalGroupId || undefined,
        hostContact: {
          firstName: values.hostContactFirstname ?? '',
          lastName: values.hostContactLastname ?? '',
          email: values.hostContactEmailAddress ?? '',
        },
        config: values.config ?? '{}',
      }))
      const collaboration = await write(createCollaboration, {
        portalId: ids.portalId,
        collaborationId: ports.random.id(),
        workspaceId: ports.random.id(),
        portalUrl: publicUrl,
        properties,
      })
      return { json: { success: true, collaboration: collaborationToWire(collaboration) } }
    },
  }),
  operation({
    id: 'collaborations',
    room: 'collaborations',
    title: 'Collaborations',
    task: 'list collaborations',
    kind: 'resource',
    path: '/portals/:portalId/collaborations',
    parameters: pageParameters,
    token: 'required',
    who,
    summary: 'Collaborations that the portal hosts, newest first.',
    source: 'documented',
    links: (value, { portalId }) =>
      ((value as { collaborations?: readonly { id: string; name: string }[] }).collaborations ?? []).map(
        ({ id, name }) => ({ text: name, path: `/portals/${portalId}/collaborations/${id}` }),
      ),
    example: { ids: { portalId }, answer: onlyPage('collaborations', [collaborationAnswer]) },
    async answer({ ids, input, read }) {
      const found = await read(listCollaborations, { portalId: ids.portalId, page: input })
      return listAnswer('collaborations', found, collaborationToWire)
    },
  }),
  operation({
    id: 'collaboration',
    room: 'collaborations',
    title: 'Collaboration',
    task: 'read collaboration',
    kind: 'resource',
    path: '/portals/:portalId/collaborations/:collaborationId',
    parameters: {},
    token: 'required',
    who,
    summary: 'A collaboration that the portal hosts.',
    source: 'documented',
    example: { ids: { portalId, collaborationId }, answer: collaborationAnswer },
    answer: async ({ ids, read }) => ({ json: collaborationToWire(await read(readCollaboration, ids)) }),
  }),
  operation({
    id: 'workspaces',
    room: 'collaborations',
    title: 'Workspaces',
    task: 'list workspaces',
    kind: 'resource',
    path: '/portals/:portalId/collaborations/:collaborationId/workspaces',
    parameters: pageParameters,
    token: 'required',
    who,
    summary: 'The workspaces of a collaboration, in the order in which they were made.',
    source: 'documented',
    links: (value, { portalId, collaborationId }) =>
      (
        (value as { collaborationWorkspaces?: readonly { id: string; name: string }[] }).collaborationWorkspaces ?? []
      ).map(({ id, name }) => ({
        text: name,
        path: `/portals/${portalId}/collaborations/${collaborationId}/workspaces/${id}`,
      })),
    example: { ids: { portalId, collaborationId }, answer: onlyPage('collaborationWorkspaces', [workspaceAnswer]) },
    async answer({ ids, input, read }) {
      const found = await read(listWorkspaces, { ...ids, page: input })
      return listAnswer('collaborationWorkspaces', found, workspaceToWire)
    },
  }),
  operation({
    id: 'workspace',
    room: 'collaborations',
    title: 'Workspace',
    task: 'read workspace',
    kind: 'resource',
    path: '/portals/:portalId/collaborations/:collaborationId/workspaces/:workspaceId',
    parameters: {},
    token: 'required',
    who,
    summary: 'A workspace, and which groups are linked to it.',
    source: 'documented',
    example: { ids: { portalId, collaborationId, workspaceId }, answer: workspaceAnswer },
    answer: async ({ ids, read }) => ({ json: workspaceToWire(await read(readWorkspace, ids)) }),
  }),
]

function readConfig(given: string | undefined): string | undefined | Wrong {
  if (given === undefined || given.trim() === '') return undefined
  const checked = config.read(given)
  if (checked instanceof Wrong) return checked
  try {
    const value: unknown = JSON.parse(given)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return JSON.stringify(value)
  } catch {
    // Told below, together with JSON of another kind.
  }
  return new Wrong('is not a JSON object.')
}
