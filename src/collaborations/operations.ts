import type { AuditDetails, WithAuditDetails } from '../call/audit-details.ts'
import type { Call } from '../call/call.ts'
import type { Caller } from '../call/caller.ts'
import { type Parsed, unwrapParsed } from '../call/parsed.ts'
import { requireVisibleGroup } from '../directory/group-operations.ts'
import type { Portal } from '../directory/portal.ts'
import { requireOwnPortal, requirePrivilege } from '../directory/portal-operations.ts'
import { groupNotFound, resourceNotFound } from '../errors.ts'
import type { Page, Slice } from '../paging.ts'
import type { AccessMode, Collaboration, Contact } from './collaboration.ts'
import { asCollaboration, type Participation } from './participation.ts'
import type { CollaborationReaders, CollaborationStores } from './store.ts'

/** Names for an entry of the log, as they were then: of the object, and of its collaboration. */
export function namedInLog(title: string, collaboration?: Pick<Collaboration, 'name'>): AuditDetails {
  return { data: { title, ...(collaboration && { collaboration: collaboration.name }) } }
}

/** The caller's portal, if the caller may manage its collaborations. */
export async function requireCollaborationManager(
  stores: CollaborationReaders,
  call: Call,
  portalId: string,
): Promise<{ caller: Caller; portal: Portal }> {
  const { caller, portal } = await requireOwnPortal(stores, call, portalId)
  requirePrivilege(caller, portal.portalId, 'portal:admin:manageCollaborations')
  return { caller, portal }
}

/** Ids of a collaboration's path. */
export interface CollaborationId {
  readonly portalId: string
  readonly collaborationId: string
}

/** A collaboration that the caller's portal hosts; 404 for any other. */
export async function requireHostedCollaboration(
  stores: CollaborationReaders,
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

/** Creates a collaboration with its first workspace; the caller's portal is its host and first participant. */
export async function createCollaboration(
  stores: CollaborationStores,
  call: Call,
  input: {
    portalId: string
    collaborationId: string
    workspaceId: string
    portalUrl: string
    properties: Parsed<CollaborationProperties>
  },
): Promise<Collaboration & WithAuditDetails> {
  const { portal } = await requireCollaborationManager(stores, call, input.portalId)
  const properties = unwrapParsed(input.properties)
  const groupId = properties.portalGroupId
  if (groupId !== undefined) await requireLinkableGroup(stores, call, portal, groupId)
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
      contact: properties.hostContact,
      ...times,
    },
    [{ workspaceId, accessMode: properties.accessMode, groupId }],
  )
  return {
    ...collaboration,
    audit: { target: `/portals/${portal.portalId}/collaborations/${collaborationId}`, ...namedInLog(properties.name) },
  }
}

export async function listCollaborations(
  stores: CollaborationReaders,
  call: Call,
  input: { portalId: string; page: Parsed<Page> },
): Promise<Slice<Collaboration> & { readonly page: Page }> {
  const { portal } = await requireCollaborationManager(stores, call, input.portalId)
  const page = unwrapParsed(input.page)
  return { ...(await stores.collaborations.listCollaborations(portal.portalId, page)), page }
}

/** A collaboration of the caller's portal, as host or as guest. */
export type KnownCollaboration =
  | { readonly role: 'Host'; readonly portal: Portal; readonly collaboration: Collaboration }
  | { readonly role: 'Guest'; readonly portal: Portal; readonly participation: Participation }

export async function requireKnownCollaboration(
  stores: CollaborationReaders,
  call: Call,
  input: CollaborationId,
): Promise<KnownCollaboration> {
  const { portal } = await requireCollaborationManager(stores, call, input.portalId)
  const collaboration = await stores.collaborations.findCollaboration(input.collaborationId)
  if (collaboration?.hostPortalId === portal.portalId) return { role: 'Host', portal, collaboration }
  const participation = await stores.collaborations.findParticipation(portal.portalId, input.collaborationId)
  if (!participation) throw resourceNotFound()
  return { role: 'Guest', portal, participation }
}

export async function readCollaboration(
  stores: CollaborationReaders,
  call: Call,
  input: CollaborationId,
): Promise<Collaboration> {
  const known = await requireKnownCollaboration(stores, call, input)
  return known.role === 'Host' ? known.collaboration : asCollaboration(known.participation)
}

export type CollaborationChange = Partial<Pick<Collaboration, 'name' | 'description' | 'config'>>

/** Changes only the given properties. Guests that have accepted are not notified. */
export async function updateCollaboration(
  stores: CollaborationStores,
  call: Call,
  input: CollaborationId & { change: Parsed<CollaborationChange> },
): Promise<WithAuditDetails> {
  const { collaboration } = await requireHostedCollaboration(stores, call, input)
  const change = unwrapParsed(input.change)
  await stores.collaborations.updateCollaboration({ ...collaboration, ...change, modifiedAt: call.now })
  return { audit: namedInLog(change.name ?? collaboration.name) }
}

/** Deletes a collaboration with its workspaces, participants and invitations. */
export async function deleteCollaboration(
  stores: CollaborationStores,
  call: Call,
  input: CollaborationId,
): Promise<WithAuditDetails> {
  const { collaboration } = await requireHostedCollaboration(stores, call, input)
  await stores.collaborations.removeCollaboration(collaboration.collaborationId)
  return { audit: namedInLog(collaboration.name) }
}

/** Refuses a group that a workspace may not be linked to: it has to be one of the caller's portal that the caller sees. */
export async function requireLinkableGroup(
  stores: CollaborationReaders,
  call: Call,
  portal: Portal,
  groupId: string,
): Promise<void> {
  const { group } = await requireVisibleGroup(stores, call, groupId)
  if (group.portalId !== portal.portalId) throw groupNotFound()
}
