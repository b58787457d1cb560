import { draftResponse, type InvitationVerdict } from '../../collaborations/guest-operations.ts'
import { requireCollaborationManager } from '../../collaborations/operations.ts'
import type { ResponseVerdict } from '../../collaborations/response-operations.ts'
import type { VerifiedFile } from '../../collaborations/signature.ts'
import { type FileKind, formatSignedFile, invitationFile, responseFile } from '../../collaborations/signed-file.ts'
import { mapParsed, type Parsed } from '../../parsed.ts'
import { success } from '../answer.ts'
import { exampleIds } from '../docs/examples.ts'
import * as examples from '../docs/handshake-examples.ts'
import { guestAdministrators, hostAdministrators } from './collaboration-callers.ts'
import { type ApiRequest, type Endpoint, endpoint } from './endpoint.ts'
import { optionalFile, optionalJsonText, optionalText, type Parameter } from './parameter-types.ts'

const { participantId, collaborationId } = exampleIds
const onGuest = { caller: 'guest', ids: { portalId: participantId, collaborationId }, moment: 'accepted' } as const

const invitation = {
  invitationFile: optionalFile('The invitation file as it came from the host, in a multipart body.'),
  invitationJSON: optionalJsonText('Its text, in place of the file.'),
}
const response = {
  invitationResponseFile: optionalFile('The response file as it came from the guest, in a multipart body.'),
  invitationResponseJSON: optionalJsonText('Its text, in place of the file.'),
}

const name = { maxLength: 128 }
const contact = {
  guestContactFirstname: optionalText('Whom the host may ask.', name),
  guestContactLastname: optionalText('Whom the host may ask.', name),
  guestContactEmailAddress: optionalText('Where the host may ask.', name),
}

type Given = Pick<
  ApiRequest<string, Readonly<Record<string, Parameter<string | undefined>>>, '/portals/:portalId'>,
  'ids' | 'input' | 'dependencies' | 'read'
>

/**
 * The one text that is given, checked from its form to its signature. Whom it is for, the operation judges.
 * Permission is asked for first, so that nobody makes the server check signatures in vain.
 */
async function verify(
  { ids, input, dependencies, read }: Given,
  names: readonly [file: string, text: string],
  kind: FileKind,
): Promise<Parsed<VerifiedFile>> {
  await read(requireCollaborationManager, ids.portalId)
  if ('problems' in input) return input
  const texts = names.map((name) => input.value[name]).filter((text) => text !== undefined && text !== '')
  const [text] = texts
  if (text === undefined || texts.length > 1) return { problems: [`Give either ${names[0]} or ${names[1]}.`] }
  const file = await dependencies.signer.verify(text, kind)
  return 'problem' in file ? { problems: [file.problem] } : { value: file }
}

const invitationNames = ['invitationFile', 'invitationJSON'] as const
const responseNames = ['invitationResponseFile', 'invitationResponseJSON'] as const

function invitationVerdictToWire({ request, file }: InvitationVerdict): object {
  return { success: true, hostKeyFingerprint: file.fingerprint, invitationRequest: request }
}

function responseVerdictToWire({ response, fingerprint }: ResponseVerdict): object {
  return { success: true, guestKeyFingerprint: fingerprint, invitationResponse: response }
}

