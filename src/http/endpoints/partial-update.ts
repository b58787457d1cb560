import { mapParsed, type Parsed } from '../../call/parsed.ts'
import { isBlank } from '../../plain-text.ts'
import { onlyGiven, optionalBoolean } from './parameter-types.ts'

/** Parameter of the public API for clearing fields (documented): forms send fields that were not filled in as empty. */
export const clearEmptyFields = optionalBoolean('Whether empty fields are cleared; by default they are ignored.')

/**
 * The change that a client asks for. A field that is given empty is cleared if `clearEmptyFields` says so, or if the
 * operation has no such parameter; those named as `kept` never are.
 */
export function changeOf<Values extends object, Kept extends keyof Values = never>(
  input: Parsed<Values>,
  ...kept: readonly Kept[]
) {
  return mapParsed(input, (values) => {
    const { clearEmptyFields: clears = !('clearEmptyFields' in values), ...fields } = values as Values & Clearing
    const given = Object.entries(fields).map(([name, value]) => {
      const stays = isEmpty(value) && (!clears || kept.some((known) => known === name))
      return [name, stays ? undefined : value]
    })
    return onlyGiven(Object.fromEntries(given) as Omit<Values, 'clearEmptyFields'>)
  })
}

interface Clearing {
  readonly clearEmptyFields?: boolean | undefined
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'string' ? isBlank(value) : Array.isArray(value) && value.length === 0
}
