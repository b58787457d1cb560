/** A distributed collaboration: portals that share content through workspaces. */
export interface Collaboration {
  /** 32 lower-case hex characters. */
  readonly collaborationId: string
  readonly hostPortalId: string
  readonly name: string
  readonly description: string
  /** Contact for guests. */
  readonly hostContact: Contact
  /** Settings of the client, JSON text of an object, stored and returned unchanged (documented). */
  readonly config: string
  /** Epoch milliseconds. */
  readonly createdAt: number
  readonly modifiedAt: number
}

export interface Contact {
  readonly firstName: string
  readonly lastName: string
  readonly email: string
}

/** A part of a collaboration; each participant may link one of its groups to it. */
export interface Workspace {
  /** 32 lower-case hex characters. */
  readonly workspaceId: string
  readonly collaborationId: string
  readonly name: string
  readonly description: string
  /** Epoch milliseconds. */
  readonly createdAt: number
  readonly modifiedAt: number
}

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

/** A portal that takes part: the host from the start, a guest once its response is imported. */
export interface Participant {
  readonly collaborationId: string
  readonly portalId: string
  readonly portalName: string
  readonly portalUrl: string
  readonly role: ParticipantRole
  /** Contact for the other participants. */
  readonly contact: Contact
  /** Epoch milliseconds. */
  readonly createdAt: number
  readonly modifiedAt: number
}

export type ParticipantRole = 'Host' | 'Guest'

/** A participant's access mode and group in one workspace. */
export interface WorkspaceAccess {
  readonly workspaceId: string
  readonly accessMode: AccessMode
  /** Undefined while no group is linked. */
  readonly groupId?: string | undefined
}
