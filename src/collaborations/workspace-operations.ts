import type { WithAuditDetails } from '../call/audit-details.ts'
import type { Call } from '../call/call.ts'
import { type Parsed, unwrapParsed } from '../call/parsed.ts'
import { limitReached, operationRefused, resourceNotFound } from '../errors.ts'
import type { Page, Slice } from '../paging.ts'
import { say } from '../sentences/say.ts'
import type { AccessMode, Collaboration, Workspace } from './collaboration.ts'
import {
  type CollaborationId,
  type KnownCollaboration,
  namedInLog,
  requireHostedCollaboration,
  requireKnownCollaboration,
  requireLinkableGroup,
} from './operations.ts'
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
  const all = await listKnownWorkspaces(stores, known)
  const entries: WorkspaceView[] = []
  let links = 0
  for (const workspace of all.slice(page.start - 1, page.start - 1 + page.num)) {
    if (links >= maxLinksPerPage) break
    const view = await viewWorkspace(stores, known, workspace)
    entries.push(view)
    links += view.links.length
  }
  return { total: all.length, entries, page }
}

/** A page ends before the workspace that follows these links: it would be larger than an answer should be (chosen). */
const maxLinksPerPage = 10_000

export async function readWorkspace(
  stores: CollaborationReaders,
  call: Call,
  input: WorkspaceId,
): Promise<WorkspaceView> {
  const known = await requireKnownCollaboration(stores, call, input)
  const workspace = findWorkspace(await listKnownWorkspaces(stores, known), input)
  return viewWorkspace(stores, known, workspace)
}

function findWorkspace(workspaces: readonly Workspace[], { workspaceId }: WorkspaceId): Workspace {
  const found = workspaces.find((workspace) => workspace.workspaceId === workspaceId)
  if (!found) throw resourceNotFound()
  return found
}

async function listKnownWorkspaces(
  { collaborations }: CollaborationReaders,
  known: KnownCollaboration,
): Promise<readonly Workspace[]> {
  if (known.role === 'Host') return collaborations.listWorkspaces(known.collaboration.collaborationId)
  const { collaborationId, createdAt, modifiedAt, workspaces } = known.participation
  return workspaces.map(({ workspaceId, name, description }) => ({
    workspaceId,
    collaborationId,
    name,
    description,
    createdAt,
    modifiedAt,
  }))
}

/** Adds the access of every participant, or of one portal. On a guest's side, only its own access is known. */
async function viewWorkspace(
  { collaborations }: CollaborationReaders,
  known: KnownCollaboration,
  workspace: Workspace,
  ofPortal?: string,
): Promise<WorkspaceView> {
  const { workspaceId, collaborationId } = workspace
  if (known.role === 'Host') {
    const of = ofPortal === undefined ? { workspaceId } : { workspaceId, portalId: ofPortal }
    return { workspace, links: await collaborations.listGroupLinks(collaborationId, of) }
  }
  const { portalId, workspaces } = known.participation
  const own = workspaces.filter((access) => access.workspaceId === workspaceId)
  return { workspace, links: own.map(({ accessMode, groupId }) => ({ portalId, workspaceId, accessMode, groupId })) }
}

export interface WorkspaceProperties {
  readonly name: string
  readonly description: string
  /** Access mode of the host. */
  readonly accessMode: AccessMode
  readonly portalGroupId: string | undefined
}

/** Adds a workspace. The host has access immediately, guests by an update of their access modes. */
export async function addWorkspace(
  stores: CollaborationStores,
  call: Call,
  input: WorkspaceId & { properties: Parsed<WorkspaceProperties> },
): Promise<WorkspaceView & WithAuditDetails> {
  const { portal, collaboration } = await requireHostedCollaboration(stores, call, input)
  const { name, description, accessMode, portalGroupId: groupId } = unwrapParsed(input.properties)
  if (groupId !== undefined) await requireLinkableGroup(stores, call, portal, groupId)
  const { workspaceId } = input
  const { collaborationId } = collaboration
  const { workspaces: max } = call.limits
  const { length } = await stores.collaborations.listWorkspaces(collaborationId)
  if (length >= max) {
    throw limitReached('workspaces', say('workspacesFull', { count: length, max }))
  }
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
  const target = `/portals/${portal.portalId}/collaborations/${collaborationId}/workspaces/${workspaceId}`
  return {
    workspace,
    links: [{ portalId: portal.portalId, workspaceId, accessMode, groupId }],
    audit: { target, ...namedInLog(name, collaboration) },
  }
}

