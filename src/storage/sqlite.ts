import type Database from 'better-sqlite3'
import { DocumentCache } from './document-cache.ts'
import { watchFile } from './file-watch.ts'
import { migrate } from './migrate.ts'
import { type OpenKysely, openKysely } from './sqlite-dialect.ts'
import {
  type Connect,
  findFile,
  lockFile,
  memory,
  openConnection,
  requireSettings,
  toStorageError,
} from './sqlite-file.ts'
import { type SqliteWriter, writeHere } from './sqlite-writer.ts'
import { deadline, type Storage } from './storage.ts'
import { openStores } from './stores.ts'
import { writeInThread } from './threaded-writer.ts'

/**
 * Reads again from the start where somebody has committed meanwhile: the answer to one question might be older than that
 * to the next, and a permission older than what it permits.
 */
async function readAtOneMoment<Result>(
  reader: OpenKysely,
  read: () => Promise<Result>,
  until: number,
): Promise<Result> {
  while (true) {
    const moment = reader.moment()
    const [outcome] = await Promise.allSettled([read()])
    if (reader.moment() !== moment && performance.now() < until) continue
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  }
}

/**
 * Opens a database file, or `:memory:`, and brings it up to date. One process owns a file at a time.
 *
 * Two connections: one writes; the other reads beside it, as WAL allows, and never waits for it. `writeThread` is the
 * program of a thread that writes; without one, and in memory, which only one thread can see, this thread does.
 */
export async function openSqlite(file: string, connect: Connect = openConnection, writeThread?: URL): Promise<Storage> {
  const path = file === memory ? memory : findFile(file)
  const lock = path === memory ? undefined : lockFile(path)
  const connections: Database.Database[] = []
  const open = (): Database.Database => {
    const connection = connect(path)
    connections.push(connection)
    requireSettings(connection, path)
    return connection
  }
  let writer: SqliteWriter | undefined
  const close = async (): Promise<void> => {
    await writer?.close()
    for (const connection of connections) connection.close()
    lock?.close()
  }
  try {
    const first = open()
    const kysely = openKysely(first, path === memory ? 'both' : 'writes')
    await migrate(kysely.db)
    const requireDisk = path === memory ? () => undefined : watchFile(path)
    const isThreaded = writeThread !== undefined && path !== memory
    // In memory, the connection that reads is the one that writes.
    const reading = path === memory || isThreaded ? first : open()
    const reader = path === memory ? kysely : openKysely(reading, 'reads')
    if (path !== memory) reading.pragma('query_only = ON')
    const writing = isThreaded
      ? await writeInThread(writeThread, { path }, reader.expire)
      : writeHere(first, kysely, requireDisk, reader.expire)
    writer = writing
    const readStores = openStores(reader.db, new DocumentCache())
    const telling = <Result>(work: Promise<Result>): Promise<Result> =>
      work.catch((error: unknown) => {
        throw toStorageError(error, reading)
      })
    return {
      description: path === memory ? 'SQLite in memory' : `SQLite at ${file}`,
      read: (work, until = deadline()) => telling(readAtOneMoment(reader, () => work(readStores), until)),
      write: (work, input, until = deadline()) => writing.write(work, input as never, until),
      async ping() {
        requireDisk()
        writing.requireOpen()
        await telling(reader.db.selectFrom('portals').select('portal_id').limit(1).execute())
      },
      figures() {
        const busy = [reading.inTransaction, writing.isBusy()].filter(Boolean).length
        const open = path === memory ? 1 : 2
        return {
          connections: { open, idle: open - busy },
          waiting: writing.waiting(),
          retries: 0,
          callerCache: { hits: 0, misses: 0 },
        }
      },
      close,
    }
  } catch (error) {
    await close()
    throw toStorageError(error)
  }
}
