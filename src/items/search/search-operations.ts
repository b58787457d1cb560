import type { Call } from '../../call/call.ts'
import { type Parsed, unwrapParsed } from '../../call/parsed.ts'
import { requireVisibleGroup } from '../../directory/group-operations.ts'
import { canViewGroup } from '../../directory/permissions.ts'
import type { DirectoryReaders } from '../../directory/store.ts'
import { requireVisibleUser } from '../../directory/users/named-user.ts'
import type { Page, Slice } from '../../paging.ts'
import { mapLeaves } from '../../search/condition.ts'
import { fold } from '../../search/folding.ts'
import { type ItemView, viewItem } from '../item-access.ts'
import type { FoundItem, ItemReaders } from '../store.ts'
import type { ItemQuery } from './item-query.ts'
import type { FacetCounts, ItemCondition, ItemSearch, ItemViewer } from './item-search.ts'

type Readers = DirectoryReaders & Pick<ItemReaders, 'items'>

interface SearchRequest {
  readonly query: Parsed<ItemQuery>
  readonly page: Parsed<Page>
}

/** An item that a search found; in the search of a group, with the categories that the group gave it. */
export interface FoundItemView extends ItemView {
  readonly groupCategories: readonly string[] | undefined
}

/** A page of what a search found, with counts over all of it. */
export interface ItemPage extends Slice<FoundItemView> {
  readonly counts: readonly FacetCounts[]
  readonly page: Page
}

/** Pages the first of what a search finds only (documented); its total may be larger. */
export const searchWindow = 10_000

/** Items that the caller sees, those of other organizations too (documented). */
export async function searchItems(stores: Readers, call: Call, input: SearchRequest): Promise<ItemPage> {
  const query = await visibleQuery(stores, call, unwrapParsed(input.query))
  return find(stores, call, { ...query, groupId: undefined }, unwrapParsed(input.page))
}

/** Items of a group; also who sees the group finds only items that they see themselves (chosen). */
export async function searchGroupItems(
  stores: Readers,
  call: Call,
  input: SearchRequest & { groupId: string },
): Promise<ItemPage> {
  const { groupId } = input
  await requireVisibleGroup(stores, call, groupId)
  const query = await visibleQuery(stores, call, unwrapParsed(input.query))
  return find(stores, call, { ...query, groupId }, unwrapParsed(input.page))
}

/** Lists the items of a group. */
export async function listGroupItems(
  stores: Readers,
  call: Call,
  input: SearchRequest & { groupId: string },
): Promise<ItemPage> {
  const { groupId } = input
  await requireVisibleGroup(stores, call, groupId)
  const page = unwrapParsed(input.page)
  return findPage(stores, call, { ...unwrapParsed(input.query), groupId }, page, page)
}

/** Maximum number of tags that are listed of a user (chosen). */
const maxTags = 1_000

/** Tags of the items that the user owns and the caller sees, the commonest first. */
export async function listUserTags(
  stores: Readers,
  call: Call,
  input: { readonly username: string },
): Promise<FacetCounts['values']> {
  const { username } = await requireVisibleUser(stores, call, input.username)
  const search: ItemSearch = {
    condition: { kind: 'key', field: 'owner', value: fold(username), isPrefix: false },
    inTitle: undefined,
    bbox: undefined,
    sort: [],
    groupId: undefined,
    countFields: ['tags'],
    countSize: maxTags,
  }
  const { counts } = await stores.items.searchItems(viewerOf(call), search, { start: 1, num: 0 })
  return counts.flatMap(({ values }) => values)
}

/** Items that the query finds and the caller sees, also behind the window, in the order of creation, each as `toRow` makes it. */
export async function listFound<Row>(
  stores: Readers,
  call: Call,
  query: ItemQuery,
  groupId: string | undefined,
  page: Page,
  toRow: (found: FoundItem) => Row,
): Promise<Slice<Row>> {
  if (groupId !== undefined) await requireVisibleGroup(stores, call, groupId)
  const visible = await visibleQuery(stores, call, query)
  const sort = [{ field: 'number', order: 'asc' }] as const
  const search = { ...visible, groupId, sort, countFields: [] }
  return stores.items.listFound(viewerOf(call), search, page, toRow)
}

/** The part of the page that lies in the window: before the first and after the window there is nothing. */
function find(stores: Readers, call: Call, search: ItemSearch, page: Page): Promise<ItemPage> {
  const { start, num } = page
  const isInside = start >= 1 && start <= searchWindow
  const inside = isInside ? { start, num: Math.min(num, searchWindow - start + 1) } : { start: 1, num: 0 }
  return findPage(stores, call, search, page, inside)
}

async function findPage(
  { items }: Readers,
  call: Call,
  search: ItemSearch,
  page: Page,
  inside: Page,
): Promise<ItemPage> {
  const { total, entries, counts } = await items.searchItems(viewerOf(call), search, inside)
  const views = entries.map((found) => ({ ...viewItem(call.caller, found), groupCategories: found.groupCategories }))
  return { total, entries: views, counts, page }
}

export function viewerOf({ caller }: Call): ItemViewer {
  return {
    userId: caller?.userId,
    portalId: caller?.portalId ?? '',
    canViewOrganizationItems: caller?.privileges.has('portal:user:viewOrgItems') ?? false,
    canViewEveryItem: caller?.privileges.has('portal:admin:viewItems') ?? false,
  }
}

/** Which items a group has is for those who see the group; for any other caller, none. */
async function visibleQuery({ directory }: Readers, { caller }: Call, query: ItemQuery): Promise<ItemQuery> {
  const groups = new Set<string>()
  mapLeaves(query.condition, (leaf) => {
    if (isGroup(leaf)) groups.add(leaf.value)
    return leaf
  })
  const seen = new Set<string>()
  for (const groupId of groups) {
    const found = await directory.findGroupFor(groupId, caller?.userId)
    if (found && canViewGroup(caller, found.group, found.memberType)) seen.add(groupId)
  }
  const visible = (condition: ItemCondition): ItemCondition =>
    mapLeaves(condition, (leaf) => (isGroup(leaf) && !seen.has(leaf.value) ? { kind: 'none' } : leaf))
  return { ...query, condition: visible(query.condition), inTitle: query.inTitle && visible(query.inTitle) }
}

function isGroup(leaf: ItemCondition): leaf is Extract<ItemCondition, { kind: 'key' }> {
  return leaf.kind === 'key' && leaf.field === 'group'
}
