import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import type { CollaborationHost, IssuedInvitation } from '../portal/collaboration-host.ts'
import type { Parameters } from '../portal/portal.ts'

/**
 * Another implementation of docs/protocol.md: it writes and signs files with nothing but node:crypto, so that what is
 * tried here is the protocol and not one program against itself. It also writes files that are wrong on purpose.
 */

/** Names that distinguish one kind of file from another. */
export interface Names {
  readonly document: string
  readonly publicKey: string
  readonly type: string
}

export const invitationNames: Names = {
  document: 'invitationRequest',
  publicKey: 'hostPublicKey',
  type: 'cartulary-invitation+jws',
}
export const responseNames: Names = {
  document: 'invitationResponse',
  publicKey: 'guestPublicKey',
  type: 'cartulary-invitation-response+jws',
}

export interface Signatory {
  readonly jwk: { readonly crv: string; readonly x: string; readonly kty: string }
  /** The private half, in base64url. */
  readonly d: string
  sign(bytes: string | Buffer): Buffer
}

const pkcs8Ed25519 = Buffer.from('302e020100300506032b657004220420', 'hex')

/** A key pair, the same one for the same number. */
export function signatory(number: number): Signatory {
  const seed = createHash('sha256').update(`signatory ${number}`).digest()
  const der = Buffer.concat([pkcs8Ed25519, seed])
  const key: KeyObject = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const { x } = createPublicKey(key).export({ format: 'jwk' })
  return {
    jwk: { crv: 'Ed25519', x: x!, kty: 'OKP' },
    d: base64url(seed),
    sign: (bytes) => sign(null, Buffer.from(bytes), key),
  }
}

export function base64url(bytes: string | Buffer): string {
  return Buffer.from(bytes).toString('base64url')
}

export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Parts of a file that differ from a valid one. */
export interface Differences {
  readonly header?: string | Buffer
  readonly payload?: string | Buffer
  /** The key in the file and, if no header is given, in the header. */
  readonly jwk?: object
  /** Makes the signature; the input is the first two parts of the JWS. */
  readonly sign?: (input: string) => string | Buffer
  /** Changes the JWS after it was made. */
  readonly respell?: (jws: string) => unknown
}

/** The text of a signed file. */
export function writeFile(names: Names, document: object, by: Signatory, differences: Differences = {}): string {
  const { jwk = by.jwk, sign = by.sign, respell = (jws: string) => jws } = differences
  const header = differences.header ?? writeHeader(names, jwk)
  const input = `${base64url(header)}.${base64url(differences.payload ?? JSON.stringify(document))}`
  const signature = respell(`${input}.${base64url(sign(input))}`)
  return JSON.stringify({ [names.document]: document, [names.publicKey]: jwk, signature })
}

export function writeHeader(names: Names, jwk: object, changes: object = {}): string {
  return JSON.stringify({ alg: 'Ed25519', typ: names.type, jwk, ...changes })
}

/** Payload of a guest's valid response to this invitation. */
export function aResponse(invitation: IssuedInvitation, changes: Parameters = {}): Parameters {
  const { invitationRequest } = JSON.parse(invitation.text)
  return {
    id: invitationRequest.id,
    collaborationId: invitationRequest.collaborationId,
    hostPortalId: invitationRequest.hostPortalId,
    guestPortalId: 'InstituteOfSeas1',
    guestPortalName: 'Institute of Seas',
    guestPortalUrl: invitationRequest.guestPortalUrl,
    guestContactFirstname: 'Ören',
    guestContactLastname: 'Sjö',
    guestContactEmailAddress: 'oren@guest.example.org',
    invitationDigest: digestOf(invitation.text),
    created: invitationRequest.created + 1,
    ...changes,
  }
}

/** The file of such a response. */
export function writeResponse(invitation: IssuedInvitation, changes: Parameters = {}, by = signatory(1)): string {
  return writeFile(responseNames, aResponse(invitation, changes), by)
}

/** Payload of a host's valid invitation for the guest at this root. */
export function anInvitationRequest(guestPortalUrl: string, created: number, changes: Parameters = {}): Parameters {
  return {
    id: '1'.repeat(32),
    collaborationId: '2'.repeat(32),
    collaborationName: 'Soundings',
    collaborationDescription: '',
    hostPortalId: 'InstituteOfSeas1',
    hostPortalName: 'Institute of Seas',
    hostPortalUrl: 'https://seas.example.org',
    hostContactFirstname: '',
    hostContactLastname: '',
    hostContactEmailAddress: '',
    guestPortalUrl,
    collaborationWorkspaces: [{ id: '3'.repeat(32), name: 'Depths', description: '', accessMode: 'send' }],
    created,
    expiration: created + 72 * 3_600_000,
    ...changes,
  }
}

/** Sends a response to the host, as JSON text; `validate` asks for the verdict only. */
export function answerHost(host: CollaborationHost, text: string, operation: 'import' | 'validate' = 'import') {
  return host.client.post(`${host.path}/${operation}InvitationResponse`, { invitationResponseJSON: text })
}
