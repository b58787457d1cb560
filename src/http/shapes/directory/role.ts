import type { Role } from '../../../directory/role.ts'
import { component, object, shortId, text, time, type ValueOf } from '../shape.ts'

export const roleShape = component(
  'Role',
  'A custom role of an organization.',
  object({
    id: shortId(),
    name: text(),
    description: text(),
    created: time('When the role was created.'),
    modified: time('When the role was last changed.'),
  }),
)
export type WireRole = ValueOf<typeof roleShape>

export function roleToWire({ roleId, name, description, createdAt, modifiedAt }: Role): WireRole {
  return { id: roleId, name, description, created: createdAt, modified: modifiedAt }
}
