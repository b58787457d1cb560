import { mapParsed } from '../../../call/parsed.ts'
import { draftResponse } from '../../../collaborations/guest-operations.ts'
import {
  type CollaborationId,
  requireCollaborationManager,
  requireHostedCollaboration,
} from '../../../collaborations/operations.ts'
import { verifyOnly } from '../../../collaborations/signature.ts'
import { type FileKind, formatSignedFile, invitationFile, responseFile } from '../../../collaborations/signed-file.ts'
import { exampleIds } from '../../examples/examples.ts'
import * as examples from '../../examples/handshake.ts'
import {
  invitationResponseFileShape,
  invitationVerdictShape,
  invitationVerdictToWire,
  responseVerdictShape,
  responseVerdictToWire,
} from '../../shapes/collaborations/handshake.ts'
import { id } from '../../shapes/shape.ts'
import { successShapeWith, successWith } from '../../shapes/success.ts'
import { type ApiRequest, type Endpoint, endpointsOf, type RunQuery, runByIds } from '../endpoint.ts'
import { optionalBoolean, optionalFile, optionalJsonText, optionalName, type Parameter } from '../parameter-types.ts'
import { optionalEmail } from '../people/email-parameter.ts'
import { notKept, withoutEffect } from '../unused-parameters.ts'
import { guestAdministrators, hostAdministrators } from './collaborations.ts'

const endpoint = endpointsOf('collaborations')

const { participantId, collaborationId } = exampleIds
const onGuest = { caller: 'guest', ids: { portalId: participantId, collaborationId }, moment: 'accepted' } as const

const invitation = {
  invitationFile: optionalFile('The invitation file as received from the host, in a multipart body.'),
  invitationJSON: optionalJsonText('Text of the invitation file, instead of invitationFile.'),
  acceptNewKey: acceptNewKeyOf('host'),
}
const response = {
  invitationResponseFile: optionalFile('The response file as received from the guest, in a multipart body.'),
  invitationResponseJSON: optionalJsonText('Text of the response file, instead of invitationResponseFile.'),
  acceptNewKey: acceptNewKeyOf('guest'),
}

/** Whether a key that replaces the known one is accepted. */
function acceptNewKeyOf(signer: 'host' | 'guest') {
  return optionalBoolean(
    `true accepts another key than the one by which the ${signer} is known, or another portal at a known URL, once administrators have compared its fingerprint.`,
  )
}

const newKeyChosen =
  'A file of a portal that the organization knows by another key, or with a URL at which it knows another portal, is refused with both fingerprints, unless acceptNewKey is true.'

const noSignIn = 'no server signs in to another one here; leave it out.'
/** Credentials for a host behind a web server with a sign-in of its own (documented). Forms send them empty. */
const hostSignIn = {
  ...notKept({ hostWebauthUsername: noSignIn, hostWebauthPassword: noSignIn, hostWebauthCertPassword: noSignIn }),
  ...withoutEffect('hostWebauthCertificateFile'),
}
const guestSignIn = {
  ...notKept({ guestWebauthUsername: noSignIn, guestWebauthPassword: noSignIn, guestWebauthCertPassword: noSignIn }),
  ...withoutEffect('guestWebauthCertificateFile'),
}

const name = { maxLength: 128 }
const contact = {
  guestContactFirstname: optionalName('First name of the contact for the host.', name),
  guestContactLastname: optionalName('Last name of the contact for the host.', name),
  guestContactEmailAddress: optionalEmail('E-mail address of the contact for the host.'),
}

type HandshakeRequest = Pick<
  ApiRequest<string, Readonly<Record<string, Parameter<string | boolean | undefined>>>, '/portals/:portalId'>,
  'ids' | 'input' | 'dependencies' | 'publicUrl'
> & { readonly read: RunQuery }

/** The input of the operations that check an invitation. No unauthorized caller makes the server verify signatures. */
async function receiveInvitation(given: HandshakeRequest) {
  await given.read(requireCollaborationManager, given.ids.portalId)
  const received = await receive(given, ['invitationFile', 'invitationJSON'], invitationFile)
  return { ...given.ids, ...received, collaborationId: given.dependencies.random.id() }
}

/** The input of the operations that check a response. */
async function receiveResponse(given: HandshakeRequest & { readonly ids: CollaborationId }) {
  await given.read(requireHostedCollaboration, given.ids)
  const received = await receive(given, ['invitationResponseFile', 'invitationResponseJSON'], responseFile)
  return { ...given.ids, ...received }
}

async function receive({ input, dependencies, publicUrl }: HandshakeRequest, names: readonly string[], kind: FileKind) {
  const texts = mapParsed(input, (values) => names.map((name) => [name, values[name]] as const))
  const file = await verifyOnly(dependencies.signer, texts, kind)
  return { portalUrl: publicUrl, file, acceptNewKey: mapParsed(input, ({ acceptNewKey }) => acceptNewKey === true) }
}

