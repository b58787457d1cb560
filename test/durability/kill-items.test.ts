import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { noSessions, Postgres } from '../support/databases/postgres.ts'
import { seededRandom } from '../support/inputs/seeded-random.ts'
import { countOf, timeoutOf } from '../support/length.ts'
import { adminPassword } from '../support/portal/portal.ts'
import { Folder, run, serve } from '../support/portal/process.ts'
import { postTo } from './http-client.ts'
import { ItemStream } from './item-stream.ts'

const kills = countOf({ sample: 2, long: 50 })

let postgres: Postgres
beforeAll(async () => {
  postgres = await Postgres.open()
})
afterAll(() => postgres[Symbol.asyncDispose]())

const databases = {
  SQLite: async (folder: string) => ({ url: `file:${join(folder, 'portal.db')}`, ended: async () => undefined }),
  PostgreSQL: async () => {
    const url = await postgres.createDatabase()
    return { url, ended: () => noSessions(url) }
  },
}

test.each(Object.entries(databases))(
  `on %s, a server that is killed ${kills} times among writes of items keeps all that it acknowledged, in the index too`,
  { timeout: timeoutOf(kills, 60_000) },
  async (_, open) => {
    using folder = new Folder()
    const { url, ended } = await open(folder.path)
    const environment = {
      DATABASE_URL: url,
      ADMIN_PASSWORD: adminPassword,
      SECRET_KEY: 'a secret of the tests, long enough for a key',
    }
    const options = { folder: folder.path, environment }
    const moments = seededRandom(1)
    const stream = new ItemStream(seededRandom(2))
    let server = await serve(options)
    const token = await server.signIn('admin', adminPassword)
    let unanswered = 0
    for (let kill = 1; kill <= kills || unanswered < kills; kill += 1) {
      let answersToGo = 5 + Math.floor(moments() * 40)
      let isFailing = false
      const enough = Promise.withResolvers<void>()
      const writing = stream.write(
        postTo({ server, token }, () => isFailing),
        () => {
          answersToGo -= 1
          if (answersToGo === 0) enough.resolve()
        },
      )
      await Promise.race([enough.promise, writing])
      isFailing = true
      await Promise.all([server.stop('SIGKILL'), writing])
      await ended()
      unanswered += stream.open
      server = await serve(options)
      await stream.requireKept(postTo({ server, token }), `after kill ${kill}`)
    }
    expect(stream.size).toBeGreaterThan(kills)
    await server.stop('SIGTERM')
    const { code, out } = await run({ ...options, words: ['doctor'] })
    expect([code, out]).toEqual([0, expect.stringContaining('The index of the search agrees')])
  },
)
