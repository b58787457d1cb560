import { type Parsed, refine } from '../input.ts'
import { onlyGiven, optionalBoolean } from './parameters.ts'

/** What the public API has for clearing fields (documented): forms send empty what nobody filled in. */
export const clearEmptyFields = optionalBoolean(
  'Whether fields that are given empty are cleared; if not, they stay as they are.',
)

interface Wish {
  readonly clearEmptyFields: boolean | undefined
}

/** The change that a client asks for. Fields named as `kept` are never emptied. */
export function changeOf<Values extends Wish, Kept extends keyof Values = never>(
  input: Parsed<Values>,
  ...kept: readonly Kept[]
) {
  return refine(input, ({ clearEmptyFields: clears, ...values }) => {
    const given = Object.entries(values).map(([name, value]) => {
      const stays = isEmpty(value) && (!clears || kept.some((known) => known === name))
      return [name, stays ? undefined : value]
    })
    return onlyGiven(Object.fromEntries(given) as Omit<Values, 'clearEmptyFields'>)
  })
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'string' ? value.trim() === '' : Array.isArray(value) && value.length === 0
}
