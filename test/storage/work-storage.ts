import { onTestFinished } from 'vitest'
import { readingVerbs } from '../../src/operations/attempt.ts'
import { openPostgres, type PostgresStorage } from '../../src/storage/postgres/postgres.ts'
import { type Connect, openConnection } from '../../src/storage/sqlite/file.ts'
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts'
import type { Execute, Storage, Stores } from '../../src/storage/storage.ts'
import { isOnPostgres } from '../support/databases/engine.ts'
import { type Query, queryFile, queryUrl, type Recorded, recordedIn } from '../support/databases/recorded.ts'
import { databaseWithoutRows } from '../support/databases/test-database.ts'
import { muchLater } from './much-later.ts'
import { preparedFile } from './sqlite/temporary-file.ts'
import { callStore, type StoreCall } from './store-calls.ts'

/** A command that is a function: for storages that write on the thread of the test. */
type Work = (stores: Stores) => Promise<unknown>

export const runWork: Execute<Work> = (stores, work) => work(stores)

/** A storage whose commands are functions, with the stores: each call of a method is a read or a write of its own. */
export interface WorkStorage extends StorageOfWork, Stores {}

interface StorageOfWork extends Omit<Storage<Work>, 'write'> {
  write<Result>(work: (stores: Stores) => Promise<Result>, until?: number): Promise<Result>
  readonly recorded: Recorded
}

/** Opens a storage on the engine of this run, with every table and without rows, for the length of a test. */
export async function openWorkStorage(): Promise<WorkStorage> {
  const storage = withoutHaste(await (isOnPostgres ? openWorkPostgres(await databaseWithoutRows()) : openWorkFile()))
  onTestFinished(() => storage.close())
  return storage
}

/** Without a path, on a file that has every table already. */
export async function openWorkFile(path?: string, connect: Connect = openConnection): Promise<WorkStorage> {
  const file = path ?? (await preparedFile())
  const storage = await openSqlite(file, runWork, { connect })
  return toWorkStorage(storage, recordedIn(queryFile(file)))
}

/** Opens a storage in memory: on a connection to a prepared database. */
export async function openWorkMemory(connect: Connect, query: Query): Promise<WorkStorage> {
  return toWorkStorage(await openSqlite(':memory:', runWork, { connect }), recordedIn(query))
}

export async function openWorkPostgres(
  url: string,
  query = queryUrl(url),
): Promise<WorkStorage & Pick<PostgresStorage<Work>, 'catchUp'>> {
  const storage = await openPostgres({ url, connections: 4 }, runWork)
  return withStores({ ...toWorkStorage(storage, recordedIn(query)), catchUp: storage.catchUp })
}

/** Has reads and writes a deadline so late that no machine is too slow for it. */
export function withoutHaste(storage: WorkStorage): WorkStorage {
  return withStores<StorageOfWork>({
    ...storage,
    read: (work, until = muchLater()) => storage.read(work, until),
    write: (work, until = muchLater()) => storage.write(work, until),
  })
}

function toWorkStorage(storage: Storage<Work>, recorded: Recorded): WorkStorage {
  return withStores({ ...storage, write: storage.write as WorkStorage['write'], recorded })
}

const readingName = new RegExp(`^(${readingVerbs.join('|')})[A-Z]`)

function withStores<Given extends StorageOfWork>(storage: Given): Given & Stores {
  const methodOf = (room: string, verb: string) => {
    const transact = readingName.test(verb) ? storage.read : storage.write
    return (...given: readonly unknown[]) =>
      transact((stores) => callStore(stores as Stores, [room, verb, ...given] as unknown as StoreCall))
  }
  // A store is no promise: to await one is to have it.
  const storeOf = (room: string) =>
    new Proxy({}, { get: (_, verb) => (verb === 'then' ? undefined : methodOf(room, String(verb))) })
  const get = (target: Given, name: string | symbol) =>
    typeof name === 'symbol' || name in target ? target[name as keyof Given] : storeOf(name)
  return new Proxy(storage, { get }) as Given & Stores
}
