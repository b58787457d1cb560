import type { Database, Statement } from 'better-sqlite3'
import type { CompiledQuery, QueryResult } from 'kysely'
import { LRUCache } from 'lru-cache'
import { PreparedQuery } from './prepared.ts'
import { tablesWritten } from './tables-of-query.ts'

/** In bytes, about, of all rows that a connection remembers (chosen). */
const mostRemembered = 32 * 1024 * 1024

/** Who is told of commits hears of those that nobody tells, made by hand, after so many milliseconds (chosen). */
const longestTrust = 10

/**
 * What a connection is for: `reads` of a process that tells of its commits, `writes` of the only one that writes, or both
 * where a database cannot have a second one.
 */
export type Purpose = 'reads' | 'writes' | 'both'

type Answer = QueryResult<unknown>

/**
 * What prepared SELECTs of one connection answered, for as long as they would answer the same again.
 *
 * SQLite itself says whether another connection has committed since. It is asked at each look-up; for reads, of whose
 * process commits are told before they are answered, only then, and whenever rows are read from the database: what was
 * seen once is never followed by what was before. What this connection writes passes by here: an INSERT ends what was
 * read of its table, and anything else all of it. On a connection for both, who reads must not see what a transaction
 * does: while there is one, nothing is remembered.
 */
export class RememberedRows {
  readonly #database: Database
  readonly purpose: Purpose
  readonly #answers: LRUCache<string, Answer>
  /** How often each table got new rows. It only grows, so nothing from before is found again. */
  readonly #inserts = new Map<string, number>()
  readonly #askVersion: Statement<[], number>
  #version: number | undefined
  #moment = 0
  /** On the clock of `performance.now()`: until then, no commit is to be looked for. */
  #sureUntil = 0

  constructor(database: Database, purpose: Purpose, most = mostRemembered) {
    this.#database = database
    this.#askVersion = database.prepare<[], number>('pragma data_version').pluck()
    this.#version = this.#askVersion.get()
    this.purpose = purpose
    this.#answers = new LRUCache({ maxSize: most, sizeCalculation: sizeOf })
  }

  /** The remembered answer. */
  find<Row>(query: PreparedQuery<Row>): QueryResult<Row> | undefined {
    if (!query.form.reads || !this.#mayRemember()) return undefined
    this.#lookForCommits()
    const key = this.#keyOf(query.form.id, query.form.reads, query.parameters)
    return this.#answers.get(key) as QueryResult<Row> | undefined
  }

  /** What `ask` says, remembered if it may be. */
  answer(query: CompiledQuery, ask: (query: CompiledQuery) => Answer): Answer {
    try {
      this.#noteWrites(query)
      const found = ask(query)
      // Asked after the rows were read: those of a commit in between are then read once more, and no others kept.
      const isUnchanged = this.#forgetIfOthersCommitted()
      if (!(query instanceof PreparedQuery) || !query.form.reads) return found
      const key = this.#keyOf(query.form.id, query.form.reads, query.parameters)
      if (isUnchanged && this.#mayRemember()) this.#answers.set(key, freeze(found))
      return found
    } catch (error) {
      // Some errors end the transaction too.
      this.forget()
      throw error
    }
  }

  /** Another connection of this process has committed, and will answer for it. */
  expire(): void {
    this.#sureUntil = 0
  }

  /** Grows when others have committed: between two equal numbers, all answers were those of one moment. */
  moment(): number {
    this.#lookForCommits()
    return this.#moment
  }

  /** Ends everything. Due at each rollback, to a savepoint too, that does not pass by here: what was read was never so. */
  forget(): void {
    this.#answers.clear()
  }

  #noteWrites(query: CompiledQuery): void {
    const written = tablesWritten(query.query)
    if (written === 'none') return
    if (written === 'any') this.forget()
    else this.#inserts.set(written.table, (this.#inserts.get(written.table) ?? 0) + 1)
  }

  #mayRemember(): boolean {
    return this.purpose !== 'both' || !this.#database.inTransaction
  }

  #lookForCommits(): void {
    if (this.purpose !== 'reads' || performance.now() >= this.#sureUntil) this.#forgetIfOthersCommitted()
  }

  #forgetIfOthersCommitted(): boolean {
    const version = this.#askVersion.get()
    this.#sureUntil = performance.now() + longestTrust
    if (version === this.#version) return true
    this.forget()
    this.#version = version
    this.#moment += 1
    return false
  }

  #keyOf(id: number, tables: readonly string[], parameters: readonly unknown[]): string {
    let inserts = 0
    for (const table of tables) inserts += this.#inserts.get(table) ?? 0
    return `${id} ${inserts} ${JSON.stringify(parameters)}`
  }
}

/** Callers share the rows. */
function freeze(answer: Answer): Answer {
  for (const row of answer.rows) Object.freeze(row)
  Object.freeze(answer.rows)
  return Object.freeze(answer)
}

/** In bytes, about: of a key with an answer, of a row, and of a value that is not a text. */
const overhead = { answer: 400, row: 100, value: 16 } as const

function sizeOf({ rows }: Answer, key: string): number {
  let size = overhead.answer + 2 * key.length
  for (const row of rows as readonly Record<string, unknown>[]) {
    size += overhead.row
    for (const value of Object.values(row)) size += overhead.value + (typeof value === 'string' ? 2 * value.length : 0)
  }
  return size
}
