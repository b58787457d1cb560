import type { LightMyRequestResponse } from 'fastify'
import { Guest } from './handshake.ts'
import type { Body, Client, Headers, Parameters, TestPortal } from './portal.ts'

/** An administrator with a collaboration of one workspace. */
export async function hostCollaboration(
  portal: TestPortal,
  admin?: Client,
  parameters: Parameters = {},
): Promise<CollaborationHost> {
  const client = admin ?? (await portal.admin())
  const { collaboration } = await client.post('/portals/self/createCollaboration', {
    name: 'Alpine maps',
    workspaceName: 'Base maps',
    ...parameters,
  })
  const path = `/portals/self/collaborations/${collaboration.id}`
  const { workspaces } = await client.get(`${path}/workspaces`)
  return new CollaborationHost(client, collaboration.id, workspaces[0].id)
}

/** An invitation as its host has it. */
export interface IssuedInvitation {
  readonly id: string
  /** Path of its record. */
  readonly path: string
  /** The very text of the file. */
  readonly text: string
}

/** The administrator of a collaboration who invites. */
export class CollaborationHost {
  readonly client: Client
  readonly collaborationId: string
  readonly workspaceId: string
  /** Path of the collaboration. */
  readonly path: string

  constructor(client: Client, collaborationId: string, workspaceId: string) {
    this.client = client
    this.collaborationId = collaborationId
    this.workspaceId = workspaceId
    this.path = `/portals/self/collaborations/${collaborationId}`
  }

  /** Parameters of a valid invitation. */
  wish(changes: Parameters = {}): Parameters {
    return {
      guestPortalUrl: 'https://guest.example.org/portal',
      collaborationWorkspacesParticipantConfigJSON: [{ [this.workspaceId]: 'send' }],
      ...changes,
    }
  }

  /** The whole answer to an invitation, headers included. */
  request(changes: Parameters = {}, headers: Headers = {}): Promise<LightMyRequestResponse> {
    return this.client.send(`${this.path}/inviteParticipant`, { form: this.wish(changes), headers })
  }

  /** A new invitation. */
  async invite(changes: Parameters = {}): Promise<IssuedInvitation> {
    const { body: text } = await this.request(changes)
    const { invitationRequest } = JSON.parse(text)
    if (!invitationRequest) throw new Error(`The guest was not invited: ${text}`)
    const { id } = invitationRequest
    return { id, text, path: `${this.path}/invitations/${id}` }
  }

  /** Sends an invitation that is refused; resolves with the body. */
  async inviteBadly(changes: Parameters): Promise<Body> {
    return this.client.post(`${this.path}/inviteParticipant`, this.wish(changes))
  }

  read({ path }: IssuedInvitation): Promise<Body> {
    return this.client.get(path)
  }

  importResponse(response: string): Promise<Body> {
    return this.client.post(`${this.path}/importInvitationResponse`, { invitationResponseJSON: response })
  }

  /** Takes a guest in, by the whole handshake; resolves with the guest's portal id. */
  async admit(guest: Guest, changes: Parameters = {}): Promise<string> {
    const guestPortalUrl = guest.client.portal.server.publicUrl()
    const { text } = await this.invite({ guestPortalUrl, ...changes })
    const answer = await this.importResponse(await guest.answer(text))
    if (answer.success !== true) throw new Error(`The response was not imported: ${JSON.stringify(answer)}`)
    return answer.invitationResponse.guestPortalId
  }
}

/** An invitation to another organization of the same server, with its response. */
export async function inviteNeighbour(
  host: CollaborationHost,
  changes: Parameters = {},
): Promise<{ readonly invitation: IssuedInvitation; readonly response: string; readonly guest: Guest }> {
  const { portal } = host.client
  const guest = new Guest(await portal.otherOrganization())
  const invitation = await host.invite({ guestPortalUrl: portal.server.publicUrl(), ...changes })
  return { invitation, response: await guest.answer(invitation.text), guest }
}
