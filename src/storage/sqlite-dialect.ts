import type { Database } from 'better-sqlite3'
import { type DatabaseConnection, type Driver, Kysely, SqliteAdapter, SqliteDialect, SqliteDriver } from 'kysely'
import type { Rows } from './rows.ts'

export function openSqliteKysely(connection: Database): Kysely<Rows> {
  return new Kysely<Rows>({ dialect: new CarefulDialect(connection) })
}

/** Kysely's SQLite, corrected where it is too careful with tables and too careless with a full disk. */
export class CarefulDialect extends SqliteDialect {
  readonly #database: Database

  constructor(database: Database) {
    super({ database })
    this.#database = database
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalAdapter()
  }

  override createDriver(): Driver {
    return new CarefulDriver(this.#database)
  }
}

/** SQLite makes tables inside transactions: migrations that are cut off leave nothing half done. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** A full disk ends the transaction by itself; rolling back again would hide that it was the disk. */
class CarefulDriver extends SqliteDriver {
  readonly #database: Database

  constructor(database: Database) {
    super({ database })
    this.#database = database
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.inTransaction) await super.rollbackTransaction(connection)
  }
}
