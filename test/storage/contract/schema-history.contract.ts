import { expect } from 'vitest'
import type { PathMoves } from '../../../src/categories/carried-paths.ts'
import type { VersionNote } from '../../../src/categories/history/version.ts'
import type { SchemaOwner } from '../../../src/categories/store.ts'
import type { WorkStorage } from '../work-storage.ts'
import { addPeople, anId, noon, type OpenStorage, testOn } from './records.ts'

const owner: SchemaOwner = { kind: 'group', groupId: anId(100) }
/** An owner with an equal id: data of one owner does not belong to the other. */
const other: SchemaOwner = { kind: 'portal', portalId: anId(100) }

const pathMoves: PathMoves = {
  rows: [{ id: 7, from: { path: '/Water', state: 'primary' }, to: { path: '/Sea, "Łódź"', state: 'merged' } }],
  lastId: 9,
  forward: [{ from: '/Water', to: '/Sea' }],
  back: [{ from: '/Sea', to: '/Water' }],
}
const noted: VersionNote = {
  action: 'restore',
  comment: 'Wörter 🐟',
  moves: [{ from: '/Water', to: '/Sea' }],
  pathMoves: [pathMoves, { ...pathMoves, rows: [] }],
  restoredFrom: 1,
}

/** Five versions: two that are assigned, a deletion, and two equal ones, of which the last has a note. */
async function addVersions(storage: WorkStorage): Promise<void> {
  await addPeople(storage)
  const { categories, schemaHistory } = storage
  await categories.putDocument(owner, '"one"', 'anna', noon, { trees: 1, categories: 2 })
  await categories.putDocument(owner, '"two"', 'bert', noon + 1)
  await categories.removeDocument(owner, 'anna', noon + 2)
  await categories.putDocument(owner, '"four"', 'anna', noon + 3, { trees: 1, categories: 4 })
  await categories.putDocument(owner, '"four"', 'bert', noon + 4, { trees: 1, categories: 4 })
  await schemaHistory.noteVersion(owner, 5, noted)
}

/** Versions of category schemas, as they are listed and read. */
export function schemaHistoryContract(open: OpenStorage): void {
  const test = testOn(open, addVersions)

  const plain = { comment: undefined, moves: [], restoredFrom: undefined }
  const first = {
    ...plain,
    version: 1,
    action: 'assign',
    modifiedAt: noon,
    author: 'anna',
    size: { trees: 1, categories: 2 },
  }
  const last = {
    version: 5,
    action: 'restore',
    modifiedAt: noon + 4,
    author: 'bert',
    comment: noted.comment,
    moves: noted.moves,
    restoredFrom: 1,
    size: { trees: 1, categories: 4 },
  }

  test('the versions of an owner are listed, the newest first, with their notes and sizes', async ({
    schemaHistory,
  }) => {
    const list = (start: number, num: number, of = owner) => schemaHistory.listVersions(of, { start, num })
    const { entries, ...kept } = await list(1, 10)
    expect(kept).toEqual({ total: 5, firstKept: 1 })
    expect(entries).toEqual([
      last,
      {
        ...plain,
        version: 4,
        action: 'assign',
        modifiedAt: noon + 3,
        author: 'anna',
        size: { trees: 1, categories: 4 },
      },
      {
        ...plain,
        version: 3,
        action: 'delete',
        modifiedAt: noon + 2,
        author: 'anna',
        size: { trees: 0, categories: 0 },
      },
      { ...plain, version: 2, action: 'assign', modifiedAt: noon + 1, author: 'bert', size: undefined },
      first,
    ])
    expect(await list(2, 2)).toEqual({ ...kept, entries: entries.slice(1, 3) })
    expect(await list(6, 2)).toEqual({ ...kept, entries: [] })
    expect(await list(1, 10, other)).toEqual({ total: 0, firstKept: 0, entries: [] })
  })

  test('a version is read with its document, also where it is that of the one before', async ({ schemaHistory }) => {
    const find = (version: number, of = owner) => schemaHistory.findVersion(of, version)
    expect(await find(1)).toEqual({ ...first, document: Buffer.from('"one"') })
    expect((await find(3))?.document).toBeUndefined()
    expect(await find(5)).toEqual({ ...last, document: Buffer.from('"four"') })
    expect([await find(0), await find(6), await find(1, other)]).toEqual([undefined, undefined, undefined])
    expect([await find(2 ** 31), await find(Number.MAX_SAFE_INTEGER)]).toEqual([undefined, undefined])
  })

  test('the head is the latest version, whether a schema is set or not', async ({ categories, schemaHistory }) => {
    const head = (of: SchemaOwner) => schemaHistory.findHead(of)
    const { version, modifiedAt, author, comment } = last
    expect(await head(owner)).toEqual({ version, isSet: true, modifiedAt, author, comment })
    expect(await head(other)).toBeUndefined()
    await categories.removeDocument(owner, 'anna', noon + 5)
    const removed = { version: 6, isSet: false, modifiedAt: noon + 5, author: 'anna', comment: undefined }
    expect(await head(owner)).toEqual(removed)
  })

  test('moves are those of the versions between, the newest first; what is removed is missing', async ({
    categories,
    schemaHistory,
  }) => {
    const moves = (after: number, upTo: number) => schemaHistory.listMoves(owner, after, upTo)
    const none = (version: number) => ({ version, moves: [], pathMoves: [] })
    const { moves: declared, pathMoves } = noted
    expect(await moves(3, 5)).toEqual([{ version: 5, moves: declared, pathMoves }, none(4)])
    expect(await moves(1, 3)).toEqual([none(3), none(2)])
    expect(await moves(5, 5)).toEqual([])
    await categories.removeOldVersions(owner, { versions: 3 })
    expect((await moves(0, 5)).map(({ version }) => version)).toEqual([5, 4])
  })
}
