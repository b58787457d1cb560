// Run as a program of its own, by recording.ts: a whole server in one thread, with clients that write down what they
// know into the recording of what becomes of the server's files.
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import type Database from 'better-sqlite3'
import { readConfig } from '../../src/config.ts'
import { openDependencies } from '../../src/dependencies.ts'
import { prepareFirstRun } from '../../src/first-organization.ts'
import { createHttp } from '../../src/http/http.ts'
import { defaultLimits } from '../../src/limits.ts'
import { executeCommand, executeSearch } from '../../src/operations/execute.ts'
import { random as randomIds } from '../../src/secrets/random.ts'
import { openConnection } from '../../src/storage/sqlite/file.ts'
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts'
import { seededRandom } from '../support/inputs/seeded-random.ts'
import { adminPassword, cheapPasswords, formEncode } from '../support/portal/portal.ts'
import { changeFixture, createFixture, type Post } from './clients.ts'
import { type Entry, Ledger } from './ledger.ts'
import { databaseName } from './recording.ts'

const [folder = '', recording = '', setting = '', answers = ''] = process.argv.slice(2)
/** Frames of the log after which it goes into the database: a few writes. */
const checkpointFrames = 25

const config = readConfig({
  DATABASE_URL: 'file::memory:',
  ADMIN_PASSWORD: adminPassword,
  SECRET_KEY: 'a secret of the tests, long enough for a key',
  PUBLIC_URL: 'https://maps.example.com/portal',
  TRUST_PROXY: 'false',
  LOG_LEVEL: 'silent',
})

/** Every version is compared with what the clients know. */
const [unlimited, schemaVersions] = [1_000_000_000_000, 1_000_000_000]
const limits = { ...defaultLimits, schemaVersions, itemBytesOwned: unlimited, itemBytesOfPortal: unlimited }

/** The server on the recorded file. */
async function open() {
  const connections: Database.Database[] = []
  const connect = (path: string) => {
    const connection = openConnection(path)
    connection.pragma(`wal_autocheckpoint = ${checkpointFrames}`)
    connections.push(connection)
    return connection
  }
  const storage = await openSqlite(join(folder, databaseName), executeCommand(limits, randomIds.id), {
    connect,
    searches: { execute: executeSearch(limits) },
  })
  // The settings have been read back by now.
  if (setting === 'normal') for (const connection of connections) connection.pragma('synchronous = NORMAL')
  const opened = await openDependencies(config, { passwords: cheapPasswords })
  const dependencies = { ...opened, storage }
  await prepareFirstRun(dependencies, config)
  const app = await createHttp(dependencies, { ...config, tls: undefined }, () => config.publicUrl!)
  return {
    post: (token?: string): Post => {
      const headers = token === undefined ? {} : { 'x-esri-authorization': `Bearer ${token}` }
      return async (path, parameters) => {
        const response = await app.inject({
          method: 'POST',
          url: `/portal/sharing/rest${path}`,
          headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
          payload: formEncode(parameters),
        })
        const isDone = !('error' in response.json())
        return { isDone, text: response.body, requestId: String(response.headers['x-request-id']) }
      }
    },
    async close() {
      await app.close()
      await opened.storage.close()
      await storage.close()
    },
  }
}

/** Writes an entry of the ledger where the writes to the files are written. */
function record(entry: Entry): void {
  const text = JSON.stringify(entry)
  appendFileSync(recording, `ledger 0 0 ${Buffer.byteLength(text)} .\n${text}`)
}

const ledger = new Ledger(record)
const random = seededRandom(1)
const first = await open()
const signedIn = await first.post()('/generateToken', { username: 'admin', password: adminPassword })
const { token } = JSON.parse(signedIn!.text)
const fixture = await createFixture(first.post(token))
let answersToGo = Number(answers)
const clients = { fixture, ledger, random, answered: () => (answersToGo -= 1) }
const half = answersToGo / 2
await changeFixture({ ...clients, post: first.post(token), isOver: () => answersToGo <= half })
await first.close()
const second = await open()
await changeFixture({ ...clients, post: second.post(token), isOver: () => answersToGo <= 0 })
await second.close()
