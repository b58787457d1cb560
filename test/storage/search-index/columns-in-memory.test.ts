import Database from 'better-sqlite3'
import { type SqlBool, sql } from 'kysely'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { countedFields, type ItemFields, type ItemSearch } from '../../../src/items/search/item-search.ts'
import type { FoundItems } from '../../../src/items/store.ts'
import { allOf, negationOf } from '../../../src/search/condition.ts'
import { openKysely } from '../../../src/storage/sqlite/dialect.ts'
import { searchOn } from '../../../src/storage/sqlite/searcher.ts'
import { openSqlite } from '../../../src/storage/sqlite/sqlite.ts'
import type { Readers, Stores } from '../../../src/storage/storage.ts'
import { ItemColumnCache } from '../../../src/storage/stores/items/columns/item-column-cache.ts'
import {
  endOfLists,
  half,
  ItemColumns,
  lengthOfRecord,
} from '../../../src/storage/stores/items/columns/item-columns.ts'
import { rebuildIndex } from '../../../src/storage/stores/items/index/rebuild.ts'
import { openStores } from '../../../src/storage/stores.ts'
import { seededRandom } from '../../support/inputs/seeded-random.ts'
import { countOf, timeoutOf } from '../../support/length.ts'
import type { ItemInMemory } from '../../support/search/naive-search.ts'
import { addDrawn, addWorld, Draw, drawItem, groups, users, viewers } from '../../support/search/random-items.ts'
import { drawCategorySearch, drawSearch } from '../../support/search/random-searches.ts'
import { until } from '../../support/until.ts'
import { noon } from '../contract/records.ts'
import { preparedFile } from '../sqlite/temporary-file.ts'
import { openWorkFile } from '../work-storage.ts'
import { searchedByColumns } from './searched-storages.ts'

const everything: ItemSearch = {
  condition: { kind: 'all' },
  inTitle: undefined,
  bbox: undefined,
  sort: [{ field: 'modified', order: 'desc' }],
  groupId: undefined,
  countFields: countedFields,
  countSize: 200,
}
const page = { start: 1, num: 20 }
const administrator = viewers.find((viewer) => viewer.canViewEveryItem)!

function answerOf({ total, entries, counts }: FoundItems) {
  return { total, ids: entries.map(({ item }) => item.itemId), counts }
}

/** Changes an item in one of the ways in which what a search sees of it changes. */
async function change({ items, directory }: Stores, draw: Draw, { item }: ItemInMemory): Promise<string> {
  const { itemId } = item
  const given = draw.one(['updateItem', 'removeItem', 'giveItem', 'link', 'unlink', 'categorize', 'leave'] as const)
  if (!(await items.hasItemId(itemId)) || !(await items.findItemFor(itemId, undefined))) return 'nothing'
  switch (given) {
    case 'updateItem': {
      const found = (await items.findItemFor(itemId, undefined))!.item
      const { itemId: _, ownerId: _owner, portalId: _portal, ...changed } = drawItem(draw, 0)
      await items.updateItem({ ...found, ...changed })
      break
    }
    case 'removeItem':
      await items.removeItem(itemId)
      break
    case 'giveItem':
      await items.giveItem(itemId, draw.one(users).userId)
      break
    case 'link':
      await items.putItemLink(itemId, { groupId: draw.one(groups), givesControl: false })
      break
    case 'unlink':
      await items.removeItemLink(itemId, draw.one(groups))
      break
    case 'categorize':
      await items.putCategories([{ itemId, paths: ['/Region/Lakes', '/Region'] }], item.modifiedAt + draw.below(50))
      break
    case 'leave':
      await items.removeItemLinksOf(draw.one(users).userId, draw.one(groups))
      await directory.removeMember(draw.one(groups), draw.one(users).userId)
  }
  return given
}

/** Gives the first item copies with the numbers from 1,001 to that one. */
function copyFirst(connection: Database.Database, last: number): void {
  for (const [table, id] of [
    ['items', 'id'],
    ['item_index', 'number'],
  ]) {
    const names = connection.prepare<[], string>(`select name from pragma_table_info('${table}')`).pluck().all()
    const values = names.map((name) => (name === id ? 'n' : name === 'item_id' ? "item_id || ' ' || n" : name))
    connection.exec(`with recursive numbers (n) as (select 1001 union all select n + 1 from numbers where n < ${last})
      insert into ${table} (${names}) select ${values} from ${table} join numbers where ${id} = 1`)
  }
}

