import type { Client, Parameters } from './portal.ts'

/** Resources that one organization hosts, with another one as its guest. */
export interface Hosted {
  /** Shared: the guest takes part, and each of both has linked a group to the first of two workspaces. */
  readonly collaborationId: string
  readonly workspaceId: string
  /** Id of one more invitation to the shared one, which is not answered yet. */
  readonly invitationId: string
  /** The guest's portal. */
  readonly participantId: string
  /** Public, and of the host. */
  readonly hostGroupId: string
  /** Public, and of the guest. */
  readonly guestGroupId: string
  /** The guest has accepted and answered, and the host has not imported the response yet. */
  readonly answeredCollaborationId: string
  readonly answeredWorkspaceId: string
  readonly answeredInvitationId: string
  /** Text of the file. */
  readonly response: string
  /** The guest is invited, and has not accepted yet. */
  readonly pendingCollaborationId: string
  /** Text of the file. */
  readonly invitation: string
}

/** A client that may manage the collaborations of an organization, and a public group of it. */
export interface Side {
  readonly client: Client
  readonly portalId: string
  readonly groupId: string
}

/** Three collaborations, each as far as its host and its guest have come with it. */
export async function hostForGuest(host: Side, guest: Side): Promise<Hosted> {
  const shared = await invite(host)
  await done(host.client, `${below(shared)}/addWorkspace`, { collaborationWorkspaceName: 'Names of places' })
  await done(host.client, `${below(shared)}/importInvitationResponse`, {
    invitationResponseJSON: await respond(guest, shared),
  })
  const link = `${below(shared)}/workspaces/${shared.workspaceId}/updatePortalGroupLink`
  await done(guest.client, link, { portalGroupId: guest.groupId })
  const answered = await invite(host)
  const pending = await invite(host)
  return {
    collaborationId: shared.collaborationId,
    workspaceId: shared.workspaceId,
    invitationId: (await inviteTo(host, shared)).invitationId,
    participantId: guest.portalId,
    hostGroupId: host.groupId,
    guestGroupId: guest.groupId,
    answeredCollaborationId: answered.collaborationId,
    answeredWorkspaceId: answered.workspaceId,
    answeredInvitationId: answered.invitationId,
    response: await respond(guest, answered),
    pendingCollaborationId: pending.collaborationId,
    invitation: pending.invitation,
  }
}

interface Place {
  readonly collaborationId: string
  readonly workspaceId: string
}

interface Invited extends Place {
  readonly invitationId: string
  readonly invitation: string
}

function below({ collaborationId }: Place): string {
  return `/portals/self/collaborations/${collaborationId}`
}

/** A new collaboration with an invitation to it. */
async function invite(host: Side): Promise<Invited> {
  const { collaboration } = await host.client.post('/portals/self/createCollaboration', {
    name: 'Alpine maps',
    workspaceName: 'Base maps',
    portalGroupId: host.groupId,
  })
  const collaborationId: string = collaboration.id
  const { workspaces } = await host.client.get(`/portals/self/collaborations/${collaborationId}/workspaces`)
  return inviteTo(host, { collaborationId, workspaceId: workspaces[0].id })
}

async function inviteTo({ client }: Side, place: Place): Promise<Invited> {
  const file = await client.post(`${below(place)}/inviteParticipant`, {
    guestPortalUrl: client.portal.server.publicUrl(),
    collaborationWorkspacesParticipantConfigJSON: [{ [place.workspaceId]: 'send' }],
  })
  return { ...place, invitationId: file.invitationRequest.id, invitation: JSON.stringify(file) }
}

/** Accepts as the guest; resolves with the text of its response. */
async function respond({ client }: Side, invited: Invited): Promise<string> {
  await done(client, '/portals/self/acceptCollaborationInvitation', { invitationJSON: invited.invitation })
  return JSON.stringify(await client.post(`${below(invited)}/exportInvitationResponse`))
}

async function done(client: Client, path: string, parameters: Parameters): Promise<void> {
  const answer = await client.post(path, parameters)
  if (answer.success !== true) throw new Error(`${path} was refused: ${JSON.stringify(answer)}`)
}
