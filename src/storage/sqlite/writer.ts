import type Database from 'better-sqlite3'
import type { Execute, StorageUnavailable } from '../storage.ts'
import { databaseClosed } from './file.ts'
import { type Outcome, openTransactions, type PendingWrite, writeInGroups } from './group-commit.ts'

/** The only one who writes to a SQLite database. */
export interface SqliteWriter<Command> {
  write(command: Command, until: number): Promise<unknown>
  /** Commands that have not begun; of another thread's, those that are not answered. */
  waiting(): number
  isBusy(): boolean
  /** Throws if nothing can be written any more. */
  requireOpen(): void
  /** Resolves, with the reason, if nothing can be written any more though the writer was not closed. */
  readonly failure: Promise<StorageUnavailable>
  /** After the commands that were begun. */
  close(): Promise<void>
}

/** Writes on this thread, over a connection of its own. */
export function writeHere<Command>(
  connection: Database.Database,
  execute: Execute<Command>,
  requireSameFile: () => void,
): SqliteWriter<Command> {
  const transact = openTransactions(connection, execute, requireSameFile)
  const queue = writeInGroups<Unanswered<Command>>(transact, settle)
  let closing: Promise<void> | undefined

  function requireOpen(): void {
    if (closing) throw databaseClosed()
  }

  return {
    async write(command, until) {
      requireOpen()
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      queue.add([{ command, until, resolve, reject }])
      return promise
    },
    waiting: () => queue.waiting(),
    isBusy: () => connection.inTransaction,
    requireOpen,
    failure: new Promise(() => undefined),
    close() {
      closing ??= queue.isDone().then(() => void connection.close())
      return closing
    },
  }
}

interface Unanswered<Command> extends PendingWrite<Command> {
  resolve(result: unknown): void
  reject(error: unknown): void
}

function settle(group: readonly Unanswered<unknown>[], outcomes: readonly Outcome[]): void {
  for (const [place, { resolve, reject }] of group.entries()) {
    const outcome = outcomes[place]!
    if ('error' in outcome) reject(outcome.error)
    else resolve(outcome.result)
  }
}
