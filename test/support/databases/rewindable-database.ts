import { startPortal, type TestPortal } from '../portal/portal.ts'
import { findDatabase } from '../portal/portal-database.ts'
import { RewindablePostgres } from './rewindable-postgres.ts'
import { RewindableFile } from './rewindable-sqlite.ts'
import type { Changes, RewindableTables } from './rewindable-tables.ts'

/** The database of a portal, which lists the rows that a request changed and goes back to a kept state. */
export class RewindableDatabase implements AsyncDisposable {
  readonly portal: TestPortal
  readonly #tables: RewindableTables

  constructor(portal: TestPortal) {
    const database = findDatabase(portal.server)
    this.portal = portal
    this.#tables = database.engine === 'sqlite' ? new RewindableFile(database.file) : new RewindablePostgres(database)
  }

  static async open(): Promise<RewindableDatabase> {
    return new RewindableDatabase(await startPortal())
  }

  /** Remembers every row as it is now. */
  keep(): Promise<void> {
    return this.#tables.keep()
  }

  /** Changes since then. */
  changes(): Promise<Changes> {
    return this.#tables.changes()
  }

  /** Tables with such changes, but for the audit. */
  async changedTables(): Promise<readonly string[]> {
    return Object.keys(await this.changes()).filter((table) => table !== 'audit')
  }

  /** Puts every row back; resolves with the changes. */
  rewind(): Promise<Changes> {
    return this.#tables.rewind()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#tables.close()
    await this.portal[Symbol.asyncDispose]()
  }
}