/** A file with this many items, and a connection to it whose statements are listed. */
async function openDrawn(seed: number, count: number) {
  const file = await preparedFile()
  const storage = await openWorkFile(file)
  const draw = new Draw(seededRandom(seed))
  await storage.write((stores) => addWorld(stores, draw))
  for (let number = 0; number < count; number += 1) await storage.write((stores) => addDrawn(stores, draw, number))
  const statements: string[] = []
  const connection = new Database(file, { verbose: (statement) => statements.push(String(statement)) })
  onTestFinished(async () => {
    connection.close()
    await storage.close()
  })
  return { storage, draw, connection, db: openKysely(connection), statements }
}

async function read(columns: ItemColumnCache, db: ReturnType<typeof openKysely>): Promise<void> {
  while (await columns.readPart(db));
}

function numbersOf({ records, length }: ItemColumns): readonly number[] {
  return [...Array(length).keys()].filter((number) => records[number * lengthOfRecord] !== 0)
}

/** SQL for this many tags of a row of the index, which no other row has. */
function tagsOf(count: number): string {
  return `with recursive tags (n) as (select 1 union all select n + 1 from tags where n < ${count})
    select json_group_array(number || ' ' || n) from tags`
}

const steps = countOf({ sample: 40, system: 60, long: 2_000 })

test(
  'columns in memory and kept matches follow every kind of change: they find what the statement finds',
  async () => {
    const { storage, search, readItems } = await searchedByColumns()
    const draw = new Draw(seededRandom(26))
    await storage.write((stores) => addWorld(stores, draw))
    const items: ItemInMemory[] = []
    while (items.length < 10) items.push(await storage.write((stores) => addDrawn(stores, draw, 1_000 + items.length)))
    // Asked again and again, between changes: their matches are kept, and have to follow.
    const drawn = Array.from({ length: 8 }, (_, at) => (at < 4 ? drawSearch : drawCategorySearch)(draw, items))
    const both = drawn.map(({ search: one }) => allOf([one.condition, draw.one(drawn).search.condition]))
    const without = drawn.map(({ search: one }) => negationOf<ItemFields>(one.condition))
    const others = ['water', 'lakes', 'roads', 'land use', 'rivers and lakes', 'lodz'].map((title) =>
      negationOf<ItemFields>({ kind: 'category', holder: 'portal', path: `/region/${title}` }),
    )
    const repeated = [...both, ...without, allOf(others)].map((condition) => ({ ...everything, condition }))
    const done: string[] = []
    for (let step = 0; step < steps; step += 1) {
      if (draw.once(3)) items.push(await storage.write((stores) => addDrawn(stores, draw, step)))
      else if (items.length > 0) done.push(await storage.write((stores) => change(stores, draw, draw.one(items))))
      const viewer = draw.one(viewers)
      const sort = step % 2 === 0 ? everything.sort : ([{ field: 'number', order: 'asc' }] as const)
      const asked = { ...everything, sort, groupId: draw.once(4) ? draw.one(groups) : undefined }
      const expected = await storage.items.searchItems(viewer, asked, page)
      expect({ step, done, viewer, answer: answerOf(await search(viewer, asked, page)) }).toEqual({
        step,
        done,
        viewer,
        answer: answerOf(expected),
      })
      for (const again of [draw.one(repeated), draw.one(repeated), ...(step % 16 === 0 ? repeated : [])]) {
        const present = answerOf(await storage.items.searchItems(viewer, again, page))
        const answer = answerOf(await search(viewer, again, page))
        expect({ step, done, viewer, again, answer }).toEqual({ step, done, viewer, again, answer: present })
      }
      const owner = { kind: 'portal', portalId: viewer.portalId } as const
      expect(await readItems((reader) => reader.countCoverage(owner))).toEqual(await storage.items.countCoverage(owner))
    }
    expect(new Set(done).size).toBe(8)
  },
  timeoutOf(steps, 100),
)

