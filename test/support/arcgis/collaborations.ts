import {
  type Answer,
  type ArcgisCall,
  ArcgisError,
  notFound,
  requireAdministrator,
  requirePortal,
} from './arcgis-call.ts'
import type { Collaboration, Invitation, World } from './world.ts'

const hour = 3_600_000
/** Entries of a page of collaborations and their parts, and of the log. */
const [pageSize, maxLogged] = [25, 100]

/** Operations of collaborations, invitations and the log, by their names. */
export const collaborationAnswers: Readonly<Record<string, Answer>> = {
  collaborations: (world, call) => {
    requireAdministrator(world, call.token)
    const all = [...world.collaborations.values()].map((one) => viewOf(world, one))
    return { ...pageOf('collaborations', all, call), portal: requirePortal(world, call) }
  },
  collaboration: (world, call) => viewOf(world, requireCollaboration(world, call)),
  workspaces: (world, call) => pageOf('workspaces', requireCollaboration(world, call).workspaces, call),
  participants: (world, call) => {
    requireCollaboration(world, call)
    const portalInfo = { id: world.id, url: call.root, name: world.name, description: '', portalType: world.kind }
    return pageOf('participants', [{ portalInfo, collaborationRole: 'Host', status: 'active' }], call)
  },
  invitations: (world, call) => {
    const { invitations } = requireCollaboration(world, call)
    return pageOf('collaborationInvitations', [...invitations.values()], call)
  },
  invitation: (world, call) => requireInvitation(world, call),
  inviteParticipant: (world, call) => {
    const { invitations } = requireCollaboration(world, call)
    const created = world.now()
    const invitation: Invitation = {
      id: world.nextId(),
      guestPortalUrl: call.parameters.get('guestPortalUrl') ?? '',
      workspaces: JSON.parse(call.parameters.get('collaborationWorkspacesParticipantConfigJSON') ?? ''),
      created,
      status: 'host_created',
      expiration: created + Number(call.parameters.get('expiration')) * hour,
      revision: 1,
    }
    invitations.set(invitation.id, invitation)
    return fileOf(invitation)
  },
  refreshInvitation: (world, call) => {
    const invitation = requireOpen(requireInvitation(world, call))
    invitation.revision += 1
    invitation.expiration = world.now() + 72 * hour
    return fileOf(invitation)
  },
  invalidateInvitation: (world, call) => {
    const invitation = requireOpen(requireInvitation(world, call))
    if (!world.quirks.keepsInvitations) invitation.status = 'host_invalidated'
    return { success: true }
  },
  // For organizations of ArcGIS Online.
  history: (world, call) => {
    requireAdministrator(world, call.token)
    if (world.kind !== 'online') throw notFound()
    const { parameters } = call
    const [from, to] = ['fromDate', 'toDate'].map((name) => Number(parameters.get(name) ?? Number.NaN))
    const actors = parameters.get('actors')?.split(',')
    const found = world.log
      .filter(({ created, actor }) => !(created < from!) && !(created > to!) && (!actors || actors.includes(actor)))
      .toReversed()
    if (parameters.get('f') === 'csv') {
      const rows = found.slice(0, Number(parameters.get('num'))).map(({ actor, action }) => `${actor},${action}\n`)
      return Buffer.from(`\ufeffactor,action\n${rows.join('')}`)
    }
    const start = Number(parameters.get('start')?.replace('key-', '') ?? 0)
    const end = start + Math.min(Number(parameters.get('num') ?? pageSize), maxLogged)
    return { items: found.slice(start, end), nextKey: end < found.length ? `key-${end}` : null }
  },
}

/** The file of an invitation: its form is the portal's own, and not even a text. */
export function fileOf({ id, revision }: Invitation): Buffer {
  return Buffer.concat([Buffer.from([0xff, 0x00, 0x0d]), Buffer.from(`invitation ${id}, ${revision}\r\n`)])
}

function viewOf(world: World, { invitations: _, workspaces: __, ...members }: Collaboration): object {
  // An organization has another id here than elsewhere, as in the documented example.
  return { ...members, description: '', collaborationHostPortalId: `962998f1-${world.id}`, config: {} }
}

function pageOf(noun: string, all: readonly object[], { parameters }: ArcgisCall): object {
  const start = Number(parameters.get('start') ?? 1)
  const next = start + pageSize
  const [total, nextStart] = [all.length, next <= all.length ? next : -1]
  return { total, start, num: pageSize, nextStart, [noun]: all.slice(start - 1, next - 1) }
}

function requireCollaboration(world: World, call: ArcgisCall): Collaboration {
  requireAdministrator(world, call.token)
  requirePortal(world, call)
  const found = world.collaborations.get(call.places['collaboration']!)
  if (!found) throw notFound()
  return found
}

function requireInvitation(world: World, call: ArcgisCall): Invitation {
  const found = requireCollaboration(world, call).invitations.get(call.places['invitation']!)
  if (!found) throw notFound()
  return found
}

function requireOpen(invitation: Invitation): Invitation {
  if (invitation.status === 'host_created') return invitation
  throw new ArcgisError(400, `Unable to process an invitation that is ${invitation.status}.`)
}
