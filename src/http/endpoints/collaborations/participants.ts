import { mapParsed } from '../../../call/parsed.ts'
import { parseWorkspaceAccess } from '../../../collaborations/invitation.ts'
import { exampleIds, singlePage } from '../../examples/examples.ts'
import { guestAnswer, hostAnswer } from '../../examples/handshake.ts'
import { participantShape, participantToWire } from '../../shapes/collaborations/participant.ts'
import { pageOf, pageToWire } from '../../shapes/page.ts'
import { success } from '../../shapes/success.ts'
import { type Endpoint, endpointsOf, runByIds } from '../endpoint.ts'
import { pageParameters } from '../page-parameters.ts'
import { requiredJson } from '../parameter-types.ts'
import { eitherAdministrators, hostAdministrators } from './collaborations.ts'

const endpoint = endpointsOf('collaborations')

const { portalId, collaborationId, workspaceId, participantId } = exampleIds
const ids = { portalId, collaborationId, participantId }
const moment = 'imported'

/** Participants of a collaboration. */
export const participantRows: readonly Endpoint[] = [
  endpoint({
    id: 'listParticipants',
    title: 'Participants',
    path: '/portals/:portalId/collaborations/:collaborationId/participants',
    parameters: pageParameters,
    who: eitherAdministrators,
    summary: 'The host, then its guests. On a guest, the list has only the host and the guest itself.',
    answers: { json: pageOf('participants', participantShape) },
    example: {
      ids: { portalId, collaborationId },
      moment,
      answer: singlePage('participants', [hostAnswer, guestAnswer]),
    },
    async answer({ ids, input, run }) {
      const found = await run({ ...ids, page: input })
      return { json: pageToWire('participants', found, participantToWire) }
    },
  }),
  endpoint({
    id: 'readParticipant',
    title: 'Participant',
    path: '/portals/:portalId/collaborations/:collaborationId/participants/:participantId',
    who: eitherAdministrators,
    summary: 'A participant of the collaboration.',
    answers: { json: participantShape },
    example: { ids, moment, answer: guestAnswer },
    answer: async ({ ids, run }) => ({ json: participantToWire(await run(ids)) }),
  }),
  endpoint({
    id: 'removeParticipant',
    title: 'Remove participant',
    goals: ['End the work with a partner'],
    path: '/portals/:portalId/collaborations/:collaborationId/participants/:participantId/remove',
    who: hostAdministrators,
    summary: 'Removes the guest and invalidates its open invitations; it can return only by a new invitation.',
    chosen: [
      'The guest is not notified, since servers do not call each other. Its earlier response cannot be imported again.',
    ],
    example: { ids, moment, answer: { success: true } },
    answer: runByIds,
  }),
  endpoint({
    id: 'updateParticipantAccessModes',
    title: 'Update access modes',
    path: '/portals/:portalId/collaborations/:collaborationId/participants/:participantId/updateParticipantAccessModes',
    parameters: {
      collaborationWorkspacesAccessJSON: requiredJson(
        'Access mode in each workspace, such as [{"<workspaceId>":"send"}]: send, receive or sendAndReceive.',
        parseWorkspaceAccess,
      ),
    },
    who: hostAdministrators,
    summary: 'Sets the access mode of a participant in the named workspaces; the others are unchanged.',
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
