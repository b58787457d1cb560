/** Databases with any number of items, filled without the operations but with the rows that those would write. */
import { randomBytes } from 'node:crypto'
import Database from 'better-sqlite3'
import { withAbove } from '../src/categories/lineage.ts'
import type { NewItem } from '../src/items/store.ts'
import { fold } from '../src/search/folding.ts'
import { toText } from '../src/storage/stores/items/index/document.ts'
import { toIndexed } from '../src/storage/stores/items/index/index-item.ts'
import { digestOfRecord } from '../src/storage/stores/items/index/index-rows.ts'
import { toRow } from '../src/storage/stores/items/item-rows.ts'
import type { CategoryPathRow } from '../src/storage/tables/rows/categories.ts'
import type { ItemCategoryRow, ItemGroupRow, ItemRow } from '../src/storage/tables/rows/items.ts'
import { accountsOfRows } from '../src/storage/tables/rows/kept-bytes.ts'
import type { ItemIndexRow } from '../src/storage/tables/rows/search-index.ts'
import { seededRandom } from '../test/support/inputs/seeded-random.ts'
import { adder } from './growth.ts'

/** Properties of the items to create. */
export interface Content {
  readonly size: number
  readonly portalId: string
  /** Owner of all items. */
  readonly owner: { readonly userId: string; readonly username: string }
  readonly groupIds: readonly string[]
  /** Paths of the organization's categories, parents before children. */
  readonly paths: readonly string[]
}

/** Numbers of items with the same `selective` word and with the same `wide` word; every item has `common`. */
export const selectiveMatches = 1_000
export const wideMatches = 20_000

/** Number of words of each kind. */
export function wordsOfKind(size: number, matches: number): number {
  return Math.ceil(size / matches)
}

const transactionItems = 20_000
const types = ['Web Map', 'Feature Service', 'Web Mapping Application', 'PDF', 'Dashboard', 'Layer Package']
const vocabularySize = 20_000

/** Fills the database; returns the ids of the items. */
export function fillContent(file: string, content: Content): readonly string[] {
  const { size, groupIds, portalId } = content
  using database = open(file)
  const random = seededRandom(1)
  const below = (max: number) => Math.floor(random() * max)
  const numbers = addPaths(database, content)
  const leaves = content.paths.filter((path) => path.lastIndexOf('/') > 0)
  const add = {
    item: adder<ItemRow & { id: number }>(database, 'items'),
    category: adder<ItemCategoryRow>(database, 'item_categories'),
    group: adder<ItemGroupRow>(database, 'item_groups'),
    index: adder<ItemIndexRow>(database, 'item_index'),
    words: database.prepare('insert into item_words (rowid, tokens) values (?, ?)'),
  }
  const ids: string[] = []

  function addItem(id: number): void {
    const paths = [...new Set(Array.from({ length: 1 + below(3) }, () => leaves[below(leaves.length)]!))]
    const groups = below(10) === 0 ? [groupIds[below(groupIds.length)]!] : []
    const item = anItem(content, id, below, paths)
    const access = item.level === 'private' && groups.length > 0 ? 'shared' : item.level
    const row = { ...toRow(item), id, access } as unknown as ItemRow & { id: number }
    add.item(row)
    const carried = paths.map((path) => numbers.get(path)!)
    const above = new Set(paths.flatMap((path) => withAbove(path).slice(0, -1)).map((path) => numbers.get(path)!))
    for (const [position, category_id] of carried.entries()) add.category({ category_id, item_number: id, position })
    for (const group_id of groups) add.group({ item_number: id, group_id, gives_control: 0 })
    const ofOwner = { owner_kind: 'portal', owner_id: portalId }
    const categories = [
      ...carried.sort((one, other) => one - other).map((category) => ({ id: category, ...ofOwner, is_carried: 1 })),
      ...[...above].map((category) => ({ id: category, ...ofOwner, is_carried: 0 })),
    ]
    const record = toIndexed({ ...row, username: content.owner.username } as never, groups, categories)
    add.index({ ...record.row, digest: digestOfRecord(record), keywords: JSON.stringify(record.keywords) })
    add.words.run(id, toText(record.document, record.uncompared))
    ids.push(item.itemId)
  }

  for (let begin = 1; begin <= size; begin += transactionItems) {
    database.transaction(() => {
      for (let id = begin; id < begin + transactionItems && id <= size; id += 1) addItem(id)
    })()
  }
  database.exec(`delete from item_counts; delete from item_count_changes;
    insert into item_counts (owner_kind, owner_id, items, bytes) select 'user', account, sum(items), sum(bytes)
      from (${accountsOfRows}) group by account;
    insert into item_counts select 'portal', portal_id, count(*), sum(bytes) from items group by portal_id`)
  return ids
}

function open(file: string) {
  const database = new Database(file)
  // Durability is not needed: an interrupted fill is started again.
  database.pragma('synchronous = off')
  return Object.assign(database, { [Symbol.dispose]: () => void database.close() })
}

/** Adds the paths; returns their numbers. */
function addPaths(database: Database.Database, { portalId, paths }: Content): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>()
  const addPath = adder<Omit<CategoryPathRow, 'id'> & { id: number }>(database, 'category_paths')
  for (const [at, path] of paths.entries()) {
    const above = path.slice(0, path.lastIndexOf('/'))
    const owner = { owner_kind: 'portal', owner_id: portalId }
    const parent_id = numbers.get(above) ?? null
    addPath({
      id: at + 1,
      ...owner,
      path,
      path_key: fold(path),
      depth: path.split('/').length - 1,
      parent_id,
      state: 'primary',
    })
    numbers.set(path, at + 1)
  }
  return numbers
}

function anItem(content: Content, id: number, below: (max: number) => number, categories: readonly string[]): NewItem {
  // Word frequencies as in a language: a few are frequent, most are rare.
  const word = () => `w${Math.floor(below(vocabularySize) ** 2 / vocabularySize)}`
  const text = (length: number) => Array.from({ length }, word).join(' ')
  const chance = below(10)
  const createdAt = 1_600_000_000_000 + id * 60_000
  return {
    itemId: randomBytes(16).toString('hex'),
    portalId: content.portalId,
    ownerId: content.owner.userId,
    title: `Item ${id} ${text(4)}`,
    type: types[below(types.length)]!,
    typeKeywords: ['Map', 'Data'],
    tags: [`tag${below(50)}`, `tag${below(500)}`],
    snippet: [
      'common',
      `selective${id % wordsOfKind(content.size, selectiveMatches)}`,
      `wide${id % wordsOfKind(content.size, wideMatches)}`,
      text(7),
    ].join(' '),
    description: text(30),
    documentation: '',
    accessInformation: '',
    licenseInfo: '',
    culture: 'en-us',
    spatialReference: '',
    url: 'https://maps.example.com/item',
    extent: undefined,
    properties: undefined,
    level: chance === 0 ? 'private' : chance < 4 ? 'public' : 'org',
    isProtected: false,
    size: 0,
    bytes: 0,
    categories,
    createdAt,
    modifiedAt: createdAt,
  }
}
