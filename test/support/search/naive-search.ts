import type { Item } from '../../../src/items/item.ts'
import type { CountedField, ItemCondition, ItemSearch, ItemViewer } from '../../../src/items/search/item-search.ts'
import type { Page } from '../../../src/paging.ts'
import type { CategoryHolder } from '../../../src/search/condition.ts'
import { fold, wordsOf as splitWords } from '../../../src/search/folding.ts'

const knownWords = new Map<string, readonly string[]>()

/** Splits each text only once: searches ask for those of the same items again and again. */
function wordsOf(text: string): readonly string[] {
  const known = knownWords.get(text) ?? splitWords(text)
  knownWords.set(text, known)
  return known
}

/** An item with everything that a search looks at. */
export interface ItemInMemory {
  readonly item: Item
  /** Paths of each group that it is shared with. */
  readonly groups: ReadonlyMap<string, readonly string[]>
}

/** Ids of users, each with the ids of its groups. */
export type MembersInMemory = ReadonlyMap<string, readonly string[]>

/** Expected results of a search, found by looking at every item, one after the other. */
export interface NaiveAnswer {
  readonly total: number
  readonly ids: readonly string[]
  readonly counts: readonly { readonly field: CountedField; readonly values: readonly NaiveCount[] }[]
}

interface NaiveCount {
  readonly value: string
  readonly count: number
}

export function searchNaively(
  items: readonly ItemInMemory[],
  members: MembersInMemory,
  viewer: ItemViewer,
  search: ItemSearch,
  page: Page,
): NaiveAnswer {
  const { groupId, bbox } = search
  const found = items.filter(
    (one) =>
      isSeen(one, members, viewer) &&
      (groupId === undefined || one.groups.has(groupId)) &&
      matches(one, search.condition) &&
      (bbox === undefined || overlaps(one.item.extent, bbox)),
  )
  const sorted = found.toSorted((one, other) => compareItems(search, one, other))
  return {
    total: found.length,
    ids: sorted.slice(page.start - 1, page.start - 1 + page.num).map(({ item }) => item.itemId),
    counts: search.countFields.map((field) => {
      const values =
        field === 'categories' || field === 'carried' ? countPaths(found, groupId, field) : countFolded(found, field)
      values.sort((one, other) => other.count - one.count || compareTexts(one.value, other.value))
      return { field, values: values.slice(0, search.countSize) }
    }),
  }
}

export function isSeen({ item, groups }: ItemInMemory, members: MembersInMemory, viewer: ItemViewer): boolean {
  if (item.level === 'public') return true
  if (item.portalId === viewer.portalId && viewer.canViewEveryItem) return true
  if (item.portalId === viewer.portalId && viewer.canViewOrganizationItems && item.level === 'org') return true
  if (viewer.userId === undefined) return false
  if (item.ownerId === viewer.userId) return true
  return (members.get(viewer.userId) ?? []).some((group) => groups.has(group))
}

function matches(one: ItemInMemory, condition: ItemCondition): boolean {
  switch (condition.kind) {
    case 'all':
      return true
    case 'none':
      return false
    case 'and':
      return listIn(condition).every((part) => matches(one, part))
    case 'or':
      return listIn(condition).some((part) => matches(one, part))
    case 'not':
      return !matches(one, condition.of as ItemCondition)
    case 'words':
      return condition.fields.some((field) =>
        valuesOf(one, field).some((value) => hasPhrase(wordsOf(value), condition)),
      )
    case 'key':
      return foldedOf(one, condition.field).some((value) =>
        condition.isPrefix ? value.startsWith(condition.value) : value === condition.value,
      )
    case 'pattern':
      return foldedOf(one, condition.field).some((value) => isLike(Array.from(value), Array.from(condition.pattern)))
    case 'between': {
      const { min, max } = condition
      return foldedOf(one, condition.field).some((value) => {
        const [low, high] = [min && compareTexts(value, min.value), max && compareTexts(value, max.value)]
        const isAbove = low === undefined || low > 0 || (low === 0 && min!.isInclusive)
        return isAbove && (high === undefined || high < 0 || (high === 0 && max!.isInclusive))
      })
    }
    case 'range': {
      const value = condition.field === 'created' ? one.item.createdAt : one.item.modifiedAt
      return condition.min <= value && value <= condition.max
    }
    case 'category':
      return pathsOf(one, condition.holder).some((path) => `${fold(path)}/`.startsWith(`${condition.path}/`))
    case 'categoryTitle':
      return titlesOf(one, condition.holder).some((title) => fold(title) === condition.title)
    case 'categoryWords':
      return titlesOf(one, condition.holder).some((title) =>
        hasPhrase(wordsOf(title), { words: condition.words, isPrefix: false }),
      )
    case 'categorized':
      return pathsOf(one, condition.holder).length > 0
    default:
      throw new Error('There is no such condition.')
  }
}

function listIn(condition: ItemCondition): readonly ItemCondition[] {
  return (condition as { readonly of: readonly ItemCondition[] }).of
}

