import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { pathOf } from '../durability/clients.ts'
import { queryFile } from '../support/databases/recorded.ts'
import { adminPassword } from '../support/portal/portal.ts'
import { Folder, serve } from '../support/portal/process.ts'
import { aSchema } from '../support/portal/schema-builder.ts'
import { until } from '../support/until.ts'
import { Observer } from './observer.ts'
import { reachProcess, secret } from './servers.ts'

const endingThread = fileURLToPath(new URL('./ending-thread.mjs', import.meta.url))
/** Fewer than a user has in progress while others ask: all of them reach the thread. */
const writers = 5

test('a server whose write thread ends has what it acknowledged, answers 503 to the rest, and ends with code 1', async () => {
  using folder = new Folder()
  const environment = { DATABASE_URL: 'file:portal.db', SECRET_KEY: secret, ADMIN_PASSWORD: adminPassword }
  await using server = await serve({ folder: folder.path, environment, nodeWords: ['--import', endingThread] })
  const observer = await Observer.open(await reachProcess(server))
  expect(await observer.assign()).toBe('done')

  const waiting = async () => {
    const { text } = await observer.reach.get('/metrics')
    return Number(/^cartulary_storage_waiting (\d+)/m.exec(text)![1])
  }
  const categorySchema = aSchema({ title: 'The end of the thread' })
  const fatal = observer.reach.post(`${pathOf(observer.owners[0]!)}/assignCategorySchema`, { categorySchema })
  await until('the thread has the command', async () => (await waiting()) === 1)
  const others = Array.from({ length: writers }, () => observer.assign())
  await until('others wait', async () => (await waiting()) === writers + 1)
  writeFileSync(join(folder.path, 'end'), '')

  expect((await fatal)?.status).toBe(503)
  expect(await Promise.all(others)).toEqual(others.map(() => 'refused'))
  const sentence = 'The write thread has ended; restart the server.\n'
  expect(await server.ended).toMatchObject({ code: 1, err: sentence })

  await observer.requireConsistency(queryFile(join(folder.path, 'portal.db')))
})
