import type { ItemViewer } from '../../../../items/search/item-search.ts'
import { inParts, type Look } from '../../select.ts'
import { half, type ItemColumns, type ItemKind, lengthOfRecord } from './item-columns.ts'

/** Matching items, as sets of their numbers. */
interface Matching {
  readonly matching: Uint32Array
  /** For each number, whether a group of the viewer has the item. */
  readonly shared: Uint8Array
  /** For each number, whether the item matches in its title and so comes first; undefined if that does not count. */
  readonly titled: Uint8Array | undefined
  /** Whether the items modified last come last, or those with the highest numbers. */
  readonly isUp: boolean
  /** Whether numbers are the order, instead of times of modification. */
  readonly isByNumber: boolean
}

/** Items that the viewer sees. */
export interface Selected {
  readonly numbers: Uint32Array
  /** Sort keys, in ascending order. */
  readonly keys: Float64Array
  /** Number of items of each kind. */
  readonly kinds: Uint32Array
  readonly lists: ListsOfItems
}

/** Lists of items, and the beginning of those of each item. */
export interface ListsOfItems {
  readonly lists: Uint32Array
  readonly begins: Uint32Array
}

/** Selects the visible ones of the matching items, in one pass. */
export function selectSeen(
  { kinds: { all }, records, lists }: ItemColumns,
  viewer: ItemViewer,
  { matching, shared, titled, isUp, isByNumber }: Matching,
): Selected {
  const isSeen = flagSeen(viewer, all)
  const numbers = new Uint32Array(matching.length)
  const keys = new Float64Array(matching.length)
  const begins = new Uint32Array(matching.length)
  const kinds = new Uint32Array(all.length)
  let count = 0
  // By position, here and below: an iterator would double the time.
  for (let at = 0; at < matching.length; at += 1) {
    const number = matching[at]!
    const record = number * lengthOfRecord
    const kind = records[record]
    if (!kind || (isSeen[kind] === 0 && shared[number] === 0)) continue
    const key = isByNumber ? number : records[record + 2]! + records[record + 3]! * half
    numbers[count] = number
    keys[count] = (isUp ? key : -key) + (titled?.[number] === 0 ? afterAllTimes : 0)
    begins[count] = records[record + 1]!
    kinds[kind - 1]! += 1
    count += 1
  }
  return {
    numbers: numbers.subarray(0, count),
    keys: keys.subarray(0, count),
    kinds,
    lists: { lists, begins: begins.subarray(0, count) },
  }
}

/** Whether the viewer sees all of these items, whatever the viewer's groups have. */
export function seesAll({ kinds: { all }, records }: ItemColumns, viewer: ItemViewer, numbers: Uint32Array): boolean {
  const isSeen = flagSeen(viewer, all)
  for (let at = 0; at < numbers.length; at += 1) {
    if (isSeen[records[numbers[at]! * lengthOfRecord]!] === 0) return false
  }
  return true
}

/** Lists of all items, which mostly lie in the order in which they are read. */
export function listsOfAll({ records, lists, length }: ItemColumns): ListsOfItems {
  const begins = new Uint32Array(length)
  let count = 0
  for (let record = 0; record < length * lengthOfRecord; record += lengthOfRecord) {
    if (records[record]) begins[count++] = records[record + 1]!
  }
  return { lists, begins: begins.subarray(0, count) }
}

/** Items between two checks of the deadline (chosen): one check takes as long as the lists of some hundred items. */
const itemsOfPart = 50_000

/** `inParts` for items. */
export function inPartsOfItems(
  look: Look,
  { begins }: Pick<ListsOfItems, 'begins'>,
  goThrough: (from: number, to: number) => void,
): Promise<void> {
  return inParts(look, begins.length, goThrough, itemsOfPart)
}

/** A value above any time in milliseconds. */
const afterAllTimes = 2 ** 50

/** By 1 + the place of a kind: whether the viewer sees such items, apart from its groups; 1 for where there is no item. */
function flagSeen(viewer: ItemViewer, kinds: readonly ItemKind[]): Uint8Array {
  return Uint8Array.from([1, ...kinds.map((kind) => (sees(viewer, kind) ? 1 : 0))])
}

/** Whether the viewer sees such items, apart from its groups. */
function sees(viewer: ItemViewer, { level, portal_id, owner_id }: ItemKind): boolean {
  if (level === 'public' || owner_id === viewer.userId) return true
  if (portal_id !== viewer.portalId) return false
  return viewer.canViewEveryItem || (viewer.canViewOrganizationItems && level === 'org')
}