function hasPhrase(
  words: readonly string[],
  phrase: { readonly words: readonly string[]; readonly isPrefix: boolean },
) {
  const last = phrase.words.length - 1
  return words.some((_, at) =>
    phrase.words.every((word, next) => {
      const there = words[at + next]
      return next === last && phrase.isPrefix ? there?.startsWith(word) : there === word
    }),
  )
}

function isLike(value: readonly string[], pattern: readonly string[]): boolean {
  const [first, ...rest] = pattern
  if (first === undefined) return value.length === 0
  if (first === '*') return isLike(value, rest) || (value.length > 0 && isLike(value.slice(1), pattern))
  return value.length > 0 && (first === '?' || first === value[0]) && isLike(value.slice(1), rest)
}

function foldedOf(one: ItemInMemory, field: Parameters<typeof valuesOf>[1]): readonly string[] {
  return valuesOf(one, field)
    .map(fold)
    .filter((value) => value !== '')
}

type KeywordField = Extract<ItemCondition, { kind: 'key' }>['field']

function valuesOf({ item, groups }: ItemInMemory, field: KeywordField): readonly string[] {
  const values: Readonly<Record<KeywordField, readonly string[]>> = {
    title: [item.title],
    snippet: [item.snippet],
    description: [item.description],
    tags: item.tags,
    type: [item.type],
    typekeywords: item.typeKeywords,
    accessinformation: [item.accessInformation],
    licenseinfo: [item.licenseInfo],
    owner: [item.ownerUsername],
    id: [item.itemId],
    group: [...groups.keys()],
    orgid: [item.portalId],
    access: [item.access],
    culture: [item.culture],
    spatialreference: [item.spatialReference],
    itemtype: [item.url === '' ? 'text' : 'url'],
  }
  return values[field]
}

function pathsOf({ item, groups }: ItemInMemory, holder: CategoryHolder): readonly string[] {
  return holder === 'portal' ? item.categories : (groups.get(holder.groupId) ?? [])
}

function titlesOf(one: ItemInMemory, holder: CategoryHolder): readonly string[] {
  return pathsOf(one, holder).flatMap((path) => path.split('/').slice(1))
}

function overlaps(extent: Item['extent'], [west, south, east, north]: NonNullable<ItemSearch['bbox']>): boolean {
  return extent !== undefined && extent[0] <= east && extent[2] >= west && extent[1] <= north && extent[3] >= south
}

function compareItems(search: ItemSearch, one: ItemInMemory, other: ItemInMemory): number {
  for (const { field, order } of search.sort) {
    const compared = compareBy(search, field, one, other)
    if (compared !== 0) return order === 'desc' && field !== 'relevance' ? -compared : compared
  }
  return compareTexts(one.item.itemId, other.item.itemId)
}

function compareBy(
  { inTitle }: ItemSearch,
  field: ItemSearch['sort'][number]['field'],
  one: ItemInMemory,
  other: ItemInMemory,
): number {
  switch (field) {
    case 'relevance': {
      const rank = (item: ItemInMemory) => (inTitle && !matches(item, inTitle) ? 1 : 0)
      return rank(one) - rank(other) || other.item.modifiedAt - one.item.modifiedAt
    }
    case 'created':
    case 'number':
      return one.item.createdAt - other.item.createdAt
    case 'modified':
      return one.item.modifiedAt - other.item.modifiedAt
    case 'title':
      return compareTexts(fold(one.item.title), fold(other.item.title))
    case 'type':
      return compareTexts(fold(one.item.type), fold(other.item.type))
    case 'owner':
      return compareTexts(one.item.ownerUsername.toLowerCase(), other.item.ownerUsername.toLowerCase())
  }
}

function countPaths(
  found: readonly ItemInMemory[],
  groupId: string | undefined,
  field: 'categories' | 'carried',
): NaiveCount[] {
  const counts = new Map<string, number>()
  for (const one of found) {
    const own = new Set<string>()
    for (const path of pathsOf(one, groupId === undefined ? 'portal' : { groupId })) {
      const titles = path.split('/').slice(1)
      for (let length = field === 'carried' ? titles.length : 1; length <= titles.length; length += 1)
        own.add(`/${titles.slice(0, length).join('/')}`)
    }
    for (const path of own) counts.set(path, (counts.get(path) ?? 0) + 1)
  }
  return [...counts].map(([value, count]) => ({ value, count }))
}

function countFolded(
  found: readonly ItemInMemory[],
  field: Exclude<CountedField, 'categories' | 'carried'>,
): NaiveCount[] {
  const spellings = new Map<string, Map<string, number>>()
  for (const { item } of found) {
    const values = { tags: item.tags, type: [item.type], access: [item.access], owner: [item.ownerUsername] }[field]
    const byFolded = new Map<string, string>()
    for (const value of values.toSorted(compareTexts).toReversed()) byFolded.set(fold(value), value)
    for (const [key, value] of byFolded) {
      const known = spellings.get(key) ?? new Map<string, number>()
      spellings.set(key, known.set(value, (known.get(value) ?? 0) + 1))
    }
  }
  return [...spellings.values()].map((known) => {
    const [commonest] = [...known].toSorted(([a, one], [b, other]) => other - one || compareTexts(a, b))
    return { value: commonest![0], count: [...known.values()].reduce((sum, count) => sum + count, 0) }
  })
}

function compareTexts(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other))
}
