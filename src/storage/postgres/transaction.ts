import type pg from 'pg'
import { query } from './session.ts'

/** PostgreSQL's answer to COMMIT if a statement of the transaction failed, even if that error was caught. */
const rolledBack = 'ROLLBACK'

/** A transaction that begins with its first statement: BEGIN is sent ahead of it in the same round trip. */
export class Transaction {
  readonly #client: pg.ClientBase
  readonly #begin: string
  #begun: Promise<unknown> | undefined

  constructor(client: pg.ClientBase, begin: string) {
    this.#client = client
    this.#begin = begin
  }

  /** Call before each statement. */
  beforeQuery(): void {
    if (this.#begun) return
    this.#begun = query(this.#client, this.#begin)
    // The statement after it fails too, with the error that is reported.
    this.#begun.catch(() => undefined)
  }

  /** Begins the transaction; each of its statements fails after this time. */
  limitStatements(milliseconds: number): void {
    this.beforeQuery()
    const limiting = query(this.#client, "select set_config('statement_timeout', $1, true)", [
      String(Math.max(1, milliseconds)),
    ])
    // The statement after it fails too, with the error that is reported.
    limiting.catch(() => undefined)
  }

  /** Resolves when the commit is on the disk. */
  async commit(): Promise<void> {
    if (!this.#begun) return
    const { command } = await this.#end('commit')
    if (command === rolledBack) throw new Error('The transaction was rolled back instead of committed.')
  }

  /** Ends a read without waiting for the answer: later statements on the connection run after it. */
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
