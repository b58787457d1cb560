import { mapParsed } from '../../../call/parsed.ts'
import {
  type Invitation,
  invitationStates,
  maxHours,
  parsePortalUrl,
  parseWorkspaceAccess,
  rootOfCopied,
} from '../../../collaborations/invitation.ts'
import { draftInvitation, draftRefresh, type InvitationDraft } from '../../../collaborations/invitation-operations.ts'
import { formatSignedFile, invitationFile, maxFileLength } from '../../../collaborations/signed-file.ts'
import { invitationSortFields } from '../../../collaborations/store.ts'
import { sortOrders } from '../../../directory/group.ts'
import { operationRefused } from '../../../errors.ts'
import type { Dependencies } from '../../../operations/dependencies.ts'
import type { FileAnswer } from '../../answer.ts'
import { exampleIds, exampleTime, guestRoot, singlePage } from '../../examples/examples.ts'
import * as examples from '../../examples/handshake.ts'
import { invitationFileShape } from '../../shapes/collaborations/handshake.ts'
import {
  invitationShape,
  invitationToWire,
  invitationViewShape,
  invitationViewToWire,
} from '../../shapes/collaborations/invitation.ts'
import { pageOf, pageToWire } from '../../shapes/page.ts'
import { type Endpoint, endpointsOf, runByIds } from '../endpoint.ts'
import { pageParameters } from '../page-parameters.ts'
import {
  optionalChoice,
  optionalInteger,
  type Parameter,
  requiredJson,
  requiredText,
  Wrong,
} from '../parameter-types.ts'
import { hostAdministrators } from './collaborations.ts'

const endpoint = endpointsOf('collaborations')

const { portalId, collaborationId, workspaceId, invitationId } = exampleIds
const ids = { portalId, collaborationId, invitationId }

const url = requiredText('Public URL of the guest, such as https://maps.example.org/portal.')
const guestPortalUrl: Parameter<string> = {
  ...url,
  read(given) {
    const text = url.read(given)
    if (text instanceof Wrong) return text
    const root = parsePortalUrl(text.trim())
    return root === undefined
      ? new Wrong('is not an http or https URL without query, hash or user.')
      : rootOfCopied(root)
  },
}

/** Signs what was drafted; the private key is used here, between two transactions. */
async function sign({ invitation, request, key }: InvitationDraft, { signer }: Dependencies): Promise<Invitation> {
  const file = formatSignedFile(invitationFile, request, await signer.sign(request, invitationFile, key))
  const bytes = Buffer.byteLength(file)
  if (bytes > maxFileLength) {
    throw operationRefused(
      `The invitation has ${bytes} bytes; at most ${maxFileLength} are allowed: name fewer workspaces.`,
    )
  }
  return { ...invitation, file, digest: signer.digest(file) }
}

function fileAnswer({ file, fileName }: Invitation): FileAnswer {
  return { file, fileName }
}