/** The handshake of host and guest, after the invitation has left the host. */
export const handshakeRows: readonly Endpoint[] = [
  endpoint({
    id: 'validateCollaborationInvitation',
    room: 'collaborations',
    title: 'Validate invitation',
    task: 'validate collaboration invitation',
    effect: 'audit',
    path: '/portals/:portalId/validateCollaborationInvitation',
    parameters: invitation,
    token: 'required',
    who: guestAdministrators,
    summary:
      "Says whether the invitation would be accepted, and shows the fingerprint of the host's key; changes nothing.",
    source: 'documented',
    chosen: ['The answer has the fingerprint and the request, for the administrators of both sides to compare.'],
    example: { ...examples.givenInvitation, answer: examples.invitationVerdict },
    async answer(request) {
      const { ids, publicUrl, run } = request
      const file = await verify(request, invitationNames, invitationFile)
      return { json: invitationVerdictToWire(await run({ ...ids, portalUrl: publicUrl, file })) }
    },
  }),
  endpoint({
    id: 'acceptCollaborationInvitation',
    room: 'collaborations',
    title: 'Accept invitation',
    task: 'accept collaboration invitation',
    effect: 'change',
    path: '/portals/:portalId/acceptCollaborationInvitation',
    parameters: { ...invitation, ...contact },
    token: 'required',
    who: guestAdministrators,
    summary: 'Takes part, on the side of the guest. The host learns of it by the response that is exported next.',
    source: 'documented',
    chosen: ['A refreshed or new invitation to the same collaboration is accepted in place of the former one.'],
    example: {
      ...examples.givenInvitation,
      parameters: { ...examples.givenInvitation.parameters, ...examples.guestContact },
      answer: { success: true, collaborationId },
    },
    async answer(request) {
      const { ids, input, publicUrl, run } = request
      const file = await verify(request, invitationNames, invitationFile)
      const named = mapParsed(input, (values) => ({
        firstName: values.guestContactFirstname ?? '',
        lastName: values.guestContactLastname ?? '',
        email: values.guestContactEmailAddress ?? '',
      }))
      const { collaborationId } = await run({
        ...ids,
        portalUrl: publicUrl,
        file,
        contact: named,
      })
      return { json: { success: true, collaborationId } }
    },
  }),
  endpoint({
    id: 'exportInvitationResponse',
    room: 'collaborations',
    title: 'Export response',
    task: 'export invitation response',
    effect: 'audit',
    path: '/portals/:portalId/collaborations/:collaborationId/exportInvitationResponse',
    parameters: {},
    token: 'required',
    who: guestAdministrators,
    summary: 'Answers the signed response file, to be sent to the host.',
    source: 'documented',
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
    room: 'collaborations',
    title: 'Remove participation',
    task: 'remove participation',
    effect: 'change',
    path: '/portals/:portalId/collaborations/:collaborationId/removeParticipation',
    parameters: {},
    token: 'required',
    who: guestAdministrators,
    summary: 'The guest leaves the collaboration; the host removes it on its own side.',
    source: 'documented',
    chosen: ['The host is not told: no server calls another.'],
    example: { ...onGuest, answer: { success: true } },
    async answer({ ids, run }) {
      await run(ids)
      return success
    },
  }),
  endpoint({
    id: 'validateInvitationResponse',
    room: 'collaborations',
    title: 'Validate response',
    task: 'validate invitation response',
    effect: 'audit',
    path: '/portals/:portalId/collaborations/:collaborationId/validateInvitationResponse',
    parameters: response,
    token: 'required',
    who: hostAdministrators,
    summary:
      "Gives the very verdict that importing would give, with the fingerprint of the guest's key; changes nothing.",
    source: 'documented',
    example: { ...examples.givenResponse, answer: examples.responseVerdict },
    async answer(request) {
      const { ids, run } = request
      const file = await verify(request, responseNames, responseFile)
      return { json: responseVerdictToWire(await run({ ...ids, file })) }
    },
  }),
  endpoint({
    id: 'importInvitationResponse',
    room: 'collaborations',
    title: 'Import response',
    task: 'import invitation response',
    effect: 'change',
    path: '/portals/:portalId/collaborations/:collaborationId/importInvitationResponse',
    parameters: response,
    token: 'required',
    who: hostAdministrators,
    summary: 'Makes the guest a participant. A response to an invitation that was taken back never does.',
    source: 'documented',
    chosen: ['Altered, expired, replayed, or meant for somebody else: 400 with one sentence that says why.'],
    example: { ...examples.givenResponse, answer: examples.responseVerdict },
    async answer(request) {
      const { ids, run } = request
      const file = await verify(request, responseNames, responseFile)
      return { json: responseVerdictToWire(await run({ ...ids, file })) }
    },
  }),
]
