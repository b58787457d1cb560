import type { Database, Statement } from 'better-sqlite3'
import type { CompiledQuery, QueryResult } from 'kysely'
import { LRUCache } from 'lru-cache'
import { PreparedQuery } from './prepared.ts'
import { tablesWritten } from './tables-of-query.ts'

/** In bytes, about, of all rows that a connection remembers (chosen). */
const mostRemembered = 32 * 1024 * 1024

type Answer = QueryResult<unknown>

/**
 * What prepared SELECTs of one connection answered, for as long as they would answer the same again.
 *
 * SQLite itself says whether another connection has committed since, at each look-up anew. What this connection writes
 * passes by here: an INSERT ends what was read of its table, and anything else all of it.
 */
export class RememberedRows {
  readonly #database: Database
  readonly #answers: LRUCache<string, Answer>
  /** How often each table got new rows. It only grows, so nothing from before is found again. */
  readonly #inserts = new Map<string, number>()
  #askVersion: Statement<[], number> | undefined
  #version: number | undefined

  constructor(database: Database, most = mostRemembered) {
    this.#database = database
    this.#answers = new LRUCache({ maxSize: most, sizeCalculation: sizeOf })
  }

  /** The answer to the query: the remembered one, or what `ask` says. */
  answer(query: CompiledQuery, ask: (query: CompiledQuery) => Answer): Answer {
    try {
      if (!(query instanceof PreparedQuery) || !query.form.reads) {
        this.#noteWrites(query)
        return ask(query)
      }
      this.#forgetIfOthersCommitted()
      const key = this.#keyOf(query.form.id, query.form.reads, query.parameters)
      const known = this.#answers.get(key)
      if (known) return known
      const found = freeze(ask(query))
      this.#answers.set(key, found)
      return found
    } catch (error) {
      // Some errors end the transaction too.
      this.forget()
      throw error
    }
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

  /** Asked before the rows are read: those of a commit in between are then read once more, and no others kept. */
  #forgetIfOthersCommitted(): void {
    this.#askVersion ??= this.#database.prepare<[], number>('pragma data_version').pluck()
    const version = this.#askVersion.get()
    if (version === this.#version) return
    this.forget()
    this.#version = version
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