test('of links to a group that have ended, columns count nothing, also while rows of them are left', async () => {
  const { storage, search, readItems } = await searchedByColumns()
  const draw = new Draw(seededRandom(29))
  await storage.write((stores) => addWorld(stores, draw))
  const [groupId, { userId, portalId }] = [groups[0]!, users[0]!]
  const count = () =>
    readItems((items) =>
      items.countItems({ kind: 'group', groupId }, [
        { paths: ['/Region', '/Land'], isBelowToo: true },
        { paths: ['/Land'], isBelowToo: false },
      ]),
    )
  const total = async () => (await search(administrator, { ...everything, groupId }, page)).total
  const cover = async () =>
    (await readItems((items) => items.countCoverage({ kind: 'group', groupId }))).map(({ path, items }) => [
      path,
      items,
    ])
  await storage.write(async ({ items }) => {
    for (let number = 0; number < 30; number += 1) {
      const item = { ...drawItem(draw, number), ownerId: userId, portalId, level: 'public' } as const
      await items.addItem(item)
      await items.putItemLink(item.itemId, { groupId, givesControl: false })
      const paths = number % 2 === 0 ? ['/Region/Lakes', '/Land'] : ['/Region/Rivers', '/Region']
      await items.putGroupCategories(groupId, [{ itemId: item.itemId, paths }])
    }
  })
  expect([await count(), await total()]).toEqual([[30, 15], 30])
  const carried = { '/Land': 15, '/Region': 30, '/Region/Lakes': 15, '/Region/Rivers': 15 }
  expect(await cover()).toEqual(Object.entries({ '': 30, uncategorized: 0, ...carried }))
  await storage.items.removeItemLinksOf(userId, groupId)
  expect(await storage.items.isEnding(groupId, userId)).toBe(true)
  expect([await count(), await total()]).toEqual([[0, 0], 0])
  expect(await cover()).toEqual(Object.entries({ '': 0, uncategorized: 0 }))
})

describe('columns are read again', () => {
  const open = () => openDrawn(27, 5)

  test('where more has changed than the database keeps', async () => {
    const { db, connection } = await open()
    const columns = new ItemColumnCache()
    await read(columns, db)
    const kept = () => connection.prepare('select count(*) from item_changes').pluck().get() as number
    const before = kept()
    const changeAgain = connection.prepare("update item_index set digest = 'other'")
    connection.transaction(() => {
      while (kept() < 20_000) changeAgain.run()
    })()
    expect(await columns.find(db)).toBeDefined()
    connection.transaction(() => {
      for (let times = 0; times < 21_000; times += 5) changeAgain.run()
    })()
    expect(kept()).toBeLessThan(22_000)
    expect(before).toBeGreaterThan(0)
    expect(await columns.find(db)).toBeUndefined()
    await read(columns, db)
    expect(numbersOf((await columns.find(db))!)).toEqual([1, 2, 3, 4, 5])
  })

  test.each([
    [
      'a change between others is missing',
      'delete from item_changes where id = (select max(id) - 1 from item_changes)',
    ],
    ['the last change that was read is missing', 'delete from item_changes'],
  ])('where %s', async (_, losing) => {
    const { db, connection } = await open()
    const columns = new ItemColumnCache()
    await read(columns, db)
    expect(await columns.find(db)).toBeDefined()
    connection.exec("update item_index set digest = 'other'")
    connection.exec(losing)
    expect(await columns.find(db)).toBeUndefined()
  })

  test('some searches after an organization had too many values, which none has any more', async () => {
    const { db, connection } = await open()
    const columns = new ItemColumnCache({ room: 2_000 }, 3)
    await read(columns, db)
    const tag = connection.prepare('update item_index set tags = ? where number = 1')
    const isCrowded = async () => (await columns.find(db))!.crowded.size > 0
    expect(await isCrowded()).toBe(false)
    tag.run(JSON.stringify(Array.from({ length: 40 }, (_, at) => `passing ${at}`)))
    expect(await isCrowded()).toBe(true)
    tag.run('[]')
    expect([await isCrowded(), await isCrowded(), await isCrowded()]).toEqual([true, true, true])
    expect(await columns.find(db)).toBeUndefined()
    expect(columns.isMissing).toBe(true)
    await read(columns, db)
    expect(await isCrowded()).toBe(false)
  })

  test('some searches after there was too much', async () => {
    const { db, connection } = await open()
    const columns = new ItemColumnCache({ number: 4 }, 3)
    await read(columns, db)
    connection.exec(
      'pragma foreign_keys = off; delete from item_index where number = 5; delete from items where id = 5',
    )
    const found: boolean[] = []
    for (let times = 0; times < 5; times += 1) {
      found.push((await columns.find(db)) !== undefined)
      await read(columns, db)
    }
    expect(found).toEqual([false, false, false, true, true])
  })

  test.each([{ number: 4 }, { roomOfAll: 100 }])('never where there are too many: %o', async (limits) => {
    const { db } = await open()
    const columns = new ItemColumnCache(limits)
    await read(columns, db)
    expect(await columns.find(db)).toBeUndefined()
    const { items } = openStores(db, { columns })
    expect((await items.searchItems(administrator, everything, page)).total).toBeGreaterThan(0)
    expect(columns.isMissing).toBe(false)
  })
})

