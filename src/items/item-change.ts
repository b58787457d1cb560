import type { RecordedChange } from '../call/audit-details.ts'
import type { Item, ItemLevel } from './item.ts'
import type { ItemLink, ItemStores } from './store.ts'

/** Change of an item as the log keeps it: only members that changed. */
export interface ItemChange {
  /** Paths of the organization's categories. */
  readonly categories?: FromTo<readonly string[]>
  readonly groupCategories?: readonly GroupCategoriesChange[]
  readonly level?: FromTo<ItemLevel>
  /** Ids of groups that the item was shared with, and taken from. */
  readonly groups?: AddedAndRemoved & {
    /** Groups that it was taken from, and whose link gave their members control of it. */
    readonly control?: readonly string[]
  }
  readonly tags?: FromTo<readonly string[]>
  /** Ids of users. */
  readonly owner?: FromTo<string>
}

export interface FromTo<Value> {
  readonly from: Value
  readonly to: Value
}

export interface GroupCategoriesChange extends FromTo<readonly string[]> {
  readonly groupId: string
}

export interface AddedAndRemoved {
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

/** Characters of a change that the log keeps (chosen: 4 KB); a longer one cannot be undone. */
const maxLength = 4_096

/** Stands for a change that is too long to be kept. */
export interface UnkeptChange {
  readonly isUnkept: true
}

export function isUnkept(change: ItemChange | UnkeptChange): change is UnkeptChange {
  return 'isUnkept' in change
}

/** The change as the log keeps it; none where nothing changed. */
export function recordChange(
  { itemId, portalId }: Pick<Item, 'itemId' | 'portalId'>,
  change: ItemChange,
): readonly RecordedChange[] {
  if (Object.keys(change).length === 0) return []
  const kept: ItemChange | UnkeptChange = JSON.stringify(change).length > maxLength ? { isUnkept: true } : change
  return [{ itemId, portalId, change: kept }]
}

/** One change for each item: what it was before the first one, and what it became by the last. */
export function mergeRecorded(changes: readonly RecordedChange[]): readonly RecordedChange[] {
  const byItem = new Map<string, RecordedChange>()
  for (const one of changes) {
    const earlier = byItem.get(one.itemId)
    byItem.set(one.itemId, earlier ? { ...one, change: mergeTwo(earlier.change, one.change) } : one)
  }
  return [...byItem.values()]
}

function mergeTwo(one: ItemChange | UnkeptChange, other: ItemChange | UnkeptChange): ItemChange | UnkeptChange {
  if (isUnkept(one) || isUnkept(other)) return { isUnkept: true }
  const span = <Name extends 'categories' | 'tags' | 'level' | 'owner'>(name: Name) => {
    const [first, last] = [one[name] ?? other[name], other[name] ?? one[name]]
    return first && last ? { [name]: { from: first.from, to: last.to } } : {}
  }
  const listed = (name: 'added' | 'removed') => [...(one.groups?.[name] ?? []), ...(other.groups?.[name] ?? [])]
  const [added, left] = [listed('added'), listed('removed')]
  const removed = left.filter((id) => !added.includes(id))
  const control = [...(one.groups?.control ?? []), ...(other.groups?.control ?? [])].filter((id) =>
    removed.includes(id),
  )
  const groups = {
    added: added.filter((id) => !left.includes(id)),
    removed,
    ...(control.length > 0 && { control }),
  }
  const groupCategories = [...(one.groupCategories ?? []), ...(other.groupCategories ?? [])]
  return {
    ...span('categories'),
    ...span('tags'),
    ...span('level'),
    ...span('owner'),
    ...((one.groups || other.groups) && { groups }),
    ...(groupCategories.length > 0 && { groupCategories }),
  }
}

/** A member of a change, for lists that differ, be it in their order alone. */
export function changeOf<Name extends 'categories' | 'tags'>(
  name: Name,
  from: readonly string[],
  to: readonly string[],
): ItemChange {
  return isSameList(from, to) ? {} : { [name]: { from, to } }
}

/** Change of the categories that a group gave the item. */
export function groupChangeOf(groupId: string, from: readonly string[], to: readonly string[]): ItemChange {
  return isSameList(from, to) ? {} : { groupCategories: [{ groupId, from, to }] }
}

export function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((value, at) => value === other[at])
}

/** Values that came, and values that went. */
export function differenceOf({ from, to }: FromTo<readonly string[]>): AddedAndRemoved {
  return {
    added: to.filter((value) => !from.includes(value)),
    removed: from.filter((value) => !to.includes(value)),
  }
}

/**
 * The list without what a change has added, and with what it has removed: as it was before, if nothing else has changed
 * since. Undefined if the change does not hold any more.
 */
export function undoneList(
  present: readonly string[],
  change: FromTo<readonly string[]>,
): readonly string[] | undefined {
  if (isSameList(present, change.to)) return change.from
  const { added, removed } = differenceOf(change)
  if (added.length + removed.length === 0) return undefined
  if (!added.every((value) => present.includes(value))) return undefined
  if (removed.some((value) => present.includes(value))) return undefined
  return [...present.filter((value) => !added.includes(value)), ...removed]
}

/** Names of what a change did to each path, tag and group, the level and the owner; `isUndone`: of what would contradict it. */
export function partsOf(change: ItemChange, isUndone = false): readonly string[] {
  const { categories, tags, groups, groupCategories = [], level, owner } = change
  const of = (kind: string, { added, removed }: AddedAndRemoved = { added: [], removed: [] }) => [
    ...(isUndone ? removed : added).map((value) => `+${kind} ${value}`),
    ...(isUndone ? added : removed).map((value) => `-${kind} ${value}`),
  ]
  return [
    ...of('category', categories && differenceOf(categories)),
    ...of('tag', tags && differenceOf(tags)),
    ...of('group', groups),
    ...groupCategories.flatMap((one) => of(one.groupId, differenceOf(one))),
    ...(level ? ['level'] : []),
    ...(owner ? ['owner'] : []),
  ]
}

/** Link of an item to a group, with the group's categories of the item, which end with it. */
interface LinkWithCategories extends ItemLink {
  readonly categories: readonly string[]
}

/** Links of an item as they are before some of them end; by default all of them. */
export async function readLinks(
  { items }: { readonly items: Pick<ItemStores['items'], 'listItemLinks' | 'listGroupCategories'> },
  itemId: string,
  of?: readonly ItemLink[],
): Promise<readonly LinkWithCategories[]> {
  const links: LinkWithCategories[] = []
  for (const link of of ?? (await items.listItemLinks(itemId))) {
    const categories = (await items.listGroupCategories(link.groupId, [itemId])).get(itemId) ?? []
    links.push({ ...link, categories })
  }
  return links
}

/** Links that came and went, and the categories that went with them. */
export function linksChanged(added: readonly string[], ended: readonly LinkWithCategories[]): ItemChange {
  if (added.length + ended.length === 0) return {}
  const groupCategories = ended.flatMap(({ groupId, categories }) =>
    categories.length === 0 ? [] : { groupId, from: categories, to: [] },
  )
  const control = ended.flatMap(({ groupId, givesControl }) => (givesControl ? groupId : []))
  return {
    groups: { added, removed: ended.map(({ groupId }) => groupId), ...(control.length > 0 && { control }) },
    ...(groupCategories.length > 0 && { groupCategories }),
  }
}
