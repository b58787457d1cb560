import type { Participant } from '../../../collaborations/collaboration.ts'
import { choice, component, constant, id, object, shortId, text, time, type ValueOf } from '../shape.ts'

export const participantShape = component(
  'Participant',
  'An organization that participates in a collaboration, as the host or as a guest.',
  object({
    collaborationId: id(),
    portalInfo: object({
      id: shortId(),
      url: text('Public root of the server of the organization.'),
      name: text(),
      description: text('Always empty.'),
      portalType: constant('onpremises'),
    }),
    collaborationRole: choice(['Host', 'Guest']),
    status: constant('active'),
    config: object({ contactFirstname: text(), contactLastname: text(), contactEmailAddress: text() }),
    created: time('When the organization became a participant.'),
    modified: time('When the participant was last changed.'),
  }),
)
export type WireParticipant = ValueOf<typeof participantShape>

export function participantToWire(participant: Participant): WireParticipant {
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