describe('a search by columns that has no time left', () => {
  const late = new Error('too late')

  async function open() {
    const { storage, draw, connection, db, statements } = await openDrawn(31, 0)
    for (let number = 0; number < 20; number += 1) {
      await storage.items.addItem({ ...drawItem(draw, number), level: 'public', modifiedAt: noon })
    }
    let looks = Number.POSITIVE_INFINITY
    connection.function('is_before_deadline', { deterministic: false }, () => {
      if (looks-- <= 0) throw late
      return 1
    })
    copyFirst(connection, 13_000)
    const columns = new ItemColumnCache()
    await read(columns, db)
    const { items } = openStores(db, { deadlineCondition: sql<SqlBool>`is_before_deadline()`, columns })
    const asked = [administrator, { ...everything, countFields: [] }, { start: 990, num: 20 }] as const
    const search = (max = Number.POSITIVE_INFINITY) => {
      looks = max
      statements.length = 0
      return items.searchItems(...asked)
    }
    return { connection, columns, db, search, statements }
  }

  test('ends between loops, and while it reads the ids of equal times', async () => {
    const { connection, search, statements } = await open()
    const found = await search()
    expect(found.total).toBe(12_020)
    expect(statements.some((statement) => statement.startsWith('with '))).toBe(false)
    const byId = connection.prepare('select item_id from item_index order by item_id limit 20 offset 989').pluck().all()
    expect(found.entries.map(({ item }) => item.itemId)).toEqual(byId)
    for (const looks of [0, 1, 2, 5, 11_000]) await expect(search(looks)).rejects.toThrow(late)
  })

  test('ends while it reads what has changed, and the next one reads it', async () => {
    const { connection, columns, db, search } = await open()
    connection.exec('update item_index set tags = \'["changed"]\'')
    await expect(search(3)).rejects.toThrow(late)
    expect((await columns.find(db))!.tags.find('changed')).toBeDefined()
  })
})

test('an organization with too much for the columns takes them from no other: only what it has is counted by the statement', async () => {
  const { connection, db, statements } = await openDrawn(33, 40)
  const [crowded, other] = users.map(({ portalId }) => portalId)
  const tags = `(select (${tagsOf(20)}) from item_index where number = id)`
  connection
    .prepare(`update items set level = 'private', tags = ${tags}, checksum = null where portal_id = ?`)
    .run(crowded)
  await rebuildIndex(db)
  const columns = new ItemColumnCache({ room: 10_000 })
  await read(columns, db)
  expect([...(await columns.find(db))!.crowded]).toEqual([crowded])
  const { items } = openStores(db, { columns })
  for (const portalId of [crowded, other]) {
    const viewer = viewers.find((one) => one.canViewEveryItem && one.portalId === portalId)!
    for (const countFields of [countedFields, []]) {
      const search = { ...everything, countFields }
      statements.length = 0
      const found = answerOf(await items.searchItems(viewer, search, page))
      expect(statements.some((statement) => statement.startsWith('with '))).toBe(
        portalId === crowded && search.countFields.length > 0,
      )
      expect(found).toEqual(answerOf(await openStores(db).items.searchItems(viewer, search, page)))
    }
  }
})

