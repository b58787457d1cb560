import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { noSessions, Postgres } from '../../support/databases/postgres.ts'
import { seededRandom } from '../../support/inputs/seeded-random.ts'
import { adminPassword } from '../../support/portal/portal.ts'
import { Folder, run, serve } from '../../support/portal/process.ts'
import type { Post } from '../clients.ts'
import { postTo } from '../http-client.ts'

/** Milliseconds between an answer and a kill: about as long as a request takes. */
const maxPause = 10

/** Clients that change what a server has, and that know what it may be held to. */
export interface Stream {
  /** Requests that were on their way when the server ended. */
  readonly open: number
  /** Makes what they change. */
  begin?(post: Post): Promise<void>
  /** Writes until the server does not answer any more; `answered` is called at each answer. */
  write(post: Post, answered: () => void): Promise<void>
  /** Every acknowledged write is there, and nothing is half done. */
  requireKept(post: Post, place: string): Promise<void>
}

/** Databases that a killed server may have. */
export const engines = ['SQLite', 'PostgreSQL'] as const

/**
 * Kills a server amid the writes of the stream, so often, and until as many requests were on their way at a kill. After each
 * kill, doctor finds nothing.
 */
export async function killAmid(stream: Stream, engine: (typeof engines)[number], kills: number): Promise<void> {
  using folder = new Folder()
  await using owned = new AsyncDisposableStack()
  const postgres = engine === 'PostgreSQL' ? owned.use(await Postgres.open()) : undefined
  const url = postgres ? await postgres.createDatabase() : `file:${join(folder.path, 'portal.db')}`
  const environment = {
    DATABASE_URL: url,
    ADMIN_PASSWORD: adminPassword,
    SECRET_KEY: 'a secret of the tests, long enough for a key',
  }
  const options = { folder: folder.path, environment }
  const moments = seededRandom(1)
  let server = await serve(options)
  // Also where the test fails before its end.
  owned.defer(() => server[Symbol.asyncDispose]())
  const token = await server.signIn('admin', adminPassword)
  await stream.begin?.(postTo({ server, token }))
  let unanswered = 0
  for (let kill = 1; kill <= kills || unanswered < kills; kill += 1) {
    let answersToGo = 5 + Math.floor(moments() * 40)
    let isFailing = false
    const enough = Promise.withResolvers<void>()
    const post = postTo({ server, token }, () => isFailing)
    const writing = stream.write(post, () => {
      answersToGo -= 1
      if (answersToGo === 0) enough.resolve()
    })
    await Promise.race([enough.promise, writing])
    // The next request is on its way: it is met at its beginning, amid its transaction, or just before its answer.
    await pause(moments() * maxPause)
    isFailing = true
    await Promise.all([server.stop('SIGKILL'), writing])
    if (postgres) await noSessions(url)
    unanswered += stream.open
    const { code, out } = await run({ ...options, words: ['doctor'] })
    const healthy = [0, expect.stringContaining('The index of the search agrees')]
    expect([code, out], `doctor after kill ${kill}`).toEqual(healthy)
    server = await serve(options)
    await stream.requireKept(postTo({ server, token }), `after kill ${kill}`)
  }
  await server.stop('SIGTERM')
}
