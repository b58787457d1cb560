import type { Database } from 'better-sqlite3'
import {
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryCompiler,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  SqliteQueryCompiler,
} from 'kysely'
import type { Executor } from '../stores/prepared.ts'
import type { Rows } from '../tables/rows.ts'
import { SqliteConnection } from './connection.ts'

/** Kysely on a connection of better-sqlite3. */
export function openKysely(database: Database): Kysely<Rows> {
  return new Kysely<Rows>({ dialect: new SqliteDialectWithTransactionalDdl(database) })
}

/** Kysely's SQLite dialect, with transactional DDL, and with the error of a full disk kept on rollback. */
export class SqliteDialectWithTransactionalDdl extends SqliteDialect {
  readonly #database: Database
  readonly #connection: SqliteConnection

  constructor(database: Database) {
    super({ database })
    this.#database = database
    this.#connection = new SqliteConnection(database)
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalDdlAdapter(this.#connection)
  }

  override createQueryCompiler(): QueryCompiler {
    return new UntypedParameterCompiler()
  }

  override createDriver(): Driver {
    return new TransactionalDdlDriver(this.#database, this.#connection)
  }
}

/**
 * SQLite plans a join again whenever a value is bound to it, to use the statistics of that value. `+?` is an expression,
 * which has no statistics: measured, such a statement takes a tenth of the time.
 */
class UntypedParameterCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '+?'
  }
}

/** SQLite's DDL is transactional, so an interrupted migration leaves nothing half done. */
class TransactionalDdlAdapter extends SqliteAdapter {
  /** Executes prepared statements, bypassing Kysely. */
  readonly executor: Executor

  constructor(executor: Executor) {
    super()
    this.executor = executor
  }

  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** A full disk rolls the transaction back by itself; a second rollback would fail and hide the first error. */
class TransactionalDdlDriver extends SqliteDriver {
  readonly #database: Database
  readonly #connection: SqliteConnection

  constructor(database: Database, connection: SqliteConnection) {
    super({ database })
    this.#database = database
    this.#connection = connection
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.inTransaction) await super.rollbackTransaction(connection)
  }
}