test.each([true, false])(
  'counts look at the clock for every 10,000 different tags; by columns: %s',
  async (isByColumns) => {
    const { connection, db } = await openDrawn(34, 1)
    let looks = 0
    connection.function('is_before_deadline', { deterministic: false }, () => {
      looks += 1
      return 1
    })
    connection.exec("update items set level = 'public'")
    copyFirst(connection, 1_250)
    connection.exec(
      `update items set tags = (select (${tagsOf(128)}) from item_index where number = id), checksum = null where id > 1000`,
    )
    await rebuildIndex(db)
    const columns = new ItemColumnCache()
    await read(columns, db)
    const { items } = openStores(db, {
      deadlineCondition: sql<SqlBool>`is_before_deadline()`,
      ...(isByColumns && { columns }),
    })
    const looksFor = async (countFields: ItemSearch['countFields']) => {
      looks = 0
      await items.searchItems(administrator, { ...everything, countFields }, { start: 1, num: 0 })
      return looks
    }
    // 32,000 tags: folded in four parts, put in order in four; before, gathered in four or read one by one.
    expect((await looksFor(['tags'])) - (await looksFor([]))).toBeGreaterThanOrEqual(isByColumns ? 9 : 6 + 32_000 / 16)
  },
)

test('of many items, categories are counted and pages are picked in parts, however far apart the items are', async () => {
  const { storage, draw, connection, db } = await openDrawn(35, 0)
  const [{ userId, portalId }] = users as [(typeof users)[number]]
  const categories = ['/Region/Lakes', '/Region/Roads']
  await storage.items.addItem({ ...drawItem(draw, 1), ownerId: userId, portalId, level: 'public', categories })
  copyFirst(connection, 12_000)
  const columns = new ItemColumnCache()
  await read(columns, db)
  const { items } = openStores(db, { columns })
  connection.exec("insert into item_words (rowid, tokens) select number, 'z' from item_index where number % 100 = 50")
  const counted = async (condition: ItemSearch['condition'], start: number) => {
    const sort = [{ field: 'number', order: 'asc' }] as const
    const asked = { ...everything, sort, condition, countFields: ['categories', 'carried'] } as const
    const { total, counts, entries } = await items.searchItems(administrator, asked, { start, num: 1 })
    return { total, counts: counts.flatMap(({ values }) => values.map(({ count }) => count)), entries: entries.length }
  }
  expect(await counted({ kind: 'all' }, 11_001)).toEqual({ total: 11_001, counts: Array(5).fill(11_001), entries: 1 })
  const rare = { kind: 'range', field: 'created', min: 0, max: 2 ** 50 } as const
  // The first item has words, too.
  expect(await counted(rare, 111)).toEqual({ total: 111, counts: Array(5).fill(111), entries: 1 })
})

test('letters of tags take room, and tags that no item may have take none', () => {
  const row = { number: 1, portal_id: 'p', owner_id: 'o', level: 'org', access: 'org', type: 'T', modified_at: noon }
  const isCrowdedBy = (...tags: readonly string[]) => {
    const columns = new ItemColumns({ room: 1_000 })
    columns.put({ ...row, categories: '', tags: JSON.stringify(tags) })
    return columns.crowded.size > 0
  }
  const tags = [...'123456'].map((number) => `${number}${'x'.repeat(127)}`)
  expect([isCrowdedBy(...'123456'), isCrowdedBy(...tags), isCrowdedBy('x'.repeat(900_000))]).toEqual([
    false,
    true,
    false,
  ])
})

