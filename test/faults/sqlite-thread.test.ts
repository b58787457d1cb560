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
import { Observer, type Reach } from './observer.ts'
import { reachProcess, secret } from './servers.ts'

const endingThread = fileURLToPath(new URL('./ending-thread.mjs', import.meta.url))
/** Each has a place: how many requests of one user are in progress depends on how long they take. */
const writers = ['anna', 'bora', 'carla']

test('a server whose write thread ends has what it acknowledged, answers 503 to the rest, and ends with code 1', async () => {
  using folder = new Folder()
  const environment = { DATABASE_URL: 'file:portal.db', SECRET_KEY: secret, ADMIN_PASSWORD: adminPassword }
  await using server = await serve({ folder: folder.path, environment, nodeWords: ['--import', endingThread] })
  const observer = await Observer.open(await reachProcess(server))
  expect(await observer.assign()).toBe('done')
  const invitations = writers.map((username) => ({
    username,
    role: 'org_admin',
    password: adminPassword,
    fullname: username,
  }))
  await observer.reach.post('/portals/self/invite', { invitationList: { invitations } })
  const reaches: Reach[] = []
  for (const username of writers) reaches.push(await reachProcess(server, username))

  const waiting = async () => {
    const { text } = await observer.reach.get('/metrics')
    return Number(/^cartulary_storage_waiting (\d+)/m.exec(text)![1])
  }
  const categorySchema = aSchema({ title: 'The end of the thread' })
  const fatal = observer.reach.post(`${pathOf(observer.owners[0]!)}/assignCategorySchema`, { categorySchema })
  await until('the thread has the command', async () => (await waiting()) === 1)
  const others = reaches.map((reach) => observer.assign(observer.owners[0], reach))
  await until('others wait', async () => (await waiting()) === writers.length + 1)
  writeFileSync(join(folder.path, 'end'), '')

  expect((await fatal)?.status).toBe(503)
  expect(await Promise.all(others)).toEqual(others.map(() => 'refused'))
  const sentence = 'The write thread has ended; restart the server.\n'
  expect(await server.ended).toMatchObject({ code: 1, err: sentence })

  await observer.requireConsistency(queryFile(join(folder.path, 'portal.db')))
})
