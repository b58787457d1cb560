import type { LightMyRequestResponse } from 'fastify'
import { ListeningPortal } from './listening-portal.ts'
import { type Body, type Client, type Parameters, startPortal, type TestPortal } from './portal.ts'

/** The guest's side of the handshake: an administrator who is sent invitations. */
export class Guest {
  readonly client: Client

  constructor(client: Client) {
    this.client = client
  }

  validate(invitation: string): Promise<Body> {
    return this.client.post('/portals/self/validateCollaborationInvitation', { invitationJSON: invitation })
  }

  accept(invitation: string, contact: Parameters = {}): Promise<Body> {
    return this.client.post('/portals/self/acceptCollaborationInvitation', { invitationJSON: invitation, ...contact })
  }

  /** The whole answer: the response file, with its name in the headers. */
  export(collaborationId: string): Promise<LightMyRequestResponse> {
    return this.client.portal.inject({
      method: 'POST',
      url: `/portals/self/collaborations/${collaborationId}/exportInvitationResponse`,
      headers: { 'x-esri-authorization': `Bearer ${this.client.token}` },
    })
  }

  /** Accepts, and resolves with the text of the response file. */
  async answer(invitation: string, contact: Parameters = {}): Promise<string> {
    const { collaborationId, error } = await this.accept(invitation, contact)
    if (error) throw new Error(`The invitation was not accepted: ${JSON.stringify(error)}`)
    return (await this.export(collaborationId)).body
  }
}

/** Sends a file as a part of a multipart body, byte by byte as it is. */
export async function sendFile(client: Client, path: string, name: string, file: string | Buffer): Promise<Body> {
  const response = await client.portal.inject({
    method: 'POST',
    url: path,
    headers: {
      'content-type': 'multipart/form-data; boundary=handshake',
      'x-esri-authorization': `Bearer ${client.token}`,
    },
    payload: Buffer.concat([
      Buffer.from(
        `--handshake\r\nContent-Disposition: form-data; name="${name}"; filename="received"\r\n` +
          'Content-Type: application/octet-stream\r\n\r\n',
      ),
      Buffer.from(file),
      Buffer.from('\r\n--handshake--\r\n'),
    ]),
  })
  return response.json()
}

/** A server with a database and a clock of its own, to which every request goes over a socket. Closes itself. */
export async function startServer(
  environment: Readonly<Record<string, string>> = {},
  isReused = true,
): Promise<TestPortal> {
  const { server, clock } = await startPortal({ environment: { PUBLIC_URL: '', PORT: '0', ...environment }, isReused })
  await server.listen()
  return new RemotePortal(server, clock)
}

class RemotePortal extends ListeningPortal {
  override async inject({ method = 'GET', url, headers = {}, payload }: Sent): Promise<LightMyRequestResponse> {
    const body = payload === undefined ? {} : { body: new Uint8Array(Buffer.from(payload)) }
    const response = await fetch(`${this.url}${url}`, { method, headers, ...body })
    const text = await response.text()
    return {
      statusCode: response.status,
      headers: Object.fromEntries(response.headers),
      body: text,
      json: () => JSON.parse(text),
    } as LightMyRequestResponse
  }
}

type Sent = globalThis.Parameters<TestPortal['inject']>[0]
