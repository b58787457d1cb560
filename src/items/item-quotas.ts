import { nothingDone, type WithAuditDetails } from '../call/audit-details.ts'
import type { Call } from '../call/call.ts'
import type { ItemTotals } from '../directory/store.ts'
import type { User } from '../directory/user.ts'
import { limitReached } from '../errors.ts'
import { say } from '../sentences/say.ts'
import type { ItemProperties } from './item.ts'
import type { ItemReaders, ItemStores } from './store.ts'

/** How many tags users and organizations may have, called in the transaction that adds some; and counts of what they have. */

type Readers = Pick<ItemReaders, 'items'>
type Owner = Pick<User, 'userId' | 'username' | 'portalId'>

/** Check of the tags that an item of the user gets. Tags that others of the user's items have are free, however many there are. */
export async function requireMayHaveTags(
  { items }: Readers,
  { limits }: Call,
  owner: Owner,
  tags: readonly string[] = [],
): Promise<void> {
  if (tags.length === 0) return
  for (const { limit, ownerId, whose } of [
    { limit: 'tagsOfUser', ownerId: owner.userId, whose: owner.username },
    { limit: 'tagsOfPortal', ownerId: owner.portalId, whose: 'the organization' },
  ] as const) {
    const { present, added } = await items.countTags(ownerId, tags)
    if (added === 0) return
    if (present + added <= limits[limit]) continue
    const counts = { username: whose, count: present, max: limits[limit], added }
    throw limitReached(limit, `tags: ${say('tagsOfUser', counts)}`)
  }
}

/** Stores what organizations have, as counted; new items compare it with the limits. */
export async function putItemCounts(
  { items }: Pick<ItemStores, 'items'>,
  _call: Call,
  input: { readonly counts: readonly ({ readonly portalId: string } & ItemTotals)[] },
): Promise<WithAuditDetails> {
  for (const { portalId, ...counted } of input.counts) await items.putItemCount(portalId, counted)
  return { audit: nothingDone }
}

/** Sums up what users own, before what organizations have is counted from that; `isDone` when nothing was left. */
export async function sumUpItemCounts({
  items,
}: Pick<ItemStores, 'items'>): Promise<WithAuditDetails & { readonly isDone: boolean }> {
  return { isDone: !(await items.mergeItemCounts()), audit: nothingDone }
}

/** Bytes of every item for its ids, times, categories and places in indexes (chosen; measured: 765 in SQLite). */
const ofEveryItem = 1_024
/** A text that searches look through, with its words and whole values in the index (chosen; measured: at most 6 in SQLite, mostly 4 to 5). */
const timesOfSearched = 5

/** Bytes that count of an item with `size` bytes of data. */
export function countedBytes(item: ItemProperties & { readonly size: number }): number {
  const { title, type, snippet, description, accessInformation, licenseInfo } = item
  const lists = [item.typeKeywords, item.tags].map((list) => JSON.stringify(list))
  const searched = bytesOf(title, type, snippet, description, accessInformation, licenseInfo, ...lists)
  const others = bytesOf(item.documentation, item.culture, item.spatialReference, item.url, item.properties ?? '')
  return ofEveryItem + item.size + others + timesOfSearched * searched
}

function bytesOf(...texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
}
