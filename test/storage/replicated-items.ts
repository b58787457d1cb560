import { onTestFinished } from 'vitest'
import type { ItemSearch, ItemViewer } from '../../src/items/search/item-search.ts'
import type { Readers } from '../../src/storage/storage.ts'
import { databaseWithoutRows } from '../support/databases/test-database.ts'
import { addPeople, anId, anItem, aPortal } from './contract/records.ts'
import { muchLater } from './much-later.ts'
import { openReplica } from './replicas.ts'
import { openWorkPostgres, type WorkStorage } from './work-storage.ts'

const { portalId } = aPortal()
export const owner = { kind: 'portal', portalId } as const
export const stranger: ItemViewer = {
  userId: anId(9),
  portalId,
  canViewOrganizationItems: false,
  canViewEveryItem: false,
}
export const administrator: ItemViewer = { ...stranger, canViewOrganizationItems: true, canViewEveryItem: true }
export const everything: ItemSearch = {
  condition: { kind: 'all' },
  inTitle: undefined,
  bbox: undefined,
  sort: [{ field: 'modified', order: 'desc' }],
  groupId: undefined,
  countFields: [],
  countSize: 0,
}

/** Ids of the items. */
export const all = [500, 501, 502].map(anId)

/** Two servers on one database with three items, of which the other one has a replica. */
export async function openBoth(url?: string) {
  return openReplicated(url ?? (await databaseWithoutRows()), async (storage) => {
    await addPeople(storage)
    for (const itemId of all) await storage.items.addItem(anItem({ itemId, categories: ['/A/B'] }))
  })
}

/** Two servers on one database, of which the other one has a replica of what the first one has added. */
export async function openReplicated(url: string, add: (storage: WorkStorage) => Promise<void>) {
  const storage = await openWorkPostgres(url)
  await add(storage)
  const opened = await openReplica(url)
  onTestFinished(async () => {
    await opened.close()
    await storage.close()
  })
  const search = <Result>(work: (readers: Readers) => Promise<Result>) =>
    opened.replica.search(work, muchLater()) as Promise<Result>
  const findBy = (viewer: ItemViewer, asked: Partial<ItemSearch> = {}) =>
    search(async ({ items }) => {
      const { entries } = await items.searchItems(viewer, { ...everything, ...asked }, { start: 1, num: 10 })
      return entries.map(({ item }) => item.itemId).sort()
    })
  return { url, storage, ...opened, search, findBy }
}
