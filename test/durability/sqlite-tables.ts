import Database from 'better-sqlite3'
import { expect } from 'vitest'
import type { Query } from '../support/databases/recorded.ts'

/** A SQLite file, read beside the process that uses it. */
export class SqliteTables implements Disposable {
  readonly #connection: Database.Database

  constructor(file: string) {
    this.#connection = new Database(file, { readonly: true })
  }

  readonly query: Query = async <Row>(sql: string) => this.#connection.prepare(sql).all() as Row[]

  /** Requires that SQLite's own check of every page and every reference finds nothing. */
  async requireSound(place: string): Promise<void> {
    expect(await this.query('PRAGMA integrity_check'), `${place}: integrity`).toEqual([{ integrity_check: 'ok' }])
    expect(await this.query('PRAGMA foreign_key_check'), `${place}: references`).toEqual([])
  }

  [Symbol.dispose](): void {
    this.#connection.close()
  }
}
