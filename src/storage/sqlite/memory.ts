import { serialQueue } from '../../queue.ts'
import { openSearchTurns } from '../search-turns.ts'
import { deadline, type Execute, type SearchOptions, type Storage, StorageUnavailable } from '../storage.ts'
import { prepareTables } from '../stores/prepare-tables.ts'
import { openStores } from '../stores.ts'
import { openKysely } from './dialect.ts'
import { type Connect, databaseClosed, memory, requireSettings, toStorageError } from './file.ts'
import { openTransactions } from './group-commit.ts'
import { openSearchDeadline } from './search-deadline.ts'

/** A database in memory: one connection, on which reads, searches and writes run one at a time. */
export async function openMemory<Command, Search>(
  connect: Connect,
  execute: Execute<Command>,
  searches: SearchOptions<Search>,
): Promise<Storage<Command, Search>> {
  const connection = connect(memory)
  try {
    requireSettings(connection, memory)
    const db = openKysely(connection)
    await prepareTables(db)
    const transact = openTransactions(connection, execute, () => undefined)
    const stores = openStores(db)
    const searchDeadline = openSearchDeadline(connection)
    const searchStores = openStores(db, { deadlineCondition: searchDeadline.deadlineCondition })
    const turns = openSearchTurns(1, searches.milliseconds)
    const inTurn = serialQueue(() => new StorageUnavailable('The database is busy.'))
    const setting = (text: string) => void connection.pragma(`query_only = ${text}`)

    async function turn<Result>(task: () => Promise<Result>, until: number): Promise<Result> {
      try {
        return await inTurn(task, until)
      } catch (error) {
        throw connection.open ? toStorageError(error) : databaseClosed()
      }
    }

    function reading<Result>(work: () => Promise<Result>, until: number): Promise<Result> {
      return turn(async () => {
        setting('ON')
        try {
          return await work()
        } finally {
          if (connection.open) setting('OFF')
        }
      }, until)
    }

    return {
      description: 'SQLite in memory',
      read: (work, until = deadline()) => reading(() => work(stores), until),
      search: (search, caller, until = deadline(), signal) =>
        turns.run(
          caller,
          until,
          (latest) =>
            reading(() => searchDeadline.during(latest, () => searches.execute(searchStores, search)), latest),
          signal,
        ),
      write: (command, until = deadline()) =>
        turn(async () => {
          const [outcome] = await transact([{ command, until }])
          if ('error' in outcome!) throw outcome.error
          return outcome!.result
        }, until),
      ping: () => turn(async () => void (await stores.directory.findDefaultPortal()), deadline()),
      figures: () => ({
        connections: { open: 1, idle: connection.inTransaction ? 0 : 1 },
        waiting: inTurn.waiting() + turns.waiting(),
        retries: 0,
        callerCache: { hits: 0, misses: 0 },
      }),
      async measure() {
        const [pages, size] = ['page_count', 'page_size'].map((name) =>
          Number(connection.pragma(name, { simple: true })),
        )
        return { used: pages! * size!, free: undefined }
      },
      failure: new Promise(() => undefined),
      close: () => turn(async () => void connection.close(), Number.POSITIVE_INFINITY).catch(() => undefined),
    }
  } catch (error) {
    connection.close()
    throw toStorageError(error)
  }
}
