import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { type Storage, StorageUnavailable } from '../../../src/storage/storage.ts'
import { aGroup, aKey, anId, aPortal, aUser, noon } from '../contract/records.ts'
import { muchLater } from '../much-later.ts'
import type { ReusedDatabase } from '../reused-database.ts'
import { runCalls, type StoreCall } from '../store-calls.ts'
import { type SearchCalls, shutGate } from './search-calls.ts'

type SearchedStorage = Storage<readonly StoreCall[], SearchCalls>

/** Access to the searches of an engine, as far as engines differ. */
export interface SearchesOfEngine<Database extends ReusedDatabase> {
  makeDatabase(): Promise<Database>
  open(database: Database, execute: typeof runCalls): Promise<SearchedStorage>
  /** Why reads and writes wait for a search; undefined where they do not. */
  readonly othersWait?: string
}

const portalId = aPortal().portalId
const readPortal: StoreCall = ['directory', 'findPortal', portalId]
const describedAs = (description: string): StoreCall => ['directory', 'updatePortal', aPortal({ description })]
/** Contract of the searches of a storage, on every engine. */
export function describeSearches<Database extends ReusedDatabase>(
  name: string,
  engine: SearchesOfEngine<Database>,
): void {
  describe(name, () => searchesContract(engine))
}

function searchesContract<Database extends ReusedDatabase>({
  makeDatabase,
  open,
  othersWait,
}: SearchesOfEngine<Database>): void {
  let database: Database
  let storage: SearchedStorage
  beforeAll(async () => {
    database = await makeDatabase()
    storage = await open(database, runCalls)
  })
  afterAll(async () => {
    await storage.close()
    await database.remove()
  })
  beforeEach(async () => {
    await database.empty()
    await storage.write(
      [
        ['directory', 'addPortal', aPortal({ description: 'old' }), aKey],
        ['directory', 'addUser', aUser(), 'hash'],
        ['directory', 'addGroup', aGroup()],
      ],
      muchLater(),
    )
  })

  /** A storage that knows of no search before. */
  async function reopen() {
    await storage.close()
    storage = await open(database, runCalls)
  }

  const search = async (asked: SearchCalls, caller = 'maps anna', until = muchLater()) =>
    (await storage.search(asked, caller, until)) as { order: number; results: unknown[] }
  const describe = async (calls: readonly StoreCall[] = [readPortal]) =>
    (await search({ calls })).results.map((portal) => (portal as { description: string }).description)

  /** A search that has begun and waits, and what lets it go on. */
  async function holdSearch(until = muchLater()) {
    const held = shutGate()
    onTestFinished(held.open)
    const searching = search({ calls: [readPortal], gate: held.gate, behind: [readPortal] }, 'maps anna', until)
    // A search whose deadline passes before it has begun counts too.
    await Promise.race([held.isReached(), searching]).catch(() => undefined)
    return { ...held, searching }
  }

  test('a search sees every write that was acknowledged before it', async () => {
    for (let number = 1; number <= 20; number += 1) {
      await storage.write([describedAs(`${number}`)], muchLater())
      expect(await describe()).toEqual([`${number}`])
    }
  })

  test('a search is one snapshot, and the next one sees the write in the middle of it', async () => {
    const { searching, open } = await holdSearch()
    const writing = storage.write([describedAs('new')], muchLater())
    if (!othersWait) await writing
    open()
    const { results } = await searching
    expect(results).toEqual([
      expect.objectContaining({ description: 'old' }),
      expect.objectContaining({ description: 'old' }),
    ])
    await writing
    expect(await describe()).toEqual(['new'])
  })

  test.each<readonly [call: StoreCall]>([
    [describedAs('forged')],
    [['directory', 'removeGroup', anId(100), noon]],
    [['directory', 'putMember', anId(100), { userId: anId(1), memberType: 'owner', joinedAt: noon }]],
    [['tokens', 'removeExpired', noon]],
  ])('a search cannot write: %j', async (call) => {
    const forced = search({ calls: [call] })
    await expect(forced).rejects.toBeInstanceOf(StorageUnavailable)
    expect(await describe()).toEqual(['old'])
  })

  test('a search that fails leaves nothing behind: the next one sees later writes', async () => {
    for (let times = 1; times <= 5; times += 1) {
      await expect(search({ calls: [readPortal, describedAs('forged')] })).rejects.toBeInstanceOf(StorageUnavailable)
      await storage.write([describedAs(`${times}`)], muchLater())
      expect(await describe()).toEqual([`${times}`])
    }
  })

  test('reads and writes go on while a search runs', async () => {
    const { searching, open } = await holdSearch()
    if (!othersWait) {
      await storage.write([describedAs('new')], muchLater())
      const read = () => storage.read(({ directory }) => directory.findPortal(portalId), muchLater())
      for (let times = 0; times < 20; times += 1) expect((await read())?.description).toBe('new')
      await storage.ping()
    }
    open()
    await searching
  })

  test('a search that has not begun in time is rejected, and one that has begun at its deadline', async () => {
    await describe()
    const { searching, open } = await holdSearch()
    searching.catch(() => undefined)
    const until = performance.now() + 300
    await expect(search({ calls: [readPortal] }, 'maps ben', until)).rejects.toBeInstanceOf(StorageUnavailable)
    expect(performance.now()).toBeGreaterThanOrEqual(until - 2)
    await expect(searching).rejects.toBeInstanceOf(StorageUnavailable)
    open()
    expect(await describe()).toEqual(['old'])
  })

  test('next is who has used least, of the organization that has, and none is refused', async () => {
    await reopen()
    const { gate, searching, open, begun } = await holdSearch()
    const ask = async (caller: string) => [caller, (await search({ calls: [], gate }, caller)).order] as const
    const waiting = ['maps anna', 'maps anna', 'maps ben', 'lakes cem'].map(ask)
    expect(storage.figures().waiting).toBe(4)
    expect(begun()).toBe(1)
    open()
    await searching
    expect(await Promise.all(waiting)).toEqual([
      ['maps anna', 4],
      ['maps anna', 5],
      ['maps ben', 3],
      ['lakes cem', 2],
    ])
  })

  test('where too many wait, the newest of who has most is refused, and a search of a client that has gone waits no longer', async () => {
    const { searching, open } = await holdSearch()
    const gone = new AbortController()
    const strangers = Array.from({ length: 1_000 }, (_, at) =>
      storage.search({ calls: [] }, `anonymous ${at % 10}`, muchLater(), gone.signal),
    )
    const outcomes = Promise.allSettled(strangers)
    const asked = search({ calls: [readPortal] }, 'lakes cem')
    const refusals = [...strangers, asked].map((one, at) =>
      one.then(
        () => 'done',
        (error) => [at, error.message],
      ),
    )
    expect(await Promise.race(refusals)).toEqual([990, 'The search queue is full.'])
    expect(storage.figures().waiting).toBe(1_000)
    gone.abort()
    expect(storage.figures().waiting).toBe(1)
    expect(new Set((await outcomes).map(({ status }) => status))).toEqual(new Set(['rejected']))
    open()
    await searching
    expect((await asked).results).toHaveLength(1)
  })

  test('a closed storage does not search', async () => {
    await describe()
    await storage.close()
    await expect(search({ calls: [readPortal] })).rejects.toBeInstanceOf(StorageUnavailable)
    await reopen()
  })
}
