import type Database from 'better-sqlite3'
import type { Execute } from '../storage.ts'
import { openStores } from '../stores.ts'
import { openKysely } from './dialect.ts'
import { toStorageError, writeQueueFull } from './file.ts'

/** A command that waits to be written. */
export interface PendingWrite<Command> {
  readonly command: Command
  /** On the clock of `performance.now()`: it fails if it has not begun by then. */
  readonly until: number
}

/** What became of a command. */
export type Outcome = { readonly result: unknown } | { readonly error: unknown }

/** Commands that wait to be written. */
export interface WriteQueue<Pending> {
  add(pending: readonly Pending[]): void
  /** Commands that have not begun. */
  waiting(): number
  /** Resolves when all that was added is answered. */
  isDone(): Promise<void>
}

/** Most commands of one transaction (chosen): bounds how long the first of them waits for the last. */
const mostOfGroup = 256

/**
 * Waiting for the disk is what a small write costs. So all commands that arrived while the disk was busy share one
 * transaction and are answered after its commit, in the order of their arrival; one that waits alone begins at once.
 *
 * `transact` writes a group, `answer` gets its outcomes.
 */
export function writeInGroups<Pending>(
  transact: (group: readonly Pending[]) => Promise<readonly Outcome[]>,
  answer: (group: readonly Pending[], outcomes: readonly Outcome[]) => void,
): WriteQueue<Pending> {
  let queue: Pending[] = []
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
    add(pending) {
      queue = queue.concat(pending)
      if (queue.length > 0) running ??= run()
    },
    waiting: () => queue.length,
    isDone: async () => running,
  }
}

/**
 * Writes groups over one connection: a transaction for each, with a savepoint for each command, so that one which fails
 * is undone alone. `requireSameFile` throws where what was committed would not be found again.
 */
export function openTransactions<Command>(
  connection: Database.Database,
  execute: Execute<Command>,
  requireSameFile: () => void,
): (group: readonly PendingWrite<Command>[]) => Promise<readonly Outcome[]> {
  const prepare = (statement: string) => connection.prepare(statement)
  const [begin, commit, rollback] = [prepare('begin immediate'), prepare('commit'), prepare('rollback')]
  const [save, keep, undo] = [prepare('savepoint command'), prepare('release command'), prepare('rollback to command')]
  const stores = openStores(openKysely(connection))

  async function write({ command, until }: PendingWrite<Command>): Promise<Outcome> {
    if (performance.now() > until) return { error: writeQueueFull() }
    save.run()
    try {
      const result = await execute(stores, command)
      keep.run()
      return { result }
    } catch (error) {
      // A full disk has ended the transaction by itself, with everything that was in it.
      if (!connection.inTransaction) throw error
      undo.run()
      keep.run()
      return { error: toStorageError(error, connection) }
    }
  }

  async function transact(group: readonly PendingWrite<Command>[]): Promise<readonly Outcome[]> {
    const outcomes: Outcome[] = []
    begin.run()
    try {
      for (const pending of group) outcomes.push(await write(pending))
      commit.run()
    } catch (error) {
      if (connection.inTransaction) rollback.run()
      throw error
    }
    requireSameFile()
    return outcomes
  }

  return async (group) => {
    try {
      return await transact(group)
    } catch (error) {
      const failure = toStorageError(error, connection)
      return group.map(() => ({ error: failure }))
    }
  }
}
