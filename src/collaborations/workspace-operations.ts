import { operationRefused, resourceNotFound } from '../errors.ts'
import type { Call } from '../operations/call.ts'
import type { Page, Slice } from '../paging.ts'
import { type Parsed, unwrapParsed } from '../parsed.ts'
import type { AccessMode, Workspace } from './collaboration.ts'
import {
  type CollaborationId,
  type KnownCollaboration,
  requireHostedCollaboration,
  requireKnownCollaboration,
  requireLinkableGroup,
} from './operations.ts'
import type { Participation } from './participation.ts'
import type { CollaborationReaders, CollaborationStores, GroupLink } from './store.ts'

interface WorkspaceId extends CollaborationId {
  readonly workspaceId: string
}

/** A workspace with the access of every participant that the caller's portal knows. */
export interface WorkspaceView {
  readonly workspace: Workspace
  readonly links: readonly GroupLink[]
}

export async function listWorkspaces(
  stores: CollaborationReaders,
  call: Call,
  input: CollaborationId & { page: Parsed<Page> },
): Promise<Slice<WorkspaceView> & { readonly page: Page }> {
  const known = await requireKnownCollaboration(stores, call, input)
  const page = unwrapParsed(input.page)
  const all = await viewWorkspaces(stores, known)
  const first = page.start - 1
  return { total: all.length, entries: all.slice(first, first + page.num), page }
}

export async function readWorkspace(
  stores: CollaborationReaders,
  call: Call,
  input: WorkspaceId,
): Promise<WorkspaceView> {
  return findWorkspace(await viewWorkspaces(stores, await requireKnownCollaboration(stores, call, input)), input)
}

function findWorkspace(views: readonly WorkspaceView[], { workspaceId }: WorkspaceId): WorkspaceView {
  const found = views.find(({ workspace }) => workspace.workspaceId === workspaceId)
  if (!found) throw resourceNotFound()
  return found
}

async function viewWorkspaces(
  { collaborations }: CollaborationReaders,
  known: KnownCollaboration,
): Promise<WorkspaceView[]> {
  if (known.role === 'Guest') return viewKnownWorkspaces(known.participation)
  const { collaborationId } = known.collaboration
  const links = await collaborations.listGroupLinks(collaborationId)
  return (await collaborations.listWorkspaces(collaborationId)).map((workspace) => ({
    workspace,
    links: links.filter((link) => link.workspaceId === workspace.workspaceId),
  }))
}

/** On a guest's side, only its own access is known. */
function viewKnownWorkspaces(participation: Participation): WorkspaceView[] {
  const { portalId, collaborationId, createdAt, modifiedAt } = participation
  return participation.workspaces.map(({ workspaceId, name, description, accessMode, groupId }) => ({
    workspace: { workspaceId, collaborationId, name, description, createdAt, modifiedAt },
    links: [{ portalId, workspaceId, accessMode, groupId }],
  }))
}

export interface WorkspaceProperties {
  readonly name: string
  readonly description: string
  /** Access mode of the host. */
  readonly accessMode: AccessMode
  readonly portalGroupId: string | undefined
}

/** Adds a workspace. The host has access at once, guests by an update of their access modes. */
export async function addWorkspace(
  stores: CollaborationStores,
  call: Call,
  input: WorkspaceId & { properties: Parsed<WorkspaceProperties> },
): Promise<WorkspaceView> {
  const { portal, collaboration } = await requireHostedCollaboration(stores, call, input)
  const { name, description, accessMode, portalGroupId: groupId } = unwrapParsed(input.properties)
  if (groupId !== undefined) await requireLinkableGroup(stores, call, portal, groupId)
  const { workspaceId } = input
  const { collaborationId } = collaboration
  const workspace: Workspace = {
    workspaceId,
    collaborationId,
    name,
    description,
    createdAt: call.now,
    modifiedAt: call.now,
  }
  await stores.collaborations.addWorkspace(workspace)
  await stores.collaborations.putWorkspaceAccess(collaborationId, portal.portalId, { workspaceId, accessMode, groupId })
  return { workspace, links: [{ portalId: portal.portalId, workspaceId, accessMode, groupId }] }
}

