import { component, constant, object, type Shape, type ValueOf } from './shape.ts'

type Members = Readonly<Record<string, Shape>>

const members = { success: constant(true) }
/** Answer of a change (description §5). */
export const successShape = component('Success', 'The operation succeeded.', object(members))

export const success: { readonly json: ValueOf<typeof successShape> } = { json: { success: true } }

/** Success, and what else the operation answers. */
export function successShapeWith<Others extends Members, Optional extends Members = Record<never, never>>(
  others: Others,
  optional?: Optional,
) {
  return object({ ...members, ...others }, optional)
}

export function successWith<const Others extends object>(
  others: Others,
): { readonly json: { readonly success: true } & Others } {
  return { json: { success: true, ...others } }
}
