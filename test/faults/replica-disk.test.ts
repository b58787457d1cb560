import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { queryAt } from '../support/databases/postgres.ts'
import { createDatabase, dropDatabase } from '../support/databases/test-database.ts'
import { adminPassword } from '../support/portal/portal.ts'
import { type CartularyProcess, Folder, serve } from '../support/portal/process.ts'
import { until } from '../support/until.ts'
import { reachProcess, secret } from './servers.ts'
import { diskOf, fillDisk, makeRoom, onSmallDisks, programs, withSmallDisk } from './small-disk.ts'

/** A server with a search replica in a folder, and how it is asked. */
async function startWithReplica(url: string, replicas: string, through: readonly string[] = []) {
  const folder = new Folder()
  const environment = {
    ...programs,
    DATABASE_URL: url,
    SECRET_KEY: secret,
    ADMIN_PASSWORD: adminPassword,
    SEARCH_REPLICA: replicas,
  }
  const server: CartularyProcess = await serve({ folder: folder.path, environment, through })
  onTestFinished(async () => {
    await server[Symbol.asyncDispose]()
    folder[Symbol.dispose]()
  })
  const reach = await reachProcess(server)
  const add = (title: string, description = '') =>
    reach.post('/content/users/admin/addItem', { title, type: 'Web Map', description, f: 'json' })
  async function count(q: string, more: Record<string, string> = {}): Promise<number> {
    const answer = await reach.post('/search', { q, ...more, num: '1', f: 'json' })
    const { total } = JSON.parse(answer!.text)
    if (total === undefined) throw new Error(answer!.text)
    return total
  }
  const state = async () => {
    const { text } = await reach.get('/metrics')
    return /^cartulary_search_replica\{state="(\w+)"\} 1$/m.exec(text)?.[1]
  }
  /** The replica is filled by the first search. */
  const untilReady = () =>
    until('the replica is ready', async () => {
      await count('*')
      return (await state()) === 'ready'
    })
  return { server, reach, add, count, state, untilReady }
}

async function database(): Promise<string> {
  const url = await createDatabase()
  onTestFinished(() => dropDatabase(url))
  return url
}

/** More items than the server that adds them has to be asked for: rows like that of one item. */
const copies = 1_000
const copyItems = `insert into items overriding system value select (jsonb_populate_record(items.*, jsonb_build_object(
  'id', items.id + 1000000 + at, 'item_id', md5(at::text), 'checksum', null))).*
  from items, generate_series(1, ${copies}) as at`

test.for(onSmallDisks)(
  'a replica whose disk fills is given up, and filled again when there is room; answers stay right (%s)',
  async () => {
    const { server, add, count, state, untilReady } = await startWithReplica(
      await database(),
      '/mnt/replicas',
      withSmallDisk,
    )
    const disk = diskOf(server.child.pid)
    await add('Lake 0')
    expect(await count('lake')).toBe(1)
    await untilReady()
    expect(readdirSync(join(disk, 'replicas'))).toEqual([])
    fillDisk(disk)
    let added = 1
    while ((await state()) === 'ready') {
      await add(`Lake ${added}`, Array.from({ length: 400 }, (_, at) => `river${added}x${at}`).join(' '))
      added += 1
      expect(await count('lake')).toBe(added)
    }
    await until('a fill has failed', async () => (await state()) === 'failed')
    expect(await count('lake')).toBe(added)
    await server.wrote(/"condition":"replicaFailed","reason":"database or disk is full"/)
    makeRoom(disk)
    await untilReady()
    expect(await count('lake')).toBe(added)
    expect(readdirSync(join(disk, 'replicas'))).toEqual([])
    await server.wrote(/"condition":"replicaFailed".*"attention no longer needed"/)
  },
)

test('a server that is killed while it fills its replica leaves nothing, and one beside it goes on in the same folder', async () => {
  const url = await database()
  using folder = new Folder()
  const one = await startWithReplica(url, folder.path)
  await one.add('Lake')
  const other = await startWithReplica(url, folder.path)
  await other.untilReady()
  await queryAt(url, copyItems)
  expect(await one.count('lake')).toBe(1)
  await until('the fill has begun', async () => (await one.state()) !== undefined)
  one.server.child.kill('SIGKILL')
  await one.server.ended
  expect(readdirSync(folder.path)).toEqual([])
  await other.add('Lake')
  expect(await other.count('lake')).toBe(2)
  expect(await other.state()).toBe('ready')
})