/** Invitations on the host. */
export const invitationRows: readonly Endpoint[] = [
  endpoint({
    id: 'inviteParticipant',
    title: 'Invite participant',
    goals: ['Invite a partner'],
    refusesMisspelt: true,
    path: '/portals/:portalId/collaborations/:collaborationId/inviteParticipant',
    parameters: {
      guestPortalUrl,
      collaborationWorkspacesParticipantConfigJSON: {
        ...requiredJson(
          'Access mode of the guest in each workspace, such as [{"<workspaceId>":"send"}]: send, receive or sendAndReceive.',
          parseWorkspaceAccess,
        ),
      },
      expiration: optionalInteger(
        `Hours until the invitation expires; default ${maxHours}. A value above it is reduced to it; expiration of the invitation says when it expires.`,
        {
          minimum: 1,
          cap: maxHours,
        },
      ),
    },
    who: hostAdministrators,
    summary: 'Creates an invitation and answers the signed invitation file, to be sent to the guest.',
    chosen: [
      'The file is the same in every format, since a response contains its digest.',
      'The URL of this server is refused if the host is the only organization on it. A guest may be invited again.',
      'A parameter that is not known, and near to one that is not given, is refused: a signed file has no room for a warning.',
    ],
    answers: { file: invitationFileShape },
    example: {
      ids: { portalId, collaborationId },
      parameters: {
        guestPortalUrl: guestRoot,
        collaborationWorkspacesParticipantConfigJSON: JSON.stringify([{ [workspaceId]: 'send' }]),
      },
      answer: examples.newInvitationFile,
    },
    async answer({ ids, input, dependencies, publicUrl, read, run }) {
      const properties = mapParsed(
        input,
        ({ guestPortalUrl, collaborationWorkspacesParticipantConfigJSON, expiration }) => ({
          guestPortalUrl,
          workspaces: collaborationWorkspacesParticipantConfigJSON,
          expiration,
        }),
      )
      const draft = await read(draftInvitation, {
        ...ids,
        invitationId: dependencies.random.id(),
        hostUrl: publicUrl,
        properties,
      })
      const invitation = await sign(draft, dependencies)
      await run({ ...ids, invitation })
      return fileAnswer(invitation)
    },
  }),
  endpoint({
    id: 'listInvitations',
    title: 'Invitations',
    goals: ['Revoke an invitation'],
    path: '/portals/:portalId/collaborations/:collaborationId/invitations',
    parameters: {
      status: optionalChoice('Only invitations in this state.', invitationStates),
      sortField: optionalChoice('Field to sort by; default created.', invitationSortFields),
      sortOrder: optionalChoice('Sort order; default desc.', sortOrders),
      ...pageParameters,
    },
    who: hostAdministrators,
    summary: 'The invitations of a collaboration, newest first by default.',
    answers: { json: pageOf('collaborationInvitations', invitationShape) },
    example: {
      ids: { portalId, collaborationId },
      parameters: { status: 'host_created', sortField: 'expiration', sortOrder: 'asc' },
      answer: singlePage('collaborationInvitations', [examples.invitationAnswer]),
    },
    async answer({ ids, input, run }) {
      const query = mapParsed(input, ({ status, sortField = 'created', sortOrder = 'desc' }) => ({
        status,
        sortField,
        sortOrder,
      }))
      const found = await run({ ...ids, query, page: input })
      return { json: pageToWire('collaborationInvitations', found, invitationToWire) }
    },
  }),
  endpoint({
    id: 'readInvitation',
    title: 'Invitation',
    path: '/portals/:portalId/collaborations/:collaborationId/invitations/:invitationId',
    can: { id: 'invitationId' },
    who: hostAdministrators,
    summary: 'An invitation with its state, the time until it expires, and its history.',
    chosen: ['timeLeft (milliseconds) and history are added to the documented record.'],
    answers: { json: invitationViewShape },
    example: {
      ids,
      answer: {
        ...examples.invitationAnswer,
        timeLeft: 72 * 3_600_000,
        history: [{ event: 'create', from: null, to: 'host_created', username: 'admin', at: exampleTime }],
      },
    },
    answer: async ({ ids, run }) => ({ json: invitationViewToWire(await run(ids)) }),
  }),
  endpoint({
    id: 'invalidateInvitation',
    title: 'Invalidate invitation',
    goals: ['Revoke an invitation'],
    isCalledByGet: true,
    path: '/portals/:portalId/collaborations/:collaborationId/invitations/:invitationId/invalidate',
    who: hostAdministrators,
    summary: 'Invalidates the invitation: a response to it can no longer be imported.',
    source: 'description §4.4',
    since: 'Release 10.5',
    chosen: [
      'GET and POST are both accepted; a GET for HTML shows the form and changes nothing, and HEAD is error 405.',
      'Invalidating again succeeds and changes nothing; invalidating an accepted invitation is refused.',
    ],
    example: { ids, answer: { success: true } },
    answer: runByIds,
  }),
  endpoint({
    id: 'refreshInvitation',
    title: 'Refresh invitation',
    goals: ['Prolong an invitation'],
    path: '/portals/:portalId/collaborations/:collaborationId/invitations/:invitationId/refresh',
    who: hostAdministrators,
    summary: `Extends the invitation to ${maxHours} hours from now and answers its new file; the previous file becomes invalid.`,
    answers: { file: invitationFileShape },
    example: { ids, answer: examples.invitationFile },
    async answer({ ids, dependencies, publicUrl, read, run }) {
      const draft = await read(draftRefresh, { ...ids, hostUrl: publicUrl })
      const renewed = await sign(draft, dependencies)
      return fileAnswer(await run({ ...ids, renewed }))
    },
  }),
]
