import type Database from 'better-sqlite3'
import type { Execute, StorageUnavailable } from '../storage.ts'
import { databaseClosed } from './file.ts'
import { type Outcome, openTransactions, type PendingWrite, writeInGroups } from './group-commit.ts'

/** Executes the commands of a SQLite database, on this thread or on another. */
export interface SqliteWriter<Command> {
  write(command: Command, until: number): Promise<unknown>
  /** Commands that have not begun; on another thread, commands that are not answered. */
  waiting(): number
  isBusy(): boolean
  /** Throws if the writer is closed or has failed. */
  requireOpen(): void
  /** Resolves with the reason if the writer fails for good before it is closed. */
  readonly failure: Promise<StorageUnavailable>
  /** Resolves after the commands that were accepted before. */
  close(): Promise<void>
}

/** Executes commands on this thread, on a connection of its own. */
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
