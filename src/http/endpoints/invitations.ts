import {
  type Invitation,
  invitationStates,
  longestHours,
  parsePortalUrl,
  parseWorkspaceAccess,
} from '../../collaborations/invitation.ts'
import {
  draftInvitation,
  draftRefresh,
  type InvitationDraft,
  type InvitationView,
} from '../../collaborations/invitation-operations.ts'
import { formatSignedFile, invitationFile, longestFile } from '../../collaborations/signed-file.ts'
import { invitationSortFields } from '../../collaborations/store.ts'
import { sortOrders } from '../../directory/group.ts'
import { operationRefused } from '../../errors.ts'
import type { Dependencies } from '../../operations/dependencies.ts'
import { mapParsed } from '../../parsed.ts'
import { type Answer, listAnswer, success } from '../answer.ts'
import { exampleIds, exampleTime, guestRoot, singlePage } from '../docs/examples.ts'
import * as examples from '../docs/handshake-examples.ts'
import { hostAdministrators } from './collaboration-callers.ts'
import { type Endpoint, endpoint } from './endpoint.ts'
import {
  optionalChoice,
  optionalInteger,
  type Parameter,
  pageParameters,
  requiredJson,
  requiredText,
  Wrong,
} from './parameter-types.ts'

const { portalId, collaborationId, workspaceId, invitationId } = exampleIds
const ids = { portalId, collaborationId, invitationId }

const url = requiredText('Public root of the guest, such as https://maps.example.org/portal.')
const guestPortalUrl: Parameter<string> = {
  ...url,
  read(given) {
    const text = url.read(given)
    if (text instanceof Wrong) return text
    return parsePortalUrl(text.trim()) ?? new Wrong('is not an http or https URL without query, hash or user.')
  },
}

function invitationToWire(invitation: Invitation): object {
  return {
    id: invitation.invitationId,
    collaborationId: invitation.collaborationId,
    hostPortalId: invitation.hostPortalId,
    guestPortalId: invitation.guestPortalId ?? 'unknown',
    guestPortalUrl: invitation.guestPortalUrl,
    status: invitation.state,
    config: { invitationRequestFilename: invitation.fileName },
    invitationString: invitation.file,
    created: invitation.createdAt,
    modified: invitation.modifiedAt,
    expiration: invitation.expiresAt,
  }
}

function invitationViewToWire({ invitation, steps, timeLeft }: InvitationView): object {
  return {
    ...invitationToWire(invitation),
    timeLeft,
    history: steps.map(({ event, from, to, username, at }) => ({ event, from: from ?? null, to, username, at })),
  }
}

/** Signs what was drafted; the private key is used here, between two transactions. */
async function sign({ invitation, request, key }: InvitationDraft, { signer }: Dependencies): Promise<Invitation> {
  const file = formatSignedFile(invitationFile, request, await signer.sign(request, invitationFile, key))
  const bytes = Buffer.byteLength(file)
  if (bytes > longestFile) {
    throw operationRefused(
      `The invitation has ${bytes} bytes; at most ${longestFile} are allowed: name fewer workspaces.`,
    )
  }
  return { ...invitation, file, digest: signer.digest(file) }
}

function fileAnswer({ file, fileName }: Invitation): Answer {
  return { file, fileName }
}

/** The life of an invitation on the host. */
export const invitationRows: readonly Endpoint[] = [
  endpoint({
    id: 'inviteParticipant',
    room: 'collaborations',
    title: 'Invite participant',
    task: 'invite participant',
    effect: 'change',
    path: '/portals/:portalId/collaborations/:collaborationId/inviteParticipant',
    parameters: {
      guestPortalUrl,
      collaborationWorkspacesParticipantConfigJSON: requiredJson(
        'What the guest does in which workspace: [{"<workspaceId>":"send"}], or receive, or sendAndReceive.',
        parseWorkspaceAccess,
      ),
      expiration: optionalInteger(`Hours in which the guest may answer: ${longestHours} if not given, and at most.`, {
        minimum: 1,
        cap: longestHours,
      }),
    },
    token: 'required',
    who: hostAdministrators,
    summary: 'Answers the signed invitation file, to be sent to the guest.',
    source: 'documented',
    chosen: ['The file is answered as it is in every format: its digest is what a response has to name.'],
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
    room: 'collaborations',
    title: 'Invitations',
    task: 'list invitations',
    effect: 'none',
    path: '/portals/:portalId/collaborations/:collaborationId/invitations',
    parameters: {
      status: optionalChoice('Only those in this state.', invitationStates),
      sortField: optionalChoice('Field to sort by, created if not given.', invitationSortFields),
      sortOrder: optionalChoice('Order, desc if not given.', sortOrders),
      ...pageParameters,
    },
    token: 'required',
    who: hostAdministrators,
    summary: 'The invitations of a collaboration, newest first if nothing else is said.',
    source: 'documented',
    links: (value, { portalId, collaborationId }) =>
      (
        (value as { collaborationInvitations?: readonly { id: string; guestPortalUrl: string }[] })
          .collaborationInvitations ?? []
      ).map(({ id, guestPortalUrl }) => ({
        text: guestPortalUrl,
        path: `/portals/${portalId}/collaborations/${collaborationId}/invitations/${id}`,
      })),
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
      return listAnswer('collaborationInvitations', found, invitationToWire)
    },
  }),
  endpoint({
    id: 'readInvitation',
    room: 'collaborations',
    title: 'Invitation',
    task: 'read invitation',
    effect: 'none',
    path: '/portals/:portalId/collaborations/:collaborationId/invitations/:invitationId',
    parameters: {},
    token: 'required',
    who: hostAdministrators,
    summary: 'An invitation with its state, the time left for an answer, and its history.',
    source: 'documented',
    chosen: ['timeLeft (milliseconds) and history are added to the documented record.'],
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
    room: 'collaborations',
    title: 'Invalidate invitation',
    task: 'invalidate invitation',
    effect: 'change',
    isCalledByGet: true,
    path: '/portals/:portalId/collaborations/:collaborationId/invitations/:invitationId/invalidate',
    parameters: {},
    token: 'required',
    who: hostAdministrators,
    summary: 'Takes the invitation back: a later response to it does not import.',
    source: 'description §4.4',
    since: 'Release 10.5',
    chosen: [
      'GET and POST are both taken; GET for HTML shows the form and changes nothing.',
      'Invalidating again is success and changes nothing; an accepted invitation is refused.',
    ],
    example: { ids, answer: { success: true } },
    async answer({ ids, run }) {
      await run(ids)
      return success
    },
  }),
  endpoint({
    id: 'refreshInvitation',
    room: 'collaborations',
    title: 'Refresh invitation',
    task: 'refresh invitation',
    effect: 'change',
    path: '/portals/:portalId/collaborations/:collaborationId/invitations/:invitationId/refresh',
    parameters: {},
    token: 'required',
    who: hostAdministrators,
    summary: `Gives the invitation ${longestHours} hours from now, and answers its new file; the old one no longer counts.`,
    source: 'documented',
    example: { ids, answer: examples.invitationFile },
    async answer({ ids, dependencies, publicUrl, read, run }) {
      const draft = await read(draftRefresh, { ...ids, hostUrl: publicUrl })
      const renewed = await sign(draft, dependencies)
      return fileAnswer(await run({ ...ids, renewed }))
    },
  }),
]
