import type { ItemStores } from '../store.ts'
import type { ItemChange } from './item-change.ts'

/** Link of an item to a group, with the group's categories of the item, which end with it. */
interface LinkWithCategories {
  readonly groupId: string
  readonly categories: readonly string[]
}

/** Links of an item as they are before some of them end. */
export async function readLinks(
  { items }: { readonly items: Pick<ItemStores['items'], 'listItemLinks' | 'listGroupCategories'> },
  itemId: string,
): Promise<readonly LinkWithCategories[]> {
  const links: LinkWithCategories[] = []
  for (const { groupId } of await items.listItemLinks(itemId)) {
    links.push({ groupId, categories: (await items.listGroupCategories(groupId, [itemId])).get(itemId) ?? [] })
  }
  return links
}

/** Links that came and went, and the categories that went with them. */
export function linksChanged(added: readonly string[], ended: readonly LinkWithCategories[]): ItemChange {
  if (added.length + ended.length === 0) return {}
  const groupCategories = ended.flatMap(({ groupId, categories }) =>
    categories.length === 0 ? [] : { groupId, from: categories, to: [] },
  )
  return {
    groups: { added, removed: ended.map(({ groupId }) => groupId) },
    ...(groupCategories.length > 0 && { groupCategories }),
  }
}
