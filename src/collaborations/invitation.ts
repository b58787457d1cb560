import type { Parsed } from '../call/parsed.ts'
import { field, type Named, type RecordOf } from '../record.ts'
import { say } from '../sentences/say.ts'
import {
  type AccessMode,
  accessModes,
  type Collaboration,
  type Workspace,
  type WorkspaceAccess,
} from './collaboration.ts'
import { hasShape, type Shaped } from './shape.ts'
import type { VerifiedFile } from './signature.ts'

/** Names on the wire. `host_created` is documented; the others follow its pattern (chosen). */
export const invitationStates = ['host_created', 'host_accepted', 'host_invalidated'] as const
export type InvitationState = (typeof invitationStates)[number]
export type InvitationEvent = keyof Transitions

export const invitationFields = {
  invitationId: field.id(),
  collaborationId: field.id(),
  hostPortalId: field.text(),
  /** Undefined until the guest's response is imported. */
  guestPortalId: field.text().optional(),
  guestPortalUrl: field.text(),
  state: field.choice(invitationStates),
  /** The guest's access mode in each workspace. */
  workspaces: field.json<readonly WorkspaceAccess[]>(),
  /** Text of the file for the guest. */
  file: field.text(),
  /** SHA-256 of that text, in lower-case hex, which a response has to contain. */
  digest: field.text(),
  fileName: field.text(),
  /** Number of changes, from 1; compared by compare-and-set. */
  revision: field.number(),
  createdAt: field.time(),
  modifiedAt: field.time(),
  expiresAt: field.time(),
}

/** An invitation as its host stores it. */
export interface Invitation extends RecordOf<typeof invitationFields>, Named {}

/** Effect of an event: another state, or a refusal with this sentence. */
export type Transition = { readonly to: InvitationState } | { readonly refused: string }

/** Invalidating again changes nothing and succeeds. */
interface Transitions {
  readonly invalidate: Transition | { readonly unchanged: true }
  readonly import: Transition
  readonly refresh: Transition
}

const accepted = { refused: say('invitationAccepted') }
const invalidated = { refused: say('invitationInvalidated') }
const expired = { refused: say('invitationExpired') }

/** State table of invitations (contract §4). `expired` is `host_created` after `expiresAt`. */
export const transitions: { readonly [from in InvitationState | 'expired']: Transitions } = {
  host_created: {
    invalidate: { to: 'host_invalidated' },
    import: { to: 'host_accepted' },
    refresh: { to: 'host_created' },
  },
  expired: {
    invalidate: { to: 'host_invalidated' },
    import: expired,
    refresh: { to: 'host_created' },
  },
  host_invalidated: {
    invalidate: { unchanged: true },
    import: invalidated,
    refresh: invalidated,
  },
  host_accepted: {
    invalidate: accepted,
    import: accepted,
    refresh: accepted,
  },
}

/** Effect of an event on an invitation at this time. */
export function findTransition<Event extends InvitationEvent>(
  invitation: Pick<Invitation, 'state' | 'expiresAt'>,
  event: Event,
  now: number,
): Transitions[Event] {
  const { state, expiresAt } = invitation
  return transitions[state === 'host_created' && expiresAt <= now ? 'expired' : state][event]
}

/** Maximum validity of an invitation, in hours; a longer one is capped without an error (documented). */
export const maxHours = 72

export function expiresAt(now: number, requestedHours: number | undefined): number {
  return now + Math.min(requestedHours ?? maxHours, maxHours) * 3_600_000
}

/** `https://guest.example.com/portal` → `collaboration-guest.example.com.invite` (documented). */
export function formatFileName(guestPortalUrl: string): string {
  return `collaboration-${new URL(guestPortalUrl).hostname}.invite`
}

const maxUrlLength = 2048
/**
 * A name, an address, or an IPv6 address in brackets. URLs allow more, but the host is part of a file name; and they allow what
 * no machine has: empty labels, and addresses of no network, which URLs make of small numbers.
 */
const hostPattern = /^(?!0(?:\.\d+){3}$)(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|\[(?!::(?:ffff:0:0)?\])[0-9a-f:.]+\])$/

