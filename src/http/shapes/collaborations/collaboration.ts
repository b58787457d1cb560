import type { Collaboration } from '../../../collaborations/collaboration.ts'
import { parseExactly } from '../../../json-text.ts'
import { canMember } from '../page.ts'
import { component, id, object, open, shortId, text, time, type ValueOf } from '../shape.ts'

export const collaborationShape = component(
  'Collaboration',
  'A distributed collaboration: portals that share content through workspaces.',
  object(
    {
      id: id(),
      name: text(),
      description: text(),
      collaborationHostPortalId: shortId('The organization that hosts the collaboration.'),
      config: {
        ...open(
          object({
            hostContactFirstname: text(),
            hostContactLastname: text(),
            hostContactEmailAddress: text(),
          }),
        ),
        description: 'The contact of the host, and the settings that the client stored.',
      },
      created: time('When the collaboration was created.'),
      modified: time('When the collaboration was last changed.'),
    },
    canMember,
  ),
)
export type WireCollaboration = ValueOf<typeof collaborationShape>

export function collaborationToWire(collaboration: Collaboration): WireCollaboration {
  const { collaborationId, name, description, hostPortalId, hostContact, createdAt, modifiedAt } = collaboration
  const contact = {
    hostContactFirstname: hostContact.firstName,
    hostContactLastname: hostContact.lastName,
    hostContactEmailAddress: hostContact.email,
  }
  return {
    id: collaborationId,
    name,
    description,
    collaborationHostPortalId: hostPortalId,
    // First, and not to be replaced by settings of these names.
    config: { ...contact, ...(parseExactly(collaboration.config) as object), ...contact },
    created: createdAt,
    modified: modifiedAt,
  }
}
