import type { ItemViewer } from '../../../../items/search/item-search.ts'
import type { Bits } from './bitmaps.ts'
import type { Matching } from './find-matching.ts'
import { type ItemColumns, type ItemKind, lengthOfRecord } from './item-columns.ts'

/** By the place of a kind: 1 if the viewer sees such items, apart from its groups. */
export function flagSeen(viewer: ItemViewer, { kinds }: ItemColumns): Uint8Array {
  return Uint8Array.from(kinds.all, (kind) => (sees(viewer, kind) ? 1 : 0))
}

function sees(viewer: ItemViewer, { level, portal_id, owner_id }: ItemKind): boolean {
  if (level === 'public' || owner_id === viewer.userId) return true
  if (portal_id !== viewer.portalId) return false
  return viewer.canViewEveryItem || (viewer.canViewOrganizationItems && level === 'org')
}

/** Part of all items that those near to a viewer are at most where others are left out before selecting (chosen). */
const nearPart = 0.75

/**
 * Leaves out what is not near to the viewer: items of other organizations that are not public, and not of its groups, `shared`.
 * The bitmap of what is near is kept, so a search takes no time for what other organizations have.
 */
export async function limitToNear(
  columns: ItemColumns,
  { portalId }: ItemViewer,
  { matching, seen, shared }: { readonly matching: Matching; readonly seen: Uint8Array; readonly shared: Bits },
): Promise<Matching> {
  if (matching instanceof Uint32Array) return matching
  const { kinds, items, records, kept, length } = columns
  const isNear = new Uint8Array(kinds.all.length)
  let count = 0
  for (const [place, { portal_id, level }] of kinds.all.entries()) {
    if (portal_id === portalId || level === 'public') {
      isNear[place] = 1
      count += items[place]!
    } else if (seen[place] === 1) return matching
  }
  if (count > length * nearPart) return matching
  const key = `organization ${portalId}`
  const near = (await kept.find(key, async (_, numbers) => Uint32Array.from(numbers!.filter(isOfNear)))) ?? keepNear()
  const among = matching === 'all' ? undefined : matching.bits
  return { bits: near.map((bits, at) => (bits | (shared[at] ?? 0)) & (among ? (among[at] ?? 0) : -1)) }

  function isOfNear(number: number): boolean {
    const kind = records[number * lengthOfRecord]! - 1
    return kind >= 0 && isNear[kind] === 1
  }

  function keepNear(): Bits {
    const numbers = new Uint32Array(count)
    let end = 0
    for (let number = 0; number < length; number += 1) if (isOfNear(number)) numbers[end++] = number
    return kept.keep(key, numbers, length)
  }
}
