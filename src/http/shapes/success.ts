import { component, constant, list, object, type Shape, text, type ValueOf } from './shape.ts'

type Members = Readonly<Record<string, Shape>>

const members = { success: constant(true) }
/** Only where a client has perhaps misspelt a parameter or a member of a schema, so that plain clients never see it (chosen). */
export const misspeltWarnings = {
  warnings: list(
    text(),
    'What was perhaps not meant: parameters that were ignored and members of a category schema that were not kept, near to one that is not given; usually absent.',
  ),
}

/** What a change answers (description §5). */
export const successShape = component('Success', 'The operation succeeded.', object(members, misspeltWarnings))

export const success: { readonly json: ValueOf<typeof successShape> } = { json: { success: true } }

/** Success, and what else the operation answers. */
export function successShapeWith<Others extends Members, Optional extends Members = Record<never, never>>(
  others: Others,
  optional?: Optional,
) {
  const more = { ...misspeltWarnings, ...optional } as typeof misspeltWarnings & Optional
  return object({ ...members, ...others }, more)
}

export function successWith<const Others extends object>(
  others: Others,
): { readonly json: { readonly success: true } & Others } {
  return { json: { success: true, ...others } }
}
