import { field, type Named, type RecordOf } from '../record.ts'
import { say } from '../sentences/say.ts'
import {
  type AccessMode,
  accessModes,
  type Collaboration,
  type Contact,
  type Participant,
  workspaceAccessFields,
} from './collaboration.ts'
import { expiresAt, type InvitationRequest, maxHours, parsePortalUrl } from './invitation.ts'
import type { VerifiedFile } from './signature.ts'

export const participationFields = {
  /** The guest's own portal. */
  portalId: field.text(),
  /** The id on this server: the host's own, unless the guest has a collaboration of another host under that one. */
  collaborationId: field.id(),
  /** The id in the files of the host. */
  hostCollaborationId: field.text(),
  name: field.text(),
  description: field.text(),
  hostPortalId: field.text(),
  hostPortalName: field.text(),
  hostPortalUrl: field.text(),
  /** Fingerprint of the key that signed the invitation. */
  hostFingerprint: field.text(),
  /** The guest's public root in the invitation. */
  guestPortalUrl: field.text(),
  invitationId: field.text(),
  /** SHA-256 of the invitation's file, in lower-case hex. */
  invitationDigest: field.text(),
  createdAt: field.time(),
  modifiedAt: field.time(),
}

/** A collaboration of another portal that this one takes part in, as the guest stores it. */
export interface Participation extends RecordOf<typeof participationFields> {
  readonly hostContact: Contact
  readonly guestContact: Contact
  readonly workspaces: readonly ParticipationWorkspace[]
}

export const participationWorkspaceFields = {
  ...workspaceAccessFields,
  name: field.text(),
  description: field.text(),
}

/** A workspace of the host, with the guest's linked group. */
export interface ParticipationWorkspace extends RecordOf<typeof participationWorkspaceFields>, Named {}

/** The guest's state that an invitation is checked against. */
export interface GuestSide {
  readonly portalId: string
  readonly portalUrl: string
  /** The existing participation in the same collaboration of the same host. */
  readonly present: Participation | undefined
  /** The id of a new participation. */
  readonly collaborationId: string
  /** Whether the portal hosts a collaboration of the same id. */
  readonly isHost: boolean
  readonly now: number
}

/** Milliseconds by which the clock of a host may be ahead of the guest's (chosen). */
export const clockTolerance = 5 * 60_000

/** Why the guest may not accept an invitation, in one sentence; undefined if it may. */
export function findInvitationProblem(
  request: InvitationRequest,
  file: VerifiedFile,
  { portalId, portalUrl, present, isHost, now }: GuestSide,
): string | undefined {
  if (request.hostPortalId === portalId) return say('invitedByItself')
  if (isHost) return say('collaborationHosted')
  if (request.guestPortalUrl !== portalUrl) {
    return say('invitationForAnother', { guest: request.guestPortalUrl, portal: portalUrl })
  }
  if (request.expiration <= now) return say('invitationExpired')
  if (request.expiration > expiresAt(now, maxHours) + clockTolerance) {
    return say('invitationTooLong', { max: maxHours })
  }
  if (request.collaborationWorkspaces.some(({ accessMode }) => !isAccessMode(accessMode))) {
    return say('accessModeUnknown')
  }
  if (new Set(request.collaborationWorkspaces.map(({ id }) => id)).size < request.collaborationWorkspaces.length) {
    return say('workspaceTwice')
  }
  if (parsePortalUrl(request.hostPortalUrl) !== request.hostPortalUrl) {
    return say('hostAddressMissing')
  }
  if (present?.invitationDigest === file.digest) return say('invitationAccepted')
  return undefined
}

function isAccessMode(text: string): text is AccessMode {
  return accessModes.some((known) => known === text)
}

/** The participation that accepting an invitation creates. Groups that are already linked stay linked. */
export function acceptedParticipation(
  request: InvitationRequest,
  file: VerifiedFile,
  guest: GuestSide,
  guestContact: Contact,
): Participation {
  const linked = new Map(guest.present?.workspaces.map(({ workspaceId, groupId }) => [workspaceId, groupId]))
  return {
    portalId: guest.portalId,
    collaborationId: guest.present?.collaborationId ?? guest.collaborationId,
    hostCollaborationId: request.collaborationId,
    name: request.collaborationName,
    description: request.collaborationDescription,
    hostPortalId: request.hostPortalId,
    hostPortalName: request.hostPortalName,
    hostPortalUrl: request.hostPortalUrl,
    hostContact: {
      firstName: request.hostContactFirstname,
      lastName: request.hostContactLastname,
      email: request.hostContactEmailAddress,
    },
    hostFingerprint: file.fingerprint,
    guestContact,
    guestPortalUrl: request.guestPortalUrl,
    invitationId: request.id,
    invitationDigest: file.digest,
    workspaces: request.collaborationWorkspaces.map(({ id, name, description, accessMode }) => ({
      workspaceId: id,
      name,
      description,
      accessMode: accessModes.find((known) => known === accessMode)!,
      groupId: linked.get(id),
    })),
    createdAt: guest.present?.createdAt ?? guest.now,
    modifiedAt: guest.now,
  }
}

/** A participation in the form of a collaboration. */
export function asCollaboration(participation: Participation): Collaboration {
  const { collaborationId, hostPortalId, name, description, hostContact, createdAt, modifiedAt } = participation
  return { collaborationId, hostPortalId, name, description, hostContact, config: '{}', createdAt, modifiedAt }
}

/** Host and guest; a guest does not know the other guests. */
export function listKnownParticipants(participation: Participation, portalName: string): readonly Participant[] {
  const { collaborationId, createdAt, modifiedAt } = participation
  const known = { collaborationId, createdAt, modifiedAt }
  return [
    {
      ...known,
      portalId: participation.hostPortalId,
      portalName: participation.hostPortalName,
      portalUrl: participation.hostPortalUrl,
      role: 'Host',
      contact: participation.hostContact,
    },
    {
      ...known,
      portalId: participation.portalId,
      portalName,
      portalUrl: participation.guestPortalUrl,
      role: 'Guest',
      contact: participation.guestContact,
    },
  ]
}
