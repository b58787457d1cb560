import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'

/** A SQLite file that a server uses and that a test looks into beside it. Dispose of it after the server. */
export class RawDatabase implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'cartulary-'))
  readonly #file = join(this.#folder, 'cartulary.db')

  /** What the server is started with. */
  get environment(): Readonly<Record<string, string>> {
    return { DATABASE_URL: `file:${this.#file}` }
  }

  rows(sql: string): readonly Readonly<Record<string, unknown>>[] {
    const connection = new Database(this.#file)
    try {
      return connection.prepare(sql).all() as Record<string, unknown>[]
    } finally {
      connection.close()
    }
  }

  run(sql: string): void {
    const connection = new Database(this.#file)
    try {
      connection.exec(sql)
    } finally {
      connection.close()
    }
  }

  /** Makes the description of a table unreadable, so that nothing more can be asked of the database. */
  corrupt(table: string): void {
    const connection = new Database(this.#file)
    try {
      connection.unsafeMode()
      connection.pragma('writable_schema = ON')
      connection.prepare("UPDATE sqlite_schema SET sql = 'CREATE TABLE (' WHERE name = ?").run(table)
      connection.pragma(`schema_version = ${Number(connection.pragma('schema_version', { simple: true })) + 1}`)
    } finally {
      connection.close()
    }
  }

  /** Every byte that was written, the log of the database included. */
  bytes(): Buffer {
    return Buffer.concat(readdirSync(this.#folder).map((name) => readFileSync(join(this.#folder, name))))
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
