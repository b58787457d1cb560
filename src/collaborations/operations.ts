import { type Call, type Caller, requirePermission } from '../directory/caller.ts'
import { requireVisibleGroup } from '../directory/group-operations.ts'
import { mayManageCollaborations } from '../directory/permissions.ts'
import type { Portal } from '../directory/portal.ts'
import { requireOwnPortal } from '../directory/portal-operations.ts'
import type { DirectoryStore } from '../directory/store.ts'
import { groupNotFound, resourceNotFound } from '../errors.ts'
import { accept, type Parsed } from '../input.ts'
import type { Page, Slice } from '../paging.ts'
import type { AccessMode, Collaboration, Contact, Workspace } from './collaboration.ts'
import type { CollaborationStore, GroupLink } from './store.ts'

interface Needs {
  readonly directory: DirectoryStore
  readonly collaborations: CollaborationStore
}

/** The caller's portal, if the caller manages its collaborations. */
export async function requireCollaborationManager(
  stores: Needs,
  call: Call,
  portalId: string,
): Promise<{ caller: Caller; portal: Portal }> {
  const { caller, portal } = await requireOwnPortal(stores, call, portalId)
  requirePermission(mayManageCollaborations(caller, portal.portalId))
  return { caller, portal }
}

interface CollaborationId {
  readonly portalId: string
  readonly collaborationId: string
}

/** A collaboration that the caller's portal hosts; any other is not there for it. */
export async function requireHostedCollaboration(
  stores: Needs,
  call: Call,
  input: CollaborationId,
): Promise<{ caller: Caller; portal: Portal; collaboration: Collaboration }> {
  const { caller, portal } = await requireCollaborationManager(stores, call, input.portalId)
  const collaboration = await stores.collaborations.findCollaboration(input.collaborationId)
  if (!collaboration || collaboration.hostPortalId !== portal.portalId) throw resourceNotFound()
  return { caller, portal, collaboration }
}

export interface CollaborationProperties {
  readonly name: string
  readonly description: string
  readonly workspaceName: string
  readonly workspaceDescription: string
  readonly accessMode: AccessMode
  /** The host's group for the first workspace. */
  readonly portalGroupId: string | undefined
  readonly hostContact: Contact
  readonly config: string
}

/** Makes a collaboration with its first workspace; the caller's portal is its host and first participant. */
export async function createCollaboration(
  stores: Needs,
  call: Call,
  input: {
    portalId: string
    collaborationId: string
    workspaceId: string
    portalUrl: string
    properties: Parsed<CollaborationProperties>
  },
): Promise<Collaboration> {
  const { portal } = await requireCollaborationManager(stores, call, input.portalId)
  const properties = accept(input.properties)
  const groupId = properties.portalGroupId
  if (groupId !== undefined) {
    const { group } = await requireVisibleGroup(stores, call, groupId)
    if (group.portalId !== portal.portalId) throw groupNotFound()
  }
  const { collaborationId, workspaceId } = input
  const times = { createdAt: call.now, modifiedAt: call.now }
  const collaboration: Collaboration = {
    collaborationId,
    hostPortalId: portal.portalId,
    name: properties.name,
    description: properties.description,
    hostContact: properties.hostContact,
    config: properties.config,
    ...times,
  }
  await stores.collaborations.addCollaboration(collaboration)
  await stores.collaborations.addWorkspace({
    workspaceId,
    collaborationId,
    name: properties.workspaceName,
    description: properties.workspaceDescription,
    ...times,
  })
  await stores.collaborations.addParticipant(
    {
      collaborationId,
      portalId: portal.portalId,
      portalName: portal.name,
      portalUrl: input.portalUrl,
      role: 'Host',
      ...times,
    },
    [{ workspaceId, accessMode: properties.accessMode, groupId }],
  )
  return collaboration
}

export async function listCollaborations(
  stores: Needs,
  call: Call,
  input: { portalId: string; page: Parsed<Page> },
): Promise<Slice<Collaboration> & { readonly page: Page }> {
  const { portal } = await requireCollaborationManager(stores, call, input.portalId)
  const page = accept(input.page)
  return { ...(await stores.collaborations.listCollaborations(portal.portalId, page)), page }
}

export async function readCollaboration(stores: Needs, call: Call, input: CollaborationId): Promise<Collaboration> {
  return (await requireHostedCollaboration(stores, call, input)).collaboration
}

/** A workspace with who has linked a group to it, and who has not. */
export interface WorkspaceView {
  readonly workspace: Workspace
  readonly links: readonly GroupLink[]
}

export async function listWorkspaces(
  stores: Needs,
  call: Call,
  input: CollaborationId & { page: Parsed<Page> },
): Promise<Slice<WorkspaceView> & { readonly page: Page }> {
  const { collaboration } = await requireHostedCollaboration(stores, call, input)
  const page = accept(input.page)
  const all = await viewWorkspaces(stores, collaboration)
  const first = page.start - 1
  return { total: all.length, entries: all.slice(first, first + page.num), page }
}

async function viewWorkspaces({ collaborations }: Needs, { collaborationId }: Collaboration): Promise<WorkspaceView[]> {
  const links = await collaborations.listGroupLinks(collaborationId)
  return (await collaborations.listWorkspaces(collaborationId)).map((workspace) => ({
    workspace,
    links: links.filter((link) => link.workspaceId === workspace.workspaceId),
  }))
}

export async function readWorkspace(
  stores: Needs,
  call: Call,
  input: CollaborationId & { readonly workspaceId: string },
): Promise<WorkspaceView> {
  const { collaboration } = await requireHostedCollaboration(stores, call, input)
  const all = await viewWorkspaces(stores, collaboration)
  const found = all.find(({ workspace }) => workspace.workspaceId === input.workspaceId)
  if (!found) throw resourceNotFound()
  return found
}
