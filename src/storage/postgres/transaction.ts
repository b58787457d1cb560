import type pg from 'pg'
import { query } from './session.ts'

/** What a transaction answers to COMMIT if one of its statements failed, though that error was caught. */
const rolledBack = 'ROLLBACK'

/** A transaction on one connection that begins with its first statement: BEGIN is sent ahead of it, without a wait. */
export class Transaction {
  readonly #client: pg.ClientBase
  readonly #begin: string
  #begun: Promise<unknown> | undefined

  constructor(client: pg.ClientBase, begin: string) {
    this.#client = client
    this.#begin = begin
  }

  /** Due before each statement. */
  beforeQuery(): void {
    if (this.#begun) return
    this.#begun = query(this.#client, this.#begin)
    // The statement behind it fails too, and that error is the one that is seen.
    this.#begun.catch(() => undefined)
  }

  /** Resolves when what was written is on the disk. */
  async commit(): Promise<void> {
    if (!this.#begun) return
    const { command } = await this.#end('commit')
    if (command === rolledBack) throw new Error('The transaction was rolled back instead of committed.')
  }

  /** Does not wait: the connection answers in order. */
  end(): void {
    if (this.#begun) this.#end('commit').catch(() => undefined)
  }

  async rollback(): Promise<void> {
    if (this.#begun) await this.#end('rollback').catch(() => undefined)
  }

  #end(statement: 'commit' | 'rollback') {
    this.#begun = undefined
    return query(this.#client, statement)
  }
}
