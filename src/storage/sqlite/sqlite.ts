import type Database from 'better-sqlite3'
import { CallerCache, withCallerCache } from '../caller-cache.ts'
import { deadline, type Execute, type Storage } from '../storage.ts'
import { DocumentCache } from '../stores/document-cache.ts'
import { openStores } from '../stores.ts'
import { migrate } from '../tables/migrate.ts'
import { openKysely } from './dialect.ts'
import { type Connect, findFile, lockFile, memory, openConnection, requireSettings, toStorageError } from './file.ts'
import { openMemory } from './memory.ts'
import { requireSameFile } from './same-file.ts'
import { openSnapshots } from './snapshots.ts'
import { type WriteThread, writeInThread } from './threaded-writer.ts'
import { type SqliteWriter, writeHere } from './writer.ts'

interface SqliteOptions {
  readonly connect?: Connect
  /** Without one, and in memory, writes run on this thread. */
  readonly writeThread?: WriteThread
}

/**
 * Opens a database file, or `:memory:`, and migrates it. One process owns a file at a time.
 *
 * There are two connections, one for writes and one for reads: in WAL mode, reads do not wait for writes.
 */
export async function openSqlite<Command>(
  file: string,
  execute: Execute<Command>,
  { connect = openConnection, writeThread }: SqliteOptions = {},
): Promise<Storage<Command>> {
  if (file === memory) return openMemory(connect, execute)
  const path = findFile(file)
  const lock = lockFile(path)
  const connections: Database.Database[] = []
  const open = (): Database.Database => {
    const connection = connect(path)
    connections.push(connection)
    requireSettings(connection, path)
    return connection
  }
  let writer: SqliteWriter<Command> | undefined
  const close = async (): Promise<void> => {
    await writer?.close()
    for (const connection of connections) connection.close()
    lock.close()
  }
  try {
    const reading = open()
    await migrate(openKysely(reading))
    const checkFile = requireSameFile(path)
    const writing = writeThread
      ? await writeInThread<Command>(writeThread, path)
      : writeHere(open(), execute, checkFile)
    writer = writing
    const db = openKysely(reading)
    const callers = new CallerCache(() => true)
    // No snapshot is older than the last invalidation: that comes when one begins.
    const readers = withCallerCache(openStores(db, new DocumentCache()), callers, () => callers.version)
    const snapshots = openSnapshots(reading, readers, callers)
    return {
      description: `SQLite at ${file}`,
      read: (work, until = deadline()) => snapshots.read(work, until),
      async write(command, until = deadline()) {
        try {
          return await writing.write(command, until)
        } finally {
          snapshots.renew()
        }
      },
      async ping() {
        checkFile()
        writing.requireOpen()
        await snapshots.read(({ directory }) => directory.findDefaultPortal(), deadline())
      },
      figures() {
        const busy = [snapshots.isBusy(), writing.isBusy()].filter(Boolean).length
        const { hits, misses } = callers
        return {
          connections: { open: 2, idle: 2 - busy },
          waiting: writing.waiting(),
          retries: 0,
          callerCache: { hits, misses },
        }
      },
      failure: writing.failure,
      close,
    }
  } catch (error) {
    await close()
    throw toStorageError(error)
  }
}
