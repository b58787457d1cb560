import type { InvitationRequest } from '../../collaborations/invitation.ts'
import type { InvitationResponse } from '../../collaborations/response.ts'
import {
  fingerprintToHex,
  type WireInvitationFile,
  type WireInvitationResponseFile,
  type WirePublicKey,
} from '../shapes/collaborations/handshake.ts'
import type { WireInvitation } from '../shapes/collaborations/invitation.ts'
import type { WireParticipant } from '../shapes/collaborations/participant.ts'
import {
  alpineData,
  alpineWorkspace,
  exampleIds,
  exampleRoot,
  exampleTime,
  generatedIds,
  guestRoot,
  hostContact,
} from './examples.ts'

/**
 * The handshake of the documented examples. Its keys are fixed, so every signature, digest and fingerprint is exactly
 * what the server makes, and can be verified.
 */

const { portalId, participantId, collaborationId } = exampleIds
const times = { created: exampleTime, modified: exampleTime }
const expiration = exampleTime + 72 * 3_600_000

/** The key of the host. */
export const hostPublicKey: WirePublicKey = {
  crv: 'Ed25519',
  x: '2IOisqov7BXv0O-C_wOQaIcEJNNPqV7WpzpLED-s7Qk',
  kty: 'OKP',
}
/** The key of the guest. */
export const guestPublicKey: WirePublicKey = {
  crv: 'Ed25519',
  x: 'icaUIZHM6JrmdB9J0azgTz8EimJA-PME_hC8c9-SEew',
  kty: 'OKP',
}

const hostFingerprint = 'd7519_7uCt1wNvAAOeAoTigJ1WwXGS9gkWtO7KLo1To'
const guestFingerprint = 'b43qz_Q5YyCDiX6ODSJ-hra5XBVsg0GwQyFFnyEH8H4'

/** The organization's public key. */
export const publicKeyAnswer = {
  publicKey: hostPublicKey,
  fingerprint: hostFingerprint,
  fingerprintHex: fingerprintToHex(hostFingerprint),
}

const invitationFileName = 'collaboration-guest.example.org.invite'
const responseFileName = 'collaboration-guest.example.org.response'

function invitationRequestOf(id: string): InvitationRequest {
  return {
    id,
    collaborationId,
    collaborationName: alpineData.name,
    collaborationDescription: alpineData.description,
    hostPortalId: portalId,
    hostPortalName: 'Ministry of Maps',
    hostPortalUrl: exampleRoot,
    ...hostContact,
    guestPortalUrl: guestRoot,
    collaborationWorkspaces: [{ ...alpineWorkspace, accessMode: 'send' }],
    created: exampleTime,
    expiration,
  }
}

/** An invitation file; `signature` are the bytes that the host's key makes of it. */
function invitationFileOf(id: string, signature: string): WireInvitationFile {
  const invitationRequest = invitationRequestOf(id)
  const header = { alg: 'Ed25519', typ: 'cartulary-invitation+jws', jwk: hostPublicKey }
  return { invitationRequest, hostPublicKey, signature: formatJws(header, invitationRequest, signature) }
}

function formatJws(header: object, payload: object, signature: string): string {
  return [encode(header), encode(payload), signature].join('.')
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}

/** The file of a new invitation. */
export const newInvitationFile = invitationFileOf(
  generatedIds.id,
  'wrtxi9WNlUY9PFoPtUad7Hujp6kFPt9yvPhUzFevs20VxQmZMbcWcXI7JOA_BVa5OOm2_-VWXNbdqwInHQ9ABQ',
)
/** The file of the invitation that was sent. */
export const invitationFile = invitationFileOf(
  exampleIds.invitationId,
  'iFkvd3pipscZxpEp3WNyIHkDRdJrEwsl5lZjAxxsOqE7KBmeCkM1mwnInsH_LuUmF2aaMBXKQB1_lbBQqqK9Cw',
)

/** An invitation as the list has it. */
export const invitationAnswer: WireInvitation = {
  id: exampleIds.invitationId,
  collaborationId,
  hostPortalId: portalId,
  guestPortalId: 'unknown',
  guestPortalUrl: guestRoot,
  status: 'host_created',
  config: { invitationRequestFilename: invitationFileName },
  invitationString: JSON.stringify(invitationFile),
  ...times,
  expiration,
}

/** The invitation file as the guest gives it to its own portal. */
export const givenInvitation = {
  caller: 'guest',
  ids: { portalId: participantId },
  fileName: invitationFileName,
  parameters: { invitationFile: JSON.stringify(invitationFile) },
} as const

/** Answer of validating the invitation. */
export const invitationVerdict = {
  success: true as const,
  hostKeyFingerprint: hostFingerprint,
  hostKeyFingerprintHex: fingerprintToHex(hostFingerprint),
  hostKey: { state: 'new' as const },
  invitationRequest: invitationRequestOf(exampleIds.invitationId),
}

/** The contact of the guest. */
export const guestContact = {
  guestContactFirstname: 'Gian',
  guestContactLastname: 'Glacier',
  guestContactEmailAddress: 'gian@guest.example.org',
}

const invitationResponse: InvitationResponse = {
  id: exampleIds.invitationId,
  collaborationId,
  hostPortalId: portalId,
  guestPortalId: participantId,
  guestPortalName: 'Institute of Glaciers',
  guestPortalUrl: guestRoot,
  ...guestContact,
  invitationDigest: 'f5bb659206c58add5bdb6e2c3b95b4acae5caa3e509ee3a6c863e68f79075979',
  created: exampleTime,
}

/** The response file that the guest exports. */
export const responseFile: WireInvitationResponseFile = {
  invitationResponse,
  guestPublicKey,
  signature: formatJws(
    { alg: 'Ed25519', typ: 'cartulary-invitation-response+jws', jwk: guestPublicKey },
    invitationResponse,
    'I5S8ZXIKoEHsp3l7AcWcz_2b6-eYHPMbESPiWkpikFjRvBLJ1B6wVoYRdfeQVLLVBQHHFdOoGxxvhc5tjYlnBw',
  ),
}

/** The response file as the host gives it to its own portal. */
export const givenResponse = {
  moment: 'accepted',
  ids: { portalId, collaborationId },
  fileName: responseFileName,
  parameters: { invitationResponseFile: JSON.stringify(responseFile) },
} as const

/** Answer of validating the response, and of importing it. */
export const responseVerdict = {
  success: true as const,
  guestKeyFingerprint: guestFingerprint,
  guestKeyFingerprintHex: fingerprintToHex(guestFingerprint),
  guestKey: { state: 'new' as const },
  invitationResponse,
}

/** The host as a participant. */
export const hostAnswer: WireParticipant = {
  collaborationId,
  portalInfo: { id: portalId, url: exampleRoot, name: 'Ministry of Maps', description: '', portalType: 'onpremises' },
  collaborationRole: 'Host',
  status: 'active',
  config: {
    contactFirstname: hostContact.hostContactFirstname,
    contactLastname: hostContact.hostContactLastname,
    contactEmailAddress: hostContact.hostContactEmailAddress,
  },
  ...times,
}

/** The guest as a participant. */
export const guestAnswer: WireParticipant = {
  ...hostAnswer,
  portalInfo: {
    id: participantId,
    url: guestRoot,
    name: invitationResponse.guestPortalName,
    description: '',
    portalType: 'onpremises',
  },
  collaborationRole: 'Guest',
  config: {
    contactFirstname: guestContact.guestContactFirstname,
    contactLastname: guestContact.guestContactLastname,
    contactEmailAddress: guestContact.guestContactEmailAddress,
  },
}
