import { field, type GivenOf, type Named, type RecordOf } from '../record.ts'

export const contactFields = { firstName: field.text(), lastName: field.text(), email: field.text() }

export interface Contact extends RecordOf<typeof contactFields>, Named {}

export const collaborationFields = {
  collaborationId: field.id(),
  hostPortalId: field.text(),
  name: field.text(),
  description: field.text(),
  /** Settings of the client, JSON text of an object, stored and returned unchanged (documented). */
  config: field.text(),
  createdAt: field.time(),
  modifiedAt: field.time(),
}

/** A distributed collaboration: portals that share content through workspaces. */
export interface Collaboration extends RecordOf<typeof collaborationFields> {
  /** Contact for guests. */
  readonly hostContact: Contact
}

export const workspaceFields = {
  workspaceId: field.id(),
  collaborationId: field.id(),
  name: field.text(),
  description: field.text(),
  createdAt: field.time(),
  modifiedAt: field.time(),
}

/** A part of a collaboration; each participant may link one of its groups to it. */
export interface Workspace extends RecordOf<typeof workspaceFields>, Named {}

/** Access modes of a participant in a workspace. */
export const accessModes = ['send', 'receive', 'sendAndReceive'] as const
export type AccessMode = (typeof accessModes)[number]

/** Maximum lengths in UTF-16 code units (documented for collaborations; chosen for workspaces and contacts). */
export const collaborationLimits = {
  name: 100,
  description: 250,
  contact: 128,
  config: 10_000,
  configLevels: 20,
} as const

export const participantFields = {
  collaborationId: field.id(),
  portalId: field.text(),
  portalName: field.text(),
  portalUrl: field.text(),
  role: field.text<ParticipantRole>(),
  createdAt: field.time(),
  modifiedAt: field.time(),
}

/** A portal that takes part: the host from the start, a guest once its response is imported. */
export interface Participant extends RecordOf<typeof participantFields> {
  /** Contact for the other participants. */
  readonly contact: Contact
}

export type ParticipantRole = 'Host' | 'Guest'

export const workspaceAccessFields = {
  workspaceId: field.text(),
  accessMode: field.choice(accessModes),
  /** Undefined while no group is linked. */
  groupId: field.id().optional(),
}

/** A participant's access mode and group in one workspace. */
export interface WorkspaceAccess extends GivenOf<typeof workspaceAccessFields>, Named {}
