import type { ItemOutcome } from '../../../items/attempt.ts'
import type { Sharing } from '../../../items/sharing-operations.ts'
import { causeMember, causeToWire } from '../cause.ts'
import { boolean, id, integer, list, mapOf, object, text } from '../shape.ts'

/** Outcome for one item of several. */
const outcomeMembers = {
  itemId: text('As it was given.'),
  success: boolean('Whether it was done for this item.'),
}
const errorMembers = {
  code: integer('Error code, comparable to an HTTP status.'),
  message: text('Why it was not done.'),
}
const error = object(errorMembers, causeMember)
/** Also of the failures of a job that undoes a run. */
export const changedBy = {
  changedBy: text('Username of who has changed it since, if that is why; for users who may read its history.'),
}

const notSharedWith = list(text(), 'Ids of the groups that the item was not shared with.')
const notUnsharedFrom = list(text(), 'Ids of the groups that the item was not removed from.')
const reasons = mapOf(text(), 'Why, by the ids of these groups; only if there are any.')

export const resultsShape = object({ results: list(object(outcomeMembers, { error })) })
export const revertedShape = object({
  results: list(object(outcomeMembers, { error: object(errorMembers, { ...causeMember, ...changedBy }) })),
})
export const sharedResultsShape = object({
  results: list(object(outcomeMembers, { notSharedWith, reasons, error })),
})
export const unsharedResultsShape = object({
  results: list(object(outcomeMembers, { notUnsharedFrom, reasons, error })),
})
export const sharedShape = object({ notSharedWith, itemId: id() }, { reasons })
export const unsharedShape = object({ notUnsharedFrom, itemId: id() }, { reasons })

/** Order in which the items were given. */
export function outcomesToWire<Result extends object, Wire extends object>(
  outcomes: readonly ItemOutcome<Result>[],
  toWire: (result: Result) => Wire,
) {
  return outcomes.map((outcome) => {
    const { itemId, failure } = outcome
    if (failure) return { itemId, success: false, error: { ...failure, ...causeToWire(failure.message) } }
    return { itemId, success: true, ...toWire(outcome as unknown as Result) }
  })
}

export function sharedToWire({ refusals }: Pick<Sharing, 'refusals'>) {
  return { notSharedWith: refusals.map(({ groupId }) => groupId), ...reasonsToWire(refusals) }
}

export function unsharedToWire({ refusals }: Pick<Sharing, 'refusals'>) {
  return { notUnsharedFrom: refusals.map(({ groupId }) => groupId), ...reasonsToWire(refusals) }
}

function reasonsToWire(refusals: Sharing['refusals']) {
  if (refusals.length === 0) return {}
  return { reasons: Object.fromEntries(refusals.map(({ groupId, reason }) => [groupId, reason])) }
}
