import type { AuditFilter } from '../../../src/audit/filter.ts'
import type { Draw } from '../search/random-items.ts'
import {
  actionNames,
  addresses,
  comments,
  type DrawnEntry,
  ids,
  operationNames,
  owners,
  start,
  typeNames,
  users,
} from './random-log.ts'

/** A search of the log in the plainest way: every entry is compared with every condition. */
export function findNaively(
  entries: readonly DrawnEntry[],
  portalId: string,
  filter: AuditFilter,
  order: 'asc' | 'desc',
): readonly DrawnEntry[] {
  const found = entries.filter((drawn) => drawn.portalId === portalId && holds(drawn, filter))
  return order === 'asc' ? found : found.toReversed()
}

function holds({ entry, type, action, succeeded, ids, comment }: DrawnEntry, filter: AuditFilter): boolean {
  const isAction = (wanted: string) => isOneOf([action, entry.operation], wanted)
  const isMeant = (wanted: string) => isAction(wanted) || wanted === (succeeded ? 'success' : 'refused')
  const whom = [entry.username ?? type, ...ids]
  const words = () => [type, action, entry.operation, entry.address, entry.username ?? type, ...ids, ...comment]
  return (
    (!filter.types || filter.types.some((wanted) => wanted === type)) &&
    (filter.id === undefined || isOneOf(ids, filter.id)) &&
    (!filter.actors || filter.actors.some((actor) => actor === entry.username)) &&
    (!filter.ownerIds || filter.ownerIds.some((ownerId) => ownerId === entry.ownerId)) &&
    (!filter.actions || filter.actions.some(isAction)) &&
    !(succeeded && filter.without?.some(isAction)) &&
    (!filter.addresses || filter.addresses.some((address) => address === entry.address)) &&
    (filter.from === undefined || entry.at >= filter.from) &&
    (filter.to === undefined || entry.at <= filter.to) &&
    (filter.succeeded === undefined || filter.succeeded === succeeded) &&
    (filter.words ?? []).every(
      (word) =>
        isOneOf(words(), word) ||
        filter.meanings?.some((meaning) => isOneOf([meaning.word], word) && isMeant(meaning.operation)) ||
        filter.named?.some((named) => isOneOf([named.word], word) && named.ids.some((one) => isOneOf(whom, one))),
    )
  )
}

function isOneOf(words: readonly string[], wanted: string): boolean {
  return words.some((word) => word.toLowerCase() === wanted.toLowerCase())
}

/** Draws a filter of a few conditions, mostly such as some entries hold. */
export function drawFilter(draw: Draw, count: number): AuditFilter {
  const several = <Value>(values: readonly Value[]) => [draw.one(values), ...draw.some(2, () => draw.one(values))]
  const word = () =>
    draw.one([...users, ...ids, ...actionNames, ...operationNames, ...comments, ...typeNames, ...addresses, 'nothing'])
  const time = () => start + draw.below(count) * 1_000 + draw.below(3) - 1
  const all: AuditFilter = {
    types: several(typeNames),
    id: draw.one([...ids, ...users, 'ANNA', 'unknown']),
    actors: several([...users, 'ANNA']),
    ownerIds: several([...owners, 'unknown']),
    actions: several([...actionNames, ...operationNames, 'LOGIN', 'unknown']),
    without: several([...actionNames, ...operationNames, 'LOGIN', 'unknown']),
    addresses: several([...addresses, '192.0.2']),
    from: time(),
    to: time(),
    succeeded: draw.once(2),
    words: draw.some(3, word),
  }
  const kept = Object.entries(all).filter(() => draw.once(4))
  const { words = [], ...others } = Object.fromEntries(kept) as AuditFilter
  if (words.length === 0) return others
  const meaningsOf = (meant: string) =>
    draw.some(2, () => ({
      word: meant,
      operation: draw.one([...actionNames, ...operationNames, 'success', 'refused']),
    }))
  const named = words.map((one) => ({ word: one, ids: draw.some(2, () => draw.one([...users, ...ids])) }))
  return { ...others, words, meanings: words.flatMap(meaningsOf), named }
}
