import { list, text } from './shape.ts'

/** Member of a resource that is read on its own with `withCan=true` (chosen). */
export const canMember = {
  can: list(text(), 'Only with withCan=true: ids of the operations that the caller may call on it.'),
}