/** A workspace of a collaboration that the caller's portal hosts. */
async function requireHostedWorkspace(
  stores: CollaborationReaders,
  call: Call,
  input: WorkspaceId,
): Promise<Workspace> {
  const { collaboration } = await requireHostedCollaboration(stores, call, input)
  const workspaces = await stores.collaborations.listWorkspaces(collaboration.collaborationId)
  const workspace = workspaces.find(({ workspaceId }) => workspaceId === input.workspaceId)
  if (!workspace) throw resourceNotFound()
  return workspace
}

/** Changes only the given properties. */
export async function updateWorkspace(
  stores: CollaborationStores,
  call: Call,
  input: WorkspaceId & {
    change: Parsed<Partial<Pick<Workspace, 'name' | 'description'>>>
  },
): Promise<void> {
  const workspace = await requireHostedWorkspace(stores, call, input)
  await stores.collaborations.updateWorkspace({ ...workspace, ...unwrapParsed(input.change), modifiedAt: call.now })
}

/** The last workspace can only be deleted with its collaboration (chosen). */
export async function deleteWorkspace(stores: CollaborationStores, call: Call, input: WorkspaceId): Promise<void> {
  const { workspaceId, collaborationId } = await requireHostedWorkspace(stores, call, input)
  const { length } = await stores.collaborations.listWorkspaces(collaborationId)
  if (length === 1) throw operationRefused('This is the last workspace of the collaboration; delete the collaboration.')
  await stores.collaborations.removeWorkspace(workspaceId)
}

/** Links a group of the caller's own portal to a workspace, on the host's side or on the guest's. */
export async function linkWorkspaceGroup(
  stores: CollaborationStores,
  call: Call,
  input: WorkspaceId & { group: Parsed<{ readonly portalGroupId: string }> },
): Promise<void> {
  const known = await requireKnownCollaboration(stores, call, input)
  await requireOwnAccess(stores, known, input)
  const { portalGroupId } = unwrapParsed(input.group)
  await requireLinkableGroup(stores, call, known.portal, portalGroupId)
  await putLink(stores, call, known, input, portalGroupId)
}

export async function unlinkWorkspaceGroup(stores: CollaborationStores, call: Call, input: WorkspaceId): Promise<void> {
  const known = await requireKnownCollaboration(stores, call, input)
  const { groupId } = await requireOwnAccess(stores, known, input)
  if (groupId === undefined) throw operationRefused('No group of this portal is linked to the workspace.')
  await putLink(stores, call, known, input, undefined)
}

/** The access of the caller's portal to the workspace; 404 if it has none. */
async function requireOwnAccess(
  stores: CollaborationReaders,
  known: KnownCollaboration,
  input: WorkspaceId,
): Promise<GroupLink> {
  const { links } = findWorkspace(await viewWorkspaces(stores, known), input)
  const own = links.find(({ portalId }) => portalId === known.portal.portalId)
  if (!own) throw resourceNotFound()
  return own
}

async function putLink(
  stores: CollaborationStores,
  call: Call,
  known: KnownCollaboration,
  input: WorkspaceId,
  groupId: string | undefined,
): Promise<void> {
  const { collaborations } = stores
  if (known.role === 'Host') {
    const { accessMode } = await requireOwnAccess(stores, known, input)
    const access = { workspaceId: input.workspaceId, accessMode, groupId }
    await collaborations.putWorkspaceAccess(known.collaboration.collaborationId, known.portal.portalId, access)
    return
  }
  const { participation } = known
  await collaborations.putParticipation({
    ...participation,
    workspaces: participation.workspaces.map((workspace) =>
      workspace.workspaceId === input.workspaceId ? { ...workspace, groupId } : workspace,
    ),
    modifiedAt: call.now,
  })
}