test('what an item has stays its own while others are changed and removed', () => {
  const columns = new ItemColumns()
  const aRow = (number: number, round: number) => ({
    number,
    portal_id: 'p',
    owner_id: 'o',
    level: 'org',
    access: 'org',
    type: 'PDF',
    modified_at: noon + number,
    tags: JSON.stringify([`tag ${number % 7}`, `tag ${round}`]),
    categories: number % 3 === 0 ? '' : `${number},${number + round}`,
  })
  const last = new Map<number, number>()
  for (let round = 1; round <= 9; round += 1) {
    for (let number = 1; number <= 400; number += round) {
      if (number % 10 === round) columns.remove(number)
      else columns.put(aRow(number, round))
      last.set(number, number % 10 === round ? 0 : round)
    }
  }
  const expected = [...last].filter(([, round]) => round > 0).map(([number, round]) => aRow(number, round))
  expect(numbersOf(columns)).toEqual(expected.map(({ number }) => number))
  for (const { number, tags, categories, modified_at } of expected) {
    const [, begin, low, high] = columns.records.subarray(number * lengthOfRecord, (number + 1) * lengthOfRecord)
    const [count, ...rest] = columns.lists.subarray(begin, endOfLists(columns.lists, begin!))
    const carried = rest.slice(0, count).map((place) => columns.categories.all[place])
    const tagged = rest.slice(count! + 1).map((place) => columns.tags.all[place])
    expect({ carried: carried.join(','), tagged: JSON.stringify(tagged), modified: low! + high! * half }).toEqual({
      carried: categories,
      tagged: tags,
      modified: modified_at,
    })
  }
})

test('after its first search, a connection for searches reads the items, answers from them, and follows their changes without a search', async () => {
  const statements: string[] = []
  const connect = (path: string) => {
    const connection = new Database(path, { verbose: (statement) => statements.push(String(statement)) })
    connection.pragma('journal_mode = WAL')
    connection.pragma('synchronous = FULL')
    connection.pragma('foreign_keys = ON')
    return connection
  }
  type Work = (stores: Readers) => Promise<unknown>
  const execute = (stores: Stores, work: Work) => work(stores)
  const searches = { execute: (stores: Readers, work: Work) => work(stores) }
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const file = await preparedFile()
  const storage = await openSqlite<Work, Work>(file, execute, { connect, searches })
  onTestFinished(() => storage.close())
  const draw = new Draw(seededRandom(28))
  const write = (work: (stores: Stores) => Promise<unknown>) => storage.write(work as Work)
  await write((stores) => addWorld(stores, draw))
  for (let number = 0; number < 30; number += 1) await write((stores) => addDrawn(stores, draw, number))

  const search = async () => {
    statements.length = 0
    const found = await storage.search(
      async ({ items }) => answerOf(await items.searchItems(administrator, everything, page)),
      'a',
    )
    return { found, isByStatement: statements.some((statement) => statement.startsWith('with ')) }
  }
  const first = await search()
  expect(first.isByStatement).toBe(true)
  await until('the items are read', async () => !(await search()).isByStatement)
  expect((await search()).found).toEqual(first.found)

  const other = new Database(file)
  onTestFinished(() => void other.close())
  for (let half = 0; half < 2; half += 1) {
    other.exec(`
      with recursive times(n) as (select 1 union all select n + 1 from times where n < 11000)
      insert into item_changes (number) select 1 from times`)
    statements.length = 0
    vi.advanceTimersByTime(1_000)
    const looks = () => statements.filter((statement) => statement.includes('from "item_changes"')).length
    await until('they are followed', async () => looks() > 11)
  }
  expect(await search()).toEqual({ found: first.found, isByStatement: false })
})

test.each([
  {
    kind: 'where searches follow one another, items are read between them for as long as the one before took',
    isPrepared: false,
  },
  { kind: 'items are read before the first search, where that may wait', isPrepared: true },
])('$kind', async ({ isPrepared }) => {
  const { connection, statements } = await openDrawn(30, 1)
  copyFirst(connection, 4_000)
  let time = 0
  const longSearch = async ({ items }: Readers) => {
    time += 200
    return items.searchItems(administrator, everything, page)
  }
  const { run, prepare } = searchOn<typeof longSearch>(
    connection,
    (stores, work) => work(stores),
    () => time++,
  )
  const isByStatement = async () => {
    statements.length = 0
    await run(longSearch, Number.POSITIVE_INFINITY)
    return statements.some((statement) => statement.startsWith('with '))
  }
  if (isPrepared) await prepare(Number.POSITIVE_INFINITY)
  expect([await isByStatement(), await isByStatement()]).toEqual([!isPrepared, false])
})
