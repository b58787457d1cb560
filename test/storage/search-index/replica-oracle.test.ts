import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { type Readers, StorageUnavailable, type Stores } from '../../../src/storage/storage.ts'
import { queryAt } from '../../support/databases/postgres.ts'
import { databaseWithoutRows } from '../../support/databases/test-database.ts'
import { seededRandom } from '../../support/inputs/seeded-random.ts'
import { countOf, timeoutOf } from '../../support/length.ts'
import { type ItemInMemory, type MembersInMemory, searchNaively } from '../../support/search/naive-search.ts'
import {
  addDrawn,
  addWorld,
  Draw,
  drawItem,
  drawPath,
  groups,
  portals,
  viewers,
} from '../../support/search/random-items.ts'
import { drawSearch } from '../../support/search/random-searches.ts'
import { muchLater } from '../much-later.ts'
import { openReplica } from '../replicas.ts'
import { openWorkPostgres, type WorkStorage } from '../work-storage.ts'

const searches = countOf({ sample: 200, long: 20_000 })
/** Servers, each with a replica. */
const servers = 3
const itemsOfWorld = 25
/** Searches in one snapshot: reading everything that they look at takes longer than they do. */
const searchesOfSnapshot = 5
/** Snapshots of a server between two ends of its connection, or of all of it. */
const snapshotsUntilEnd = 10

class UndoneOnPurpose extends Error {}

/** Ids of all items: some may be gone, or not there yet. */
type Ids = string[]

function forget(ids: Ids, gone: readonly string[]): void {
  for (const id of gone) if (ids.includes(id)) ids.splice(ids.indexOf(id), 1)
}

/** Ends the connections of the servers that do nothing now. */
const endingOfIdle = `select pg_terminate_backend(pid) from pg_stat_activity
  where state = 'idle' and application_name like 'cartulary%' and datname = current_database()`

/** Items that one write has added and removed, if it is committed. */
interface Written {
  readonly added: Ids
  readonly removed: Ids
}

/** One write of many kinds, by stores that conflict with those of the other servers. It may be tried again. */
async function writeSomething({ items }: Stores, draw: Draw, ids: Ids, { added, removed }: Written): Promise<void> {
  forget(ids, added.splice(0))
  removed.length = 0
  const id = draw.one(ids)
  const groupId = draw.one(groups)
  const [found] = await items.listItemsFor([id], undefined)
  const owner = { kind: 'portal', portalId: draw.one(portals) } as const
  switch (draw.below(8)) {
    case 0:
      if (ids.length > 2 * itemsOfWorld) break
      added.push((await addDrawn({ items } as Stores, draw, ids.length)).item.itemId)
      ids.push(...added)
      break
    case 1:
      if (ids.length < itemsOfWorld || !found) break
      await items.removeItem(id)
      removed.push(id)
      break
    case 2:
      if (found) await items.putItemLink(id, { groupId, givesControl: draw.once(2) })
      break
    case 3:
      await items.removeItemLink(id, groupId)
      break
    case 4:
      await items.movePaths(owner, [{ from: drawPath(draw), to: drawPath(draw) }], new Set([drawPath(draw)]))
      break
    case 5:
      await items.clearPaths(owner, [drawPath(draw)])
      break
    default:
      if (found) {
        const { itemId, portalId, ownerId } = found.item
        await items.updateItem({ ...drawItem(draw, 0), itemId, portalId, ownerId }, undefined)
      }
  }
  if (draw.once(5)) throw new UndoneOnPurpose()
}

async function keepWriting(storage: WorkStorage, draw: Draw, ids: Ids, isOver: () => boolean): Promise<number> {
  let undone = 0
  while (!isOver()) {
    const written: Written = { added: [], removed: [] }
    try {
      await storage.write((stores) => writeSomething(stores, draw, ids, written), muchLater())
      forget(ids, written.removed)
    } catch (error) {
      if (error instanceof UndoneOnPurpose) {
        undone += 1
        forget(ids, written.added)
      } else if (!(error instanceof StorageUnavailable)) throw error
    }
  }
  return undone
}

/** Moves boxes by transactions with savepoints of which some are undone, open for as long as several others take. */
async function keepMoving(url: string, draw: Draw, ids: Ids, isOver: () => boolean): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  const move = () =>
    client.query('update items set west = west + 1, east = east + 1, checksum = null where item_id = $1', [
      draw.one(ids),
    ])
  while (!isOver()) {
    await client.query('begin; savepoint one')
    await move()
    await client.query(`${draw.one(['release', 'rollback to'])} one; savepoint two; savepoint three`)
    await move()
    await client.query(
      `release three; ${draw.one(['release', 'rollback to'])} two; select pg_sleep(${draw.below(30) / 1_000})`,
    )
    await client.query(draw.one(['commit', 'commit', 'rollback']))
  }
  await client.end()
}

