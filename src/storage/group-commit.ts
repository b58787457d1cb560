import type Database from 'better-sqlite3'
import type { OpenKysely } from './sqlite-dialect.ts'
import { tooMuchToWrite, toStorageError } from './sqlite-file.ts'
import type { Stores } from './storage.ts'
import { openStores } from './stores.ts'

/** Something to write. */
export interface Piece {
  /** On the clock of `performance.now()`: what has not begun by then is turned away. */
  readonly until: number
  work(stores: Stores): Promise<unknown>
}

/** What became of a piece. */
export type Outcome = { readonly result: unknown } | { readonly error: unknown }

/** Pieces that wait to be written. */
export interface WriteQueue<Waiting extends Piece> {
  add(pieces: readonly Waiting[]): void
  /** Pieces that have not begun. */
  waiting(): number
  /** Resolves when all that was added is answered. */
  isDone(): Promise<void>
}

/** So many pieces at most share a transaction (chosen): nobody waits long behind the others of his group. */
const mostOfGroup = 256

/**
 * Waiting for the disk is what a small write costs. So whatever has arrived while the disk was busy shares one
 * transaction, and all are answered after its commit, in the order of their coming; one that waits alone begins at once.
 *
 * `transact` writes a group, `answer` is told what became of it.
 */
export function writeInGroups<Waiting extends Piece>(
  transact: (group: readonly Waiting[]) => Promise<readonly Outcome[]>,
  answer: (group: readonly Waiting[], outcomes: readonly Outcome[]) => void,
): WriteQueue<Waiting> {
  let queue: Waiting[] = []
  let running: Promise<void> | undefined

  async function run(): Promise<void> {
    while (queue.length > 0) {
      const group = queue.slice(0, mostOfGroup)
      queue = queue.slice(mostOfGroup)
      answer(group, await transact(group))
    }
    running = undefined
  }

  return {
    add(pieces) {
      queue = queue.concat(pieces)
      if (queue.length > 0) running ??= run()
    },
    waiting: () => queue.length,
    isDone: async () => running,
  }
}

/**
 * Writes groups over one connection: a transaction for each, with a savepoint for each piece, so that one which fails
 * is undone alone. `requireDisk` throws where what was committed would not be found again.
 */
export function openTransactions(
  connection: Database.Database,
  { db, forget }: OpenKysely,
  requireDisk: () => void,
): (group: readonly Piece[]) => Promise<readonly Outcome[]> {
  const prepare = (statement: string) => connection.prepare(statement)
  const [begin, commit, rollback] = [prepare('begin immediate'), prepare('commit'), prepare('rollback')]
  const [save, keep, undo] = [prepare('savepoint piece'), prepare('release piece'), prepare('rollback to piece')]

  async function perform({ work, until }: Piece, stores: Stores): Promise<Outcome> {
    if (performance.now() > until) return { error: tooMuchToWrite() }
    save.run()
    try {
      const result = await work(stores)
      keep.run()
      return { result }
    } catch (error) {
      // A full disk has ended the transaction by itself, with everything that was in it.
      if (!connection.inTransaction) throw error
      undo.run()
      forget()
      keep.run()
      return { error: toStorageError(error, connection) }
    }
  }

  async function transact(group: readonly Piece[], stores: Stores): Promise<readonly Outcome[]> {
    const outcomes: Outcome[] = []
    begin.run()
    try {
      for (const piece of group) outcomes.push(await perform(piece, stores))
      commit.run()
    } catch (error) {
      if (connection.inTransaction) rollback.run()
      forget()
      throw error
    }
    requireDisk()
    return outcomes
  }

  return async (group) => {
    try {
      return await db.connection().execute((held) => transact(group, openStores(held)))
    } catch (error) {
      const told = toStorageError(error, connection)
      return group.map(() => ({ error: told }))
    }
  }
}
