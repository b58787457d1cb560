import Database from 'better-sqlite3'
import { readConfig } from '../../../src/config.ts'
import { openDependencies } from '../../../src/dependencies.ts'
import { prepareFirstRun } from '../../../src/first-organization.ts'
import { createHttp } from '../../../src/http/http.ts'
import { defaultLimits } from '../../../src/limits.ts'
import { executeCommand, executeSearch } from '../../../src/operations/execute.ts'
import { random } from '../../../src/secrets/random.ts'
import { openSqlite } from '../../../src/storage/sqlite/sqlite.ts'
import { temporaryFile } from '../../storage/sqlite/temporary-file.ts'
import { verboseConnection } from '../databases/verbose-connection.ts'
import { adminPassword, cheapPasswords, startOfTests, TestPortal } from './portal.ts'
import { rememberDatabase } from './portal-database.ts'

/** Database reads of one call. */
interface Reading {
  /** Rows that came back, of all queries together. */
  readonly rows: number
  /** Steps of SQLite's plans that go through a whole table. */
  readonly scans: readonly string[]
}

export interface WatchedPortal extends TestPortal {
  read(call: () => Promise<unknown>): Promise<Reading>
}

/** A portal whose queries a test sees: on a SQLite file to which this thread writes. */
export async function startWatchedPortal(): Promise<WatchedPortal> {
  const publicUrl = 'https://maps.example.com/portal'
  const config = readConfig({ DATABASE_URL: 'file::memory:', ADMIN_PASSWORD: adminPassword, LOG_LEVEL: 'silent' })
  const clock = { now: startOfTests }
  const others = await openDependencies(config, { now: () => clock.now, passwords: cheapPasswords })
  await others.storage.close()

  const file = temporaryFile()
  const statements: string[] = []
  const storage = await openSqlite(file, executeCommand(defaultLimits, random.id), {
    searches: { execute: executeSearch(defaultLimits) },
    connect: verboseConnection((statement) => statements.push(statement)),
  })
  const dependencies = { ...others, storage }
  const firstRun = await prepareFirstRun(dependencies, config)
  const app = await createHttp(dependencies, { ...config, tls: undefined }, () => publicUrl)
  const server = {
    app,
    dependencies,
    firstRun,
    publicUrl: () => publicUrl,
    certificate: () => undefined,
    metricsUrl: () => undefined,
    onWritten: () => undefined,
    listen: () => app.listen({ port: 0 }),
    async close() {
      await app.close()
      await storage.close()
    },
  }
  const portal = new TestPortal(rememberDatabase(server, { engine: 'sqlite', file }), clock)
  return Object.assign(portal, {
    async read(call: () => Promise<unknown>) {
      statements.length = 0
      await call()
      return findReading(
        file,
        statements.filter((statement) => statement.startsWith('select')),
      )
    },
  })
}

function findReading(file: string, queries: readonly string[]): Reading {
  const connection = new Database(file, { readonly: true })
  try {
    const rows = queries.reduce((sum, query) => sum + connection.prepare(query).all().length, 0)
    const plans = queries.flatMap((query) =>
      connection.prepare<[], { detail: string }>(`explain query plan ${query}`).all(),
    )
    return {
      rows,
      scans: plans.map(({ detail }) => detail).filter((detail) => /^SCAN (?!pragma_)|TEMP B-TREE/.test(detail)),
    }
  } finally {
    connection.close()
  }
}