/** The handshake of host and guest, after the invitation has left the host. */
export const handshakeRows: readonly Endpoint[] = [
  endpoint({
    id: 'validateCollaborationInvitation',
    title: 'Validate invitation',
    goals: ['Answer the invitation of a partner'],
    path: '/portals/:portalId/validateCollaborationInvitation',
    parameters: invitation,
    who: guestAdministrators,
    summary:
      "Checks whether the invitation can be accepted, and answers the fingerprint of the host's key; changes nothing.",
    chosen: [
      'The answer has the fingerprint and the request, which the administrators of both sides compare.',
      'hostKey says whether the organization knows this key of the host from an invitation that it accepted before.',
      newKeyChosen,
    ],
    answers: { json: invitationVerdictShape },
    example: { ...examples.givenInvitation, answer: examples.invitationVerdict },
    async answer(request) {
      return { json: invitationVerdictToWire(await request.run(await receiveInvitation(request))) }
    },
  }),
  endpoint({
    id: 'acceptCollaborationInvitation',
    title: 'Accept invitation',
    goals: ['Answer the invitation of a partner'],
    path: '/portals/:portalId/acceptCollaborationInvitation',
    parameters: { ...invitation, ...contact, ...hostSignIn },
    who: guestAdministrators,
    summary:
      'Accepts the invitation on the side of the guest. The host is informed by the response, which is exported next.',
    chosen: [
      'A refreshed or new invitation to the same collaboration replaces the previous one.',
      newKeyChosen,
      'If the organization has a collaboration of another host under the id in the file, the answer has a new collaborationId, by which this side knows it.',
      'An invitation that expires more than 72 hours from now is refused; 5 minutes more are allowed for differing clocks.',
    ],
    answers: { json: successShapeWith({ collaborationId: id() }) },
    example: {
      ...examples.givenInvitation,
      parameters: { ...examples.givenInvitation.parameters, ...examples.guestContact },
      answer: { success: true, collaborationId },
    },
    async answer(request) {
      const received = await receiveInvitation(request)
      const contact = mapParsed(request.input, (values) => ({
        firstName: values.guestContactFirstname ?? '',
        lastName: values.guestContactLastname ?? '',
        email: values.guestContactEmailAddress ?? '',
      }))
      const { collaborationId } = await request.run({ ...received, contact })
      return successWith({ collaborationId })
    },
  }),
  endpoint({
    id: 'exportInvitationResponse',
    title: 'Export response',
    goals: ['Answer the invitation of a partner'],
    path: '/portals/:portalId/collaborations/:collaborationId/exportInvitationResponse',
    who: guestAdministrators,
    summary: 'Answers the signed response file, to be sent to the host.',
    answers: { file: invitationResponseFileShape },
    example: { ...onGuest, answer: examples.responseFile },
    async answer({ ids, dependencies, read, run }) {
      const { response, fileName, key } = await read(draftResponse, ids)
      const file = formatSignedFile(responseFile, response, await dependencies.signer.sign(response, responseFile, key))
      await run(ids)
      return { file, fileName }
    },
  }),
  endpoint({
    id: 'removeParticipation',
    title: 'Remove participation',
    goals: ['End the work with a partner'],
    path: '/portals/:portalId/collaborations/:collaborationId/removeParticipation',
    who: guestAdministrators,
    summary: 'Ends the participation on the side of the guest; the host removes the participant on its own side.',
    chosen: ['The host is not notified, since servers do not call each other.'],
    example: { ...onGuest, answer: { success: true } },
    answer: runByIds,
  }),
  endpoint({
    id: 'validateInvitationResponse',
    title: 'Validate response',
    goals: ['Let an invited partner in'],
    path: '/portals/:portalId/collaborations/:collaborationId/validateInvitationResponse',
    parameters: response,
    who: hostAdministrators,
    summary:
      "Checks whether the response can be imported, and answers the fingerprint of the guest's key; changes nothing.",
    chosen: [
      'guestKey says whether the organization knows this key of the guest from a response that it imported before.',
      newKeyChosen,
    ],
    answers: { json: responseVerdictShape },
    example: { ...examples.givenResponse, answer: examples.responseVerdict },
    async answer(request) {
      return { json: responseVerdictToWire(await request.run(await receiveResponse(request))) }
    },
  }),
  endpoint({
    id: 'importInvitationResponse',
    title: 'Import response',
    goals: ['Let an invited partner in'],
    path: '/portals/:portalId/collaborations/:collaborationId/importInvitationResponse',
    parameters: { ...response, ...guestSignIn },
    who: hostAdministrators,
    summary: 'Makes the guest a participant. A response to an invalidated invitation is never imported.',
    chosen: [
      'A response that is altered, expired, replayed or meant for another recipient is 400, with one sentence that says why.',
      newKeyChosen,
    ],
    answers: { json: responseVerdictShape },
    example: { ...examples.givenResponse, answer: examples.responseVerdict },
    async answer(request) {
      return { json: responseVerdictToWire(await request.run(await receiveResponse(request))) }
    },
  }),
]
