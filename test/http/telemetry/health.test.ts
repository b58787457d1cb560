import { once } from 'node:events'
import Fastify from 'fastify'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { registerHealth } from '../../../src/http/telemetry/health.ts'
import { openFailureLog } from '../../../src/http/transport/failure-log.ts'
import { temporaryFile } from '../../storage/sqlite/temporary-file.ts'
import { openWorkFile, type WorkStorage } from '../../storage/work-storage.ts'
import { openRawDatabase } from '../../support/databases/raw-database.ts'
import { verboseConnection } from '../../support/databases/verbose-connection.ts'
import { RawConnection, requestText } from '../../support/faults/socket.ts'
import { startPortal } from '../../support/portal/portal.ts'

const ready = { statusCode: 200, body: '{"status":"ready"}' }
const silent = { statusCode: 503, body: '{"status":"unavailable","reason":"The database does not answer."}' }

/** Nothing but health over this storage, with a clock that tests set. */
function openHealth(storage: Pick<WorkStorage, 'ping'>) {
  const app = Fastify()
  const clock = { now: 0 }
  const reportFailure = openFailureLog(app.log, () => clock.now)
  registerHealth(app, storage, { contextPath: '', reportFailure, isEnding: () => false, clock: () => clock.now })
  onTestFinished(() => app.close())
  return {
    clock,
    async ask(path: string) {
      const { statusCode, body } = await app.inject(path)
      return { statusCode, body }
    },
  }
}

/** A database with the queries that are sent to it. */
async function openWatched() {
  const statements: string[] = []
  const connect = verboseConnection((statement) => {
    if (statement.startsWith('select')) statements.push(statement)
  })
  const storage = await openWorkFile(temporaryFile(), connect)
  onTestFinished(() => storage.close())
  statements.length = 0
  return { storage, statements }
}

describe('/health/ready', () => {
  test('is HTTP 503 when the database does not answer, while the process lives on', async () => {
    await using database = await openRawDatabase({ isReused: false })
    const { app } = database.portal.server
    const ask = async (path: string) => {
      const { statusCode, body } = await app.inject(path)
      return { statusCode, body }
    }
    expect(await ask('/health/live')).toEqual({ statusCode: 200, body: '{"status":"live"}' })
    await database.corrupt('portals')
    expect(await ask('/health/ready')).toEqual(silent)
    expect(await ask('/health/live')).toEqual({ statusCode: 200, body: '{"status":"live"}' })
  })

  test('is ready where the database answers', async () => {
    await using portal = await startPortal({ isReused: false })
    const { statusCode, body } = await portal.server.app.inject('/health/ready')
    expect({ statusCode, body }).toEqual(ready)
  })

  test('asks the database once for a thousand questions, and again after a second, not before', async () => {
    const { storage, statements } = await openWatched()
    const { ask, clock } = openHealth(storage)
    const answers = await Promise.all(Array.from({ length: 1_000 }, () => ask('/health/ready')))
    expect(answers).toEqual(answers.map(() => ready))
    expect(statements).toHaveLength(1)
    clock.now = 999
    expect(await ask('/health/ready')).toEqual(ready)
    expect(statements).toHaveLength(1)
    clock.now = 1_000
    expect(await ask('/health/ready')).toEqual(ready)
    expect(statements).toHaveLength(2)
  })

  test('keeps a refusal for no longer than a success, and sees that the database is back', async () => {
    const { storage } = await openWatched()
    let isGone = true
    const { ask, clock } = openHealth({
      ...storage,
      ping: () => (isGone ? Promise.reject(new Error()) : storage.ping()),
    })
    expect(await ask('/health/ready')).toEqual(silent)
    isGone = false
    clock.now = 999
    expect(await ask('/health/ready')).toEqual(silent)
    clock.now = 1_000
    expect(await ask('/health/ready')).toEqual(ready)
    isGone = true
    clock.now = 1_999
    expect(await ask('/health/ready')).toEqual(ready)
    clock.now = 2_000
    expect(await ask('/health/ready')).toEqual(silent)
  })

  test('waits two seconds for a database that hangs, asks it once for all, and live answers meanwhile', async () => {
    const { storage } = await openWatched()
    let pings = 0
    const hanging: WorkStorage = {
      ...storage,
      ping() {
        pings += 1
        return pings > 1 ? storage.ping() : new Promise(() => {})
      },
    }
    const { ask, clock } = openHealth(hanging)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    let answered = 0
    const asked = Promise.all(
      Array.from({ length: 100 }, async () => {
        const answer = await ask('/health/ready')
        answered += 1
        return answer
      }),
    )
    expect(await ask('/health/live')).toEqual({ statusCode: 200, body: '{"status":"live"}' })
    clock.now = 1_500
    const late = ask('/health/ready')
    await vi.advanceTimersByTimeAsync(1_999)
    expect(await ask('/health/live')).toEqual({ statusCode: 200, body: '{"status":"live"}' })
    expect(answered).toBe(0)
    await vi.advanceTimersByTimeAsync(1)
    const slow = {
      statusCode: 503,
      body: '{"status":"unavailable","reason":"The database does not answer within 2 seconds."}',
    }
    expect(await asked).toEqual(Array.from({ length: 100 }, () => slow))
    expect(await late).toEqual(slow)
    expect(pings).toBe(1)
    expect(await ask('/health/ready')).toEqual(ready)
  })

  test('says that the server is ending, to clients that are still connected', async () => {
    await using portal = await startPortal({ environment: { PORT: '0' }, isReused: false })
    const url = await portal.server.listen()
    const connection = new RawConnection(url)
    const arrived = once(portal.server.app.server, 'request')
    const body = 'f=json'
    await connection.send(requestText('GET /health/ready', { 'Content-Length': String(body.length) }))
    await arrived
    const closed = portal.server.close()
    await connection.send(body)
    const answer = await connection.read()
    expect(answer.status).toBe(503)
    expect(JSON.parse(answer.body)).toEqual({ status: 'unavailable', reason: 'The server is ending.' })
    await closed
  })
})
