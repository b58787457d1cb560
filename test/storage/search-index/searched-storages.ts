import Database from 'better-sqlite3'
import { onTestFinished } from 'vitest'
import type { ItemSearch, ItemViewer } from '../../../src/items/search/item-search.ts'
import type { FoundItems, ItemReader } from '../../../src/items/store.ts'
import type { Page } from '../../../src/paging.ts'
import { openKysely } from '../../../src/storage/sqlite/dialect.ts'
import { ItemColumnCache } from '../../../src/storage/stores/items/columns/item-column-cache.ts'
import { openStores } from '../../../src/storage/stores.ts'
import { databaseWithoutRows } from '../../support/databases/test-database.ts'
import { muchLater } from '../much-later.ts'
import { openReplica } from '../replicas.ts'
import { preparedFile } from '../sqlite/temporary-file.ts'
import { openWorkFile, openWorkPostgres, type WorkStorage } from '../work-storage.ts'

export interface Searched {
  readonly storage: WorkStorage
  search(viewer: ItemViewer, search: ItemSearch, page: Page): Promise<FoundItems>
  readItems<Result>(work: (items: ItemReader) => Promise<Result>): Promise<Result>
}

/** Every way in which items are searched. */
export const searchedStorages: Readonly<Record<string, () => Promise<Searched>>> = {
  SQLite: async () => searchedByStatements(await openWorkFile()),
  'SQLite, with columns in memory': () => searchedByColumns(),
  PostgreSQL: async () => searchedByStatements(await openWorkPostgres(await databaseWithoutRows())),
  'PostgreSQL, with a search replica': async () => searchedByReplica(await databaseWithoutRows()),
}

/** As by the thread of a server, with the replica that it fills before the first search. */
export async function searchedByReplica(url: string): Promise<Searched> {
  const storage = await openWorkPostgres(url)
  const { replica, close } = await openReplica(url)
  onTestFinished(async () => {
    await close()
    await storage.close()
  })
  const readItems = async <Result>(work: (reader: ItemReader) => Promise<Result>): Promise<Result> =>
    (await replica.search(({ items }) => work(items), muchLater())) as Result
  return {
    storage,
    search: (viewer, search, page) => readItems((reader) => reader.searchItems(viewer, search, page)),
    readItems,
  }
}

function searchedByStatements(storage: WorkStorage): Searched {
  onTestFinished(() => storage.close())
  return {
    storage,
    search: (viewer, search, page) => storage.items.searchItems(viewer, search, page),
    readItems: (work) => storage.read((stores) => work(stores.items)),
  }
}

/** On a connection like that of the search thread, whose columns are there before the first search. */
export async function searchedByColumns(path?: string): Promise<Searched> {
  const file = path ?? (await preparedFile())
  const storage = await openWorkFile(file)
  const connection = new Database(file, { readonly: true })
  onTestFinished(async () => {
    connection.close()
    await storage.close()
  })
  const db = openKysely(connection)
  const columns = new ItemColumnCache()
  const { items } = openStores(db, { columns })
  async function readItems<Result>(work: (reader: ItemReader) => Promise<Result>): Promise<Result> {
    while (await columns.readPart(db));
    connection.exec('begin')
    try {
      const result = await work(items)
      if (!(await columns.find(db))) throw new Error('The columns were lost.')
      return result
    } finally {
      connection.exec('commit')
    }
  }

  return {
    storage,
    search: (viewer, search, page) => readItems((reader) => reader.searchItems(viewer, search, page)),
    readItems,
  }
}