/** Parses the public root of a portal; the result has no trailing slashes. Undefined if it is not one. */
export function parsePortalUrl(text: string): string | undefined {
  if (text.length > maxUrlLength || !URL.canParse(text)) return undefined
  const url = new URL(text)
  if (!/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) return undefined
  if (!hostPattern.test(url.hostname)) return undefined
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
}

/**
 * The root of the portal where people have copied the address of its pages or of its API, which every portal has below its
 * root: an invitation for such an address would be refused by every guest (chosen). Takes an address without a slash at its end.
 */
export function rootOfCopied(portalUrl: string): string {
  return portalUrl.replace(/(?<=[^/])\/(?:home(?:\/index\.html)?|sharing(?:\/rest)?)$/i, '')
}

/** `[{"<workspaceId>":"send"}]` → access modes by workspace. */
export function parseWorkspaceAccess(value: unknown): Parsed<readonly WorkspaceAccess[]> {
  const wrong = (what: string): { problems: string[] } => ({ problems: [what] })
  if (!Array.isArray(value)) return wrong('give a list such as [{"<workspaceId>":"send"}].')
  const workspaces = new Map<string, AccessMode>()
  for (const [position, entry] of value.entries()) {
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry))
      return wrong(`/${position} is not an object.`)
    for (const [workspaceId, mode] of Object.entries(entry)) {
      const accessMode = accessModes.find((known) => known === mode)
      if (!accessMode) return wrong(`/${position}/${workspaceId} is not one of ${accessModes.join(', ')}.`)
      if (workspaces.has(workspaceId)) return wrong(`/${position}/${workspaceId} names a workspace twice.`)
      workspaces.set(workspaceId, accessMode)
    }
  }
  if (workspaces.size === 0) return wrong('names no workspace; give a list such as [{"<workspaceId>":"send"}].')
  return { value: [...workspaces].map(([workspaceId, accessMode]) => ({ workspaceId, accessMode })) }
}

export const requestShape = {
  id: 'id',
  collaborationId: 'id',
  collaborationName: 'text',
  collaborationDescription: 'text',
  hostPortalId: 'portalId',
  hostPortalName: 'text',
  hostPortalUrl: 'text',
  hostContactFirstname: 'text',
  hostContactLastname: 'text',
  hostContactEmailAddress: 'text',
  guestPortalUrl: 'text',
  collaborationWorkspaces: [{ id: 'id', name: 'text', description: 'text', accessMode: 'text' }],
  created: 'time',
  expiration: 'time',
} as const

/** The member `invitationRequest` of the file (documented), which the host signs. */
export type InvitationRequest = Shaped<typeof requestShape>

/** The request of a verified file, or why the document is not a request. */
export function readInvitationRequest(file: VerifiedFile): InvitationRequest | { readonly problem: string } {
  if (hasShape(file.document, requestShape)) return file.document
  return { problem: say('notInvitationMembers') }
}

/** The document that the host signs. */
export function formatInvitationRequest(
  invitation: Pick<Invitation, 'invitationId' | 'guestPortalUrl' | 'workspaces' | 'createdAt' | 'expiresAt'>,
  collaboration: Collaboration,
  workspaces: readonly Workspace[],
  host: { readonly portalId: string; readonly name: string; readonly url: string },
): InvitationRequest {
  return {
    id: invitation.invitationId,
    collaborationId: collaboration.collaborationId,
    collaborationName: collaboration.name,
    collaborationDescription: collaboration.description,
    hostPortalId: host.portalId,
    hostPortalName: host.name,
    hostPortalUrl: host.url,
    hostContactFirstname: collaboration.hostContact.firstName,
    hostContactLastname: collaboration.hostContact.lastName,
    hostContactEmailAddress: collaboration.hostContact.email,
    guestPortalUrl: invitation.guestPortalUrl,
    collaborationWorkspaces: invitation.workspaces.flatMap(({ workspaceId, accessMode }) =>
      workspaces
        .filter((workspace) => workspace.workspaceId === workspaceId)
        .map(({ name, description }) => ({ id: workspaceId, name, description, accessMode })),
    ),
    created: invitation.createdAt,
    expiration: invitation.expiresAt,
  }
}
