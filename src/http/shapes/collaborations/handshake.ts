import type { InvitationVerdict } from '../../../collaborations/guest-operations.ts'
import { requestShape } from '../../../collaborations/invitation.ts'
import { type KeyVerdict, type KnownKey, keyStates } from '../../../collaborations/known-key.ts'
import { responseShape } from '../../../collaborations/response.ts'
import type { ResponseVerdict } from '../../../collaborations/response-operations.ts'
import type { Shape as DocumentMembers, Shaped } from '../../../collaborations/shape.ts'
import {
  choice,
  component,
  constant,
  id,
  list,
  matching,
  object,
  type Shape,
  shortId,
  text,
  time,
  type ValueOf,
} from '../shape.ts'
import { successShapeWith } from '../success.ts'

/** A signed document, as the room describes it; `meanings` say what the names of members do not. */
function documentShape<const Members extends DocumentMembers>(
  members: Members,
  meanings: { readonly [Name in keyof Members]?: string } = {},
): Shape<Shaped<Members>> {
  const properties = Object.entries(members).map(([name, kind]) => {
    const meaning = meanings[name]
    if (typeof kind !== 'string') return [name, list(documentShape(kind[0]), meaning)]
    if (kind === 'time') return [name, time(meaning ?? '')]
    return [name, { text, id, portalId: shortId }[kind](meaning)]
  })
  return object(Object.fromEntries(properties)) as Shape<Shaped<Members>>
}

const invitationRequestShape = component(
  'InvitationRequest',
  'What the host signs. `id` is the id of the invitation.',
  documentShape(requestShape, {
    guestPortalUrl: 'Public root of the server of the guest.',
    hostPortalUrl: 'Public root of the server of the host.',
    collaborationWorkspaces: 'Workspaces that the guest is invited to, with its access mode in each.',
    created: 'When the invitation was created.',
    expiration: 'Until when a response can be imported.',
  }),
)

const invitationResponseShape = component(
  'InvitationResponse',
  'What the guest signs. `id` is the id of the invitation.',
  documentShape(responseShape, {
    guestPortalUrl: 'Public root of the server of the guest.',
    invitationDigest: 'SHA-256 of the invitation file, in lower-case hex.',
    created: 'When the response was created.',
  }),
)

export const publicKeyShape = component(
  'PublicKey',
  'An Ed25519 public key as a JWK.',
  object({ kty: constant('OKP'), crv: constant('Ed25519'), x: matching('^[\\w-]{43}$') }),
)

export type WirePublicKey = ValueOf<typeof publicKeyShape>

export const fingerprintShape = matching('^[\\w-]{43}$', 'JWK thumbprint of the key (RFC 7638, SHA-256).')

/** 16 groups of four, to be read out. */
export const fingerprintHexShape = matching(
  '^[0-9a-f]{4}( [0-9a-f]{4}){15}$',
  'The same fingerprint in hexadecimal digits, to be compared by telephone.',
)

export function fingerprintToHex(fingerprint: string): string {
  const digits = Buffer.from(fingerprint, 'base64url').toString('hex')
  return digits.replace(/.{4}(?=.)/g, '$& ')
}

const signature = matching(
  '^[\\w-]+\\.[\\w-]+\\.[\\w-]+$',
  'Compact JWS (Ed25519) whose payload is the JSON of the document.',
)

export const invitationFileShape = component(
  'InvitationFile',
  'The file that the host sends to the guest, byte for byte: the request, the public key of the host, and its signature.',
  object({ invitationRequest: invitationRequestShape, hostPublicKey: publicKeyShape, signature }),
)
export type WireInvitationFile = ValueOf<typeof invitationFileShape>

export const invitationResponseFileShape = component(
  'InvitationResponseFile',
  'The file that the guest sends to the host, byte for byte: the response, the public key of the guest, and its signature.',
  object({ invitationResponse: invitationResponseShape, guestPublicKey: publicKeyShape, signature }),
)
export type WireInvitationResponseFile = ValueOf<typeof invitationResponseFileShape>

const knownKeyMembers = {
  fingerprint: fingerprintShape,
  fingerprintHex: fingerprintHexShape,
  since: time('Since when that key is known.'),
}

const knownPortalShape = component(
  'PortalAtUrl',
  'The portal that is known at the URL in a file, where another portal signed the file.',
  object({ portalId: shortId(), ...knownKeyMembers }),
)

const keyVerdictShape = component(
  'KeyVerdict',
  'How the portal that signed a file compares with what the organization knows of it, and of the URL in the file.',
  object(
    {
      state: choice(
        keyStates,
        'new: no file of this portal was accepted before; known: the same key; changed: another key, or a URL of another portal, which acceptNewKey accepts.',
      ),
    },
    {
      ...knownKeyMembers,
      atUrl: knownPortalShape,
    },
  ),
)

function keyVerdictToWire({ state, known, atUrl }: KeyVerdict): ValueOf<typeof keyVerdictShape> {
  return {
    state,
    ...(known && knownKeyToWire(known)),
    ...(atUrl && { atUrl: { portalId: atUrl.signerPortalId, ...knownKeyToWire(atUrl) } }),
  }
}

function knownKeyToWire({ fingerprint, knownSince }: KnownKey) {
  return { fingerprint, fingerprintHex: fingerprintToHex(fingerprint), since: knownSince }
}

export const invitationVerdictShape = successShapeWith({
  hostKeyFingerprint: fingerprintShape,
  hostKeyFingerprintHex: fingerprintHexShape,
  hostKey: keyVerdictShape,
  invitationRequest: invitationRequestShape,
})

export function invitationVerdictToWire({
  request,
  file,
  key,
}: Pick<InvitationVerdict, 'request' | 'file' | 'key'>): ValueOf<typeof invitationVerdictShape> {
  return {
    success: true,
    hostKeyFingerprint: file.fingerprint,
    hostKeyFingerprintHex: fingerprintToHex(file.fingerprint),
    hostKey: keyVerdictToWire(key),
    invitationRequest: request,
  }
}

export const responseVerdictShape = successShapeWith({
  guestKeyFingerprint: fingerprintShape,
  guestKeyFingerprintHex: fingerprintHexShape,
  guestKey: keyVerdictShape,
  invitationResponse: invitationResponseShape,
})

export function responseVerdictToWire({
  response,
  file,
  key,
}: Pick<ResponseVerdict, 'response' | 'file' | 'key'>): ValueOf<typeof responseVerdictShape> {
  return {
    success: true,
    guestKeyFingerprint: file.fingerprint,
    guestKeyFingerprintHex: fingerprintToHex(file.fingerprint),
    guestKey: keyVerdictToWire(key),
    invitationResponse: response,
  }
}
