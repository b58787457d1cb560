import type Database from 'better-sqlite3'
import { type Execute, StorageUnavailable } from '../storage.ts'
import { ChangedItems } from '../stores/items/index/changed-items.ts'
import { openStores } from '../stores.ts'
import { openKysely } from './dialect.ts'
import { toStorageError, writeQueueFull } from './file.ts'

/** A queued command. */
export interface PendingWrite<Command> {
  readonly command: Command
  /** Deadline by which it has to begin, on the clock of `performance.now()`. */
  readonly until: number
}

/** Result or error of a command. */
export type Outcome = { readonly result: unknown } | { readonly error: unknown }

/** A queue of commands. */
export interface WriteQueue<Pending> {
  add(pending: readonly Pending[]): void
  /** Commands that have not begun. */
  waiting(): number
  /** Resolves when every command that was added is answered. */
  isDone(): Promise<void>
}

/** Maximum commands in one transaction (chosen): bounds the latency of the first of them. */
const maxOfGroup = 256

/**
 * Group commit: the time of a small write is mostly spent waiting for the disk, so all commands that arrived during a
 * commit share the next transaction and are answered after its commit, in order of arrival. A single command is not
 * delayed.
 *
 * `transact` executes a group in one transaction; `answer` receives its outcomes.
 */
export function writeInGroups<Pending>(
  transact: (group: readonly Pending[]) => Promise<readonly Outcome[]>,
  answer: (group: readonly Pending[], outcomes: readonly Outcome[]) => void,
): WriteQueue<Pending> {
  let queue: Pending[] = []
  let running: Promise<void> | undefined

  async function run(): Promise<void> {
    while (queue.length > 0) {
      const group = queue.slice(0, maxOfGroup)
      queue = queue.slice(maxOfGroup)
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
 * Executes groups on one connection: one transaction for each, with a savepoint for each command, so that a failed command
 * is undone alone. `requireSameFile` throws if the committed file is no longer at its path.
 */
export function openTransactions<Command>(
  connection: Database.Database,
  execute: Execute<Command>,
  requireSameFile: () => void,
): (group: readonly PendingWrite<Command>[]) => Promise<readonly Outcome[]> {
  const prepare = (statement: string) => connection.prepare(statement)
  const [begin, commit, rollback] = [prepare('begin immediate'), prepare('commit'), prepare('rollback')]
  const [save, keep, undo] = [prepare('savepoint command'), prepare('release command'), prepare('rollback to command')]
  const db = openKysely(connection)
  const changedItems = new ChangedItems(db)
  const stores = openStores(db)

  async function write({ command, until }: PendingWrite<Command>): Promise<Outcome> {
    if (performance.now() > until) return { error: writeQueueFull() }
    save.run()
    try {
      const result = await execute(stores, command)
      keep.run()
      return { result }
    } catch (error) {
      // A full disk has rolled back the whole transaction.
      if (!connection.inTransaction) throw error
      undo.run()
      keep.run()
      changedItems.doubt()
      return { error: toStorageError(error, connection) }
    }
  }

  async function transact(group: readonly PendingWrite<Command>[]): Promise<readonly Outcome[]> {
    const outcomes: Outcome[] = []
    begin.run()
    try {
      for (const pending of group) outcomes.push(await write(pending))
      await changedItems.index()
      commit.run()
    } catch (error) {
      changedItems.forget()
      if (connection.inTransaction) rollback.run()
      throw error
    }
    requireSameFile()
    return outcomes
  }

  return async function transactOrFail(group) {
    try {
      return await transact(group)
    } catch (error) {
      const failure = toStorageError(error, connection)
      if (group.length === 1 || failure instanceof StorageUnavailable) return group.map(() => ({ error: failure }))
      // The commit or the indexing refused the write of one command: the others are retried alone, so as not to fail with it.
      const outcomes: Outcome[] = []
      for (const pending of group) outcomes.push(...(await transactOrFail([pending])))
      return outcomes
    }
  }
}