/** Everything that searches look at, as the snapshot of the search has it. */
async function readWorld({ items }: Readers, ids: Ids): Promise<readonly ItemInMemory[]> {
  const found = await items.listItemsFor(ids, undefined)
  const present = found.map(({ item }) => item.itemId)
  const ofGroups = new Map<string, ReadonlyMap<string, readonly string[]>>()
  for (const groupId of groups) ofGroups.set(groupId, await items.listGroupCategories(groupId, present))
  const world: ItemInMemory[] = []
  for (const { item } of found) {
    const links = await items.listItemLinks(item.itemId)
    const shared = links.map(({ groupId }) => [groupId, ofGroups.get(groupId)!.get(item.itemId) ?? []] as const)
    world.push({ item, groups: new Map(shared) })
  }
  return world
}

function countCoverageNaively(world: readonly ItemInMemory[], portalId: string) {
  const own = world.filter(({ item }) => item.portalId === portalId)
  const bare = own.filter(({ item }) => item.categories.length === 0)
  return [own.length, bare.length]
}

test(
  'replicas of three servers find what is in the snapshot of each search, whatever is written, undone, or ends meanwhile',
  async () => {
    const url = await databaseWithoutRows()
    const storages = await Promise.all(Array.from({ length: servers }, () => openWorkPostgres(url)))
    onTestFinished(async () => void (await Promise.all(storages.map((storage) => storage.close()))))
    const draw = new Draw(seededRandom(52))
    const ids: Ids = []
    const members: MembersInMemory = await storages[0]!.write((stores) => addWorld(stores, draw), muchLater())
    while (ids.length < itemsOfWorld)
      ids.push((await storages[0]!.write((stores) => addDrawn(stores, draw, ids.length), muchLater())).item.itemId)

    let asked = 0
    let matches = 0
    let behind = 0
    const wrong: unknown[] = []
    const isOver = () => asked >= searches || wrong.length > 0 || behind > 2 * searches

    async function askOne({ items }: Readers, world: readonly ItemInMemory[], own: Draw) {
      const viewer = own.one(viewers)
      const portalId = own.one(portals)
      const { search, page } = drawSearch(own, world)
      const found = await items.searchItems(viewer, search, page)
      const coverage = await items.countCoverage({ kind: 'portal', portalId })
      const answer = {
        total: found.total,
        ids: found.entries.map(({ item }) => item.itemId),
        counts: found.counts,
        coverage: coverage.slice(0, 2).map(({ items }) => items),
      }
      const expected = {
        ...searchNaively(world, members, viewer, search, page),
        coverage: countCoverageNaively(world, portalId),
      }
      return { viewer, search, page, answer, expected }
    }

    async function searchBy(server: number): Promise<void> {
      const own = new Draw(seededRandom(100 + server))
      let opened = await openReplica(url)
      for (let at = 1; !isOver(); at += 1) {
        if (at % snapshotsUntilEnd === 0) {
          // The connection ends, or the server, maybe while it fills.
          if (own.once(2)) await queryAt(url, endingOfIdle)
          else {
            await opened.close()
            opened = await openReplica(url)
          }
        }
        const before = [...ids]
        const askAll = async (readers: Readers) => {
          // Items that are deleted by now may be in the snapshot.
          const world = await readWorld(readers, [...new Set([...before, ...ids])])
          const answers: Awaited<ReturnType<typeof askOne>>[] = []
          while (answers.length < searchesOfSnapshot) answers.push(await askOne(readers, world, own))
          return answers
        }
        try {
          for (const { answer, expected, ...rest } of (await opened.replica.search(askAll, muchLater())) as Awaited<
            ReturnType<typeof askAll>
          >) {
            asked += 1
            if (answer.total > 0) matches += 1
            if (JSON.stringify(answer) !== JSON.stringify(expected)) wrong.push({ server, ...rest, answer, expected })
          }
        } catch (error) {
          if (!(error instanceof StorageUnavailable)) throw error
          behind += 1
          await opened.replica.fill()
        }
      }
      await opened.close()
    }

    const [undone] = await Promise.all([
      keepWriting(storages[0]!, new Draw(seededRandom(1)), ids, isOver),
      keepWriting(storages[1]!, new Draw(seededRandom(2)), ids, isOver),
      keepWriting(storages[2]!, new Draw(seededRandom(3)), ids, isOver),
      keepMoving(url, new Draw(seededRandom(4)), ids, isOver),
      ...Array.from({ length: servers }, (_, server) => searchBy(server)),
    ])
    expect(wrong).toEqual([])
    expect(undone).toBeGreaterThan(0)
    expect(behind).toBeLessThan(asked)
    expect(matches).toBeGreaterThan(asked / 4)
  },
  timeoutOf(searches, 500),
)
