import type { Participant } from '../../collaborations/collaboration.ts'
import { parseWorkspaceAccess } from '../../collaborations/invitation.ts'
import { mapParsed } from '../../parsed.ts'
import { listAnswer, success } from '../answer.ts'
import { exampleIds, singlePage } from '../docs/examples.ts'
import { guestAnswer, hostAnswer } from '../docs/handshake-examples.ts'
import { eitherAdministrators, hostAdministrators } from './collaboration-callers.ts'
import { type Endpoint, endpoint } from './endpoint.ts'
import { pageParameters, requiredJson } from './parameter-types.ts'

const { portalId, collaborationId, workspaceId, participantId } = exampleIds
const ids = { portalId, collaborationId, participantId }
const moment = 'imported'

function participantToWire(participant: Participant): object {
  const { contact } = participant
  return {
    collaborationId: participant.collaborationId,
    portalInfo: {
      id: participant.portalId,
      url: participant.portalUrl,
      name: participant.portalName,
      description: '',
      portalType: 'onpremises',
    },
    collaborationRole: participant.role,
    status: 'active',
    config: {
      contactFirstname: contact.firstName,
      contactLastname: contact.lastName,
      contactEmailAddress: contact.email,
    },
    created: participant.createdAt,
    modified: participant.modifiedAt,
  }
}

/** Who takes part in a collaboration. */
export const participantRows: readonly Endpoint[] = [
  endpoint({
    id: 'listParticipants',
    room: 'collaborations',
    title: 'Participants',
    task: 'list participants',
    effect: 'none',
    path: '/portals/:portalId/collaborations/:collaborationId/participants',
    parameters: pageParameters,
    token: 'required',
    who: eitherAdministrators,
    summary: 'The host, then its guests. A guest knows the host and itself.',
    source: 'documented',
    links: (value, { portalId, collaborationId }) =>
      (
        (value as { collaborationParticipants?: readonly { portalInfo: { id: string; name: string } }[] })
          .collaborationParticipants ?? []
      ).map(({ portalInfo }) => ({
        text: portalInfo.name,
        path: `/portals/${portalId}/collaborations/${collaborationId}/participants/${portalInfo.id}`,
      })),
    example: {
      ids: { portalId, collaborationId },
      moment,
      answer: singlePage('collaborationParticipants', [hostAnswer, guestAnswer]),
    },
    async answer({ ids, input, run }) {
      const found = await run({ ...ids, page: input })
      return listAnswer('collaborationParticipants', found, participantToWire)
    },
  }),
  endpoint({
    id: 'readParticipant',
    room: 'collaborations',
    title: 'Participant',
    task: 'read participant',
    effect: 'none',
    path: '/portals/:portalId/collaborations/:collaborationId/participants/:participantId',
    parameters: {},
    token: 'required',
    who: eitherAdministrators,
    summary: 'A portal that takes part.',
    source: 'documented',
    example: { ids, moment, answer: guestAnswer },
    answer: async ({ ids, run }) => ({ json: participantToWire(await run(ids)) }),
  }),
  endpoint({
    id: 'removeParticipant',
    room: 'collaborations',
    title: 'Remove participant',
    task: 'remove participant',
    effect: 'change',
    path: '/portals/:portalId/collaborations/:collaborationId/participants/:participantId/remove',
    parameters: {},
    token: 'required',
    who: hostAdministrators,
    summary:
      'The guest takes part no longer; invitations to it that are open are taken back, and only a new one brings it back.',
    source: 'documented',
    chosen: ['The guest is not told: no server calls another. Its old response does not import again.'],
    example: { ids, moment, answer: { success: true } },
    async answer({ ids, run }) {
      await run(ids)
      return success
    },
  }),
  endpoint({
    id: 'updateParticipantAccessModes',
    room: 'collaborations',
    title: 'Update access modes',
    task: 'update participant access modes',
    effect: 'change',
    path: '/portals/:portalId/collaborations/:collaborationId/participants/:participantId/updateParticipantAccessModes',
    parameters: {
      collaborationWorkspacesAccessJSON: requiredJson(
        'What the participant does in which workspace: [{"<workspaceId>":"send"}], or receive, or sendAndReceive.',
        parseWorkspaceAccess,
      ),
    },
    token: 'required',
    who: hostAdministrators,
    summary: 'Sets what a participant does in the workspaces that are named; the others stay as they are.',
    source: 'documented',
    example: {
      ids,
      moment,
      parameters: { collaborationWorkspacesAccessJSON: JSON.stringify([{ [workspaceId]: 'sendAndReceive' }]) },
      answer: { success: true },
    },
    async answer({ ids, input, run }) {
      const access = mapParsed(input, (values) => values.collaborationWorkspacesAccessJSON)
      await run({ ...ids, access })
      return success
    },
  }),
]
