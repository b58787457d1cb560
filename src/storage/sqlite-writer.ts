import type Database from 'better-sqlite3'
import { type Outcome, openTransactions, type Piece, writeInGroups } from './group-commit.ts'
import type { OpenKysely } from './sqlite-dialect.ts'
import { databaseClosed } from './sqlite-file.ts'
import type { Work } from './storage.ts'

/** Who writes to a SQLite database: nobody else does at the same time. */
export interface SqliteWriter {
  write<Result, Input>(work: Work<Result, Input>, input: Input, until: number): Promise<Result>
  /** Pieces of work that have not begun; of another thread's, those that are not answered. */
  waiting(): number
  isBusy(): boolean
  /** Throws where nothing can be written any more. */
  requireOpen(): void
  /** After what was begun. */
  close(): Promise<void>
}

/**
 * Writes on this thread, over a connection of its own. `requireDisk` is asked after each commit, and `committed` told
 * before anybody is answered.
 */
export function writeHere(
  connection: Database.Database,
  kysely: OpenKysely,
  requireDisk: () => void,
  committed: () => void,
): SqliteWriter {
  const transact = openTransactions(connection, kysely, requireDisk)
  const queue = writeInGroups<Promised>(transact, (group, outcomes) => {
    committed()
    settle(group, outcomes)
  })
  let closing: Promise<void> | undefined

  function requireOpen(): void {
    if (closing) throw databaseClosed()
  }

  return {
    async write(work, input, until) {
      requireOpen()
      const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<typeof work>>>()
      queue.add([{ work: (stores) => work(stores, input), until, resolve: resolve as Promised['resolve'], reject }])
      return promise
    },
    waiting: () => queue.waiting(),
    isBusy: () => connection.inTransaction,
    requireOpen,
    close() {
      closing ??= queue.isDone().then(() => void connection.close())
      return closing
    },
  }
}

interface Promised extends Piece {
  resolve(result: unknown): void
  reject(error: unknown): void
}

function settle(group: readonly Promised[], outcomes: readonly Outcome[]): void {
  for (const [place, { resolve, reject }] of group.entries()) {
    const outcome = outcomes[place]!
    if ('error' in outcome) reject(outcome.error)
    else resolve(outcome.result)
  }
}
