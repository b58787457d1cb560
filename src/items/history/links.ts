import type { ItemLink, ItemStores } from '../store.ts'
import type { ItemChange } from './item-change.ts'

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
