import { isReplicated, startPortal, type TestPortal } from '../portal/portal.ts'
import { RewindablePostgres } from './rewindable-postgres.ts'
import { RewindableFile } from './rewindable-sqlite.ts'
import type { Changes, RewindableTables } from './rewindable-tables.ts'

/** A portal on a database that tells which rows a request changed, and that goes back to what was kept. */
export class RewindableDatabase implements AsyncDisposable {
  readonly portal: TestPortal
  readonly #tables: RewindableTables

  private constructor(portal: TestPortal, tables: RewindableTables) {
    this.portal = portal
    this.#tables = tables
  }

  static async open(): Promise<RewindableDatabase> {
    if (isReplicated) {
      const portal = await startPortal()
      return new RewindableDatabase(portal, new RewindablePostgres(portal.server))
    }
    const tables = new RewindableFile()
    return new RewindableDatabase(await startPortal({ environment: tables.environment }), tables)
  }

  /** Remembers every row as it is now. */
  keep(): Promise<void> {
    return this.#tables.keep()
  }

  /** What has changed since then. */
  changes(): Promise<Changes> {
    return this.#tables.changes()
  }

  /** Puts every row back; answers what had changed. */
  rewind(): Promise<Changes> {
    return this.#tables.rewind()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.portal[Symbol.asyncDispose]()
    await this.#tables.close()
  }
}