/** A workspace of a collaboration that the caller's portal hosts. */
async function requireHostedWorkspace(
  stores: CollaborationReaders,
  call: Call,
  input: WorkspaceId,
): Promise<{ workspace: Workspace; collaboration: Collaboration }> {
  const { collaboration } = await requireHostedCollaboration(stores, call, input)
  const workspaces = await stores.collaborations.listWorkspaces(collaboration.collaborationId)
  return { workspace: findWorkspace(workspaces, input), collaboration }
}

/** Changes only the given properties. */
export async function updateWorkspace(
  stores: CollaborationStores,
  call: Call,
  input: WorkspaceId & {
    change: Parsed<Partial<Pick<Workspace, 'name' | 'description'>>>
  },
): Promise<WithAuditDetails> {
  const { workspace, collaboration } = await requireHostedWorkspace(stores, call, input)
  const changed = { ...workspace, ...unwrapParsed(input.change), modifiedAt: call.now }
  await stores.collaborations.updateWorkspace(changed)
  return { audit: namedInLog(changed.name, collaboration) }
}

/** The last workspace can only be deleted with its collaboration (chosen). */
export async function deleteWorkspace(
  stores: CollaborationStores,
  call: Call,
  input: WorkspaceId,
): Promise<WithAuditDetails> {
  const { workspace, collaboration } = await requireHostedWorkspace(stores, call, input)
  const { workspaceId, collaborationId } = workspace
  const { length } = await stores.collaborations.listWorkspaces(collaborationId)
  if (length === 1) throw operationRefused(say('lastWorkspace'))
  await stores.collaborations.removeWorkspace(workspaceId)
  return { audit: namedInLog(workspace.name, collaboration) }
}

/** Links a group of the caller's own portal to a workspace, on the host's side or on the guest's. */
export async function linkWorkspaceGroup(
  stores: CollaborationStores,
  call: Call,
  input: WorkspaceId & { group: Parsed<{ readonly portalGroupId: string }> },
): Promise<WithAuditDetails> {
  const known = await requireKnownCollaboration(stores, call, input)
  await requireOwnAccess(stores, known, input)
  const { portalGroupId } = unwrapParsed(input.group)
  await requireLinkableGroup(stores, call, known.portal, portalGroupId)
  return putLink(stores, call, known, input, portalGroupId)
}

export async function unlinkWorkspaceGroup(
  stores: CollaborationStores,
  call: Call,
  input: WorkspaceId,
): Promise<WithAuditDetails> {
  const known = await requireKnownCollaboration(stores, call, input)
  const { groupId } = await requireOwnAccess(stores, known, input)
  if (groupId === undefined) throw operationRefused(say('noGroupLinked'))
  return putLink(stores, call, known, input, undefined)
}

/** The access of the caller's portal to the workspace; 404 if it has none. */
async function requireOwnAccess(
  stores: CollaborationReaders,
  known: KnownCollaboration,
  input: WorkspaceId,
): Promise<GroupLink> {
  const { portalId } = known.portal
  const workspace = findWorkspace(await listKnownWorkspaces(stores, known), input)
  const { links } = await viewWorkspace(stores, known, workspace, portalId)
  const own = links.find((link) => link.portalId === portalId)
  if (!own) throw resourceNotFound()
  return own
}

async function putLink(
  stores: CollaborationStores,
  call: Call,
  known: KnownCollaboration,
  input: WorkspaceId,
  groupId: string | undefined,
): Promise<WithAuditDetails> {
  const { collaborations } = stores
  const { name } = findWorkspace(await listKnownWorkspaces(stores, known), input)
  const audit = namedInLog(name, known.role === 'Host' ? known.collaboration : known.participation)
  if (known.role === 'Host') {
    const { accessMode } = await requireOwnAccess(stores, known, input)
    const access = { workspaceId: input.workspaceId, accessMode, groupId }
    await collaborations.putWorkspaceAccess(known.collaboration.collaborationId, known.portal.portalId, access)
    return { audit }
  }
  const { participation } = known
  await collaborations.putParticipation({
    ...participation,
    workspaces: participation.workspaces.map((workspace) =>
      workspace.workspaceId === input.workspaceId ? { ...workspace, groupId } : workspace,
    ),
    modifiedAt: call.now,
  })
  return { audit }
}
