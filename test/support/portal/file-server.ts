import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { inject } from 'vitest'
import type { Config } from '../../../src/config.ts'
import { prepareFirstRun } from '../../../src/first-organization.ts'
import { openServer, type Server, type ServerOverrides } from '../../../src/server.ts'
import type { PasswordHash } from '../../../src/tokens/password.ts'
import { emptyingOfSqlite } from '../databases/emptying.ts'
import { preparedDatabase } from '../databases/prepared-sqlite.ts'
import { rememberDatabase } from './portal-database.ts'
import { ChangingWorld, hasReachedLimit, type ReusedServers } from './reused-servers.ts'

const secret = 'a secret of the tests, long enough for a key'

/** A server on a new file, to which another thread writes as in production. The file is removed with the server. */
export async function openFileServer(settings: Config, overrides: ServerOverrides): Promise<Server> {
  return (await open(settings, overrides)).server
}

/** Such a server for many tests. */
export async function reuseFileServer(settings: Config, passwords: PasswordHash): Promise<ReusedServers> {
  const world = new ChangingWorld()
  const { server, file } = await open(settings, { ...world, passwords })
  const connection = new Database(file)
  connection.pragma('synchronous = OFF')
  let address: Promise<string> | undefined

  async function requireUnbroken(): Promise<void> {
    try {
      await server.dependencies.storage.ping()
      if (address && !server.app.server.listening) throw new Error('It does not listen any more.')
    } catch (cause) {
      throw new Error('This test breaks its server: start the portal with { isReused: false }.', { cause })
    }
  }

  return {
    async begin(given, end) {
      world.change(given)
      // Reads of one turn of the event loop share a snapshot, and this server does not know of a change by hand.
      await setImmediate()
      connection.exec(`BEGIN IMMEDIATE; ${emptyingOfSqlite}; COMMIT`)
      const firstRun = await prepareFirstRun(server.dependencies, settings)
      const listen = () => {
        address ??= server.listen()
        return address
      }
      let isOpen = true
      const close = async () => {
        if (!isOpen) return
        isOpen = false
        await requireUnbroken()
        await end()
      }
      return rememberDatabase({ ...server, firstRun, listen, close }, { engine: 'sqlite', file })
    },
    isAsNew: () => !hasReachedLimit(server),
    async close() {
      connection.close()
      await server.close()
    },
  }
}

async function open(settings: Config, overrides: ServerOverrides) {
  const folder = mkdtempSync(join(inject('memoryDisk'), 'portal-'))
  const file = join(folder, 'cartulary.db')
  writeFileSync(file, await preparedDatabase())
  const opened = await openServer(
    { ...settings, secretKey: { kind: 'text', text: secret }, database: { engine: 'sqlite', file } },
    overrides,
  )
  const close = async () => {
    await opened.close()
    rmSync(folder, { recursive: true, force: true })
  }
  const server = rememberDatabase({ ...opened, close }, { engine: 'sqlite', file })
  return { server, file }
}
