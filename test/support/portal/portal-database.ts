import type pg from 'pg'
import type { Server } from '../../../src/server.ts'

/** The database behind a portal, for tests that look into it beside the server. */
export type PortalDatabase = SqliteDatabase | PostgresDatabase

interface SqliteDatabase {
  readonly engine: 'sqlite'
  readonly file: string
}

export interface PostgresDatabase {
  readonly engine: 'postgres'
  /** Is no server's. */
  readonly connection: pg.Client
  /** Every server looks up again who calls: for tests that have changed that in the tables. */
  forgetCallers(): Promise<void>
}

const databases = new WeakMap<Server, PortalDatabase>()

export function rememberDatabase(server: Server, database: PortalDatabase): Server {
  databases.set(server, database)
  return server
}

/** Finds the database of a portal's server. */
export function findDatabase(server: Server): PortalDatabase {
  const found = databases.get(server)
  if (!found) throw new Error('The test itself has named the database of this server.')
  return found
}
