import type pg from 'pg'
import { type QueryAnswer, query, type Statements } from './session.ts'

/** PostgreSQL's answer to COMMIT if a statement of the transaction failed, even if that error was caught. */
const rolledBack = 'ROLLBACK'

/** A transaction that begins with its first statement: BEGIN is sent ahead of it in the same round trip. */
export class Transaction implements Statements {
  readonly #client: pg.ClientBase
  readonly #begin: string
  #begun: Promise<unknown> | undefined
  /** Statements whose answers are awaited with that of the commit. */
  #sent: Promise<unknown>[] = []
  /** Time of the last successful statement; at first, of the opening of the connection. */
  answeredAt = performance.now()

  constructor(client: pg.ClientBase, begin: string) {
    this.#client = client
    this.#begin = begin
  }

  get hasBegun(): boolean {
    return this.#begun !== undefined
  }

  begin(): void {
    if (this.#begun) return
    this.#begun = query(this.#client, this.#begin)
    // The statement after it fails too, with the error that is reported.
    this.#begun.catch(() => undefined)
  }

  async query(text: string, values: readonly unknown[]): Promise<QueryAnswer> {
    this.begin()
    return this.queryAlone(text, values)
  }

  /** Runs a statement outside of the transaction, if it has not begun. */
  protected async queryAlone(text: string, values: readonly unknown[]): Promise<QueryAnswer> {
    const answer = await query(this.#client, text, values)
    this.answeredAt = performance.now()
    return answer
  }

  send(text: string, values: readonly unknown[]): void | Promise<void> {
    const sent = this.query(text, values)
    sent.catch(() => undefined)
    this.#sent.push(sent)
  }

  /** Resolves when the commit is on the disk. */
  async commit(): Promise<void> {
    if (!this.#begun) return
    const { sent, ended } = this.#end('commit')
    const { command } = await ended
    await Promise.all(sent)
    if (command === rolledBack) throw new Error('The transaction was rolled back instead of committed.')
  }

  /** Ends a read without waiting for the answer: later statements on the connection run after it. */
  end(): void {
    if (this.#begun) this.#end('commit').ended.catch(() => undefined)
  }

  /** Resolves with the error of the first statement that failed without its answer being awaited, if there is one. */
  async rollback(): Promise<unknown> {
    if (!this.#begun) return undefined
    const { sent, ended } = this.#end('rollback')
    await ended.catch(() => undefined)
    const failed = (await Promise.allSettled(sent)).find(({ status }) => status === 'rejected')
    return failed?.status === 'rejected' ? failed.reason : undefined
  }

  #end(statement: 'commit' | 'rollback') {
    const sent = this.#sent
    this.#begun = undefined
    this.#sent = []
    return { sent, ended: query(this.#client, statement) }
  }
}

/**
 * Read-only snapshots, one after the other. A read that begins with a look-up makes no transaction, as one statement is a
 * snapshot. If another statement follows, the read runs again in a transaction: both have to see the same.
 */
export class Snapshot extends Transaction {
  /** State of a read that has no transaction; `over`: it has sent a second statement. */
  #lookUp: 'possible' | 'made' | 'over' = 'possible'

  constructor(client: pg.ClientBase) {
    super(client, 'begin isolation level repeatable read read only')
  }

  override async query(text: string, values: readonly unknown[], isLookUp = false): Promise<QueryAnswer> {
    if (this.hasBegun || this.#lookUp === 'over' || (this.#lookUp === 'possible' && !isLookUp)) {
      return super.query(text, values)
    }
    if (this.#lookUp === 'possible') {
      this.#lookUp = 'made'
      return this.queryAlone(text, values)
    }
    this.#lookUp = 'over'
    throw new Error('The read is repeated in a transaction.')
  }

  /** Awaits the answer: a read has no write to send, and a forced one fails immediately. */
  override async send(text: string, values: readonly unknown[]): Promise<void> {
    await this.query(text, values)
  }

  async read<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#lookUp = 'possible'
    try {
      const result = await work()
      // Checked too where the work has caught the error.
      if (!this.#isToRepeat) return result
    } catch (error) {
      if (!this.#isToRepeat) throw error
    } finally {
      if (!this.#isToRepeat) this.end()
    }
    try {
      return await work()
    } finally {
      this.end()
    }
  }

  get #isToRepeat(): boolean {
    return this.#lookUp === 'over' && !this.hasBegun
  }

  /** Each statement of the read fails after this time. */
  limitStatements(milliseconds: number): void {
    this.begin()
    void super.send("select set_config('statement_timeout', $1, true)", [String(Math.max(1, milliseconds))])
  }
}
