/** Latency of a page of the log, with each kind of filter, in an organization with a million entries. */
import { join } from 'node:path'
import type { AuditFilter } from '../src/audit/filter.ts'
import { openPostgres as openPostgresStorage } from '../src/storage/postgres/postgres.ts'
import { openSqlite } from '../src/storage/sqlite/sqlite.ts'
import type { Storage, Stores } from '../src/storage/storage.ts'
import { openPostgres } from './postgres.ts'
import { type Result, type Run, resultOf } from './result.ts'
import { Folder } from './servers.ts'

/** Maximum milliseconds for a page with a filter, as the contract requires. */
const goal = 20

type Work = (stores: Stores) => Promise<unknown>
const runWork = (stores: Stores, work: Work) => work(stores)

const portalId = 'PortalOfMaps0001'
const noon = 1_768_478_400_000

const operations = ['updateItem', 'updateGroup', 'assignGroupCategorySchema', 'shareItem', 'deleteItem', 'updateUser']

/** Single filters by something common, rare and absent, and combinations whose parts are common but never occur together. */
const filters: Readonly<Record<string, AuditFilter>> = {
  everything: {},
  'one user': { actors: ['user7'] },
  'the user of half of it': { actors: ['admin'] },
  'one target': { id: '0'.repeat(27) + '00abc' },
  'one owner': { ownerIds: ['owner7'] },
  'one address': { addresses: ['192.0.2.7'] },
  'one operation': { actions: ['deleteItem'] },
  'a type that nothing has': { types: ['idp'] },
  'what was refused': { succeeded: false },
  'all that was done left out': { without: operations, succeeded: true },
  'a minute of the first day': { from: noon + 3e7, to: noon + 3.006e7 },
  'a user and an action, never together': { actors: ['user3'], actions: ['delete'] },
  'half and a sixth, never together': { actors: ['admin'], actions: ['delete'] },
  'the same in the first half': { actors: ['admin'], actions: ['delete'], to: noon + 5e8 },
  'half and two thirds of types, never together': { actors: ['admin'], types: ['u', 'r'], succeeded: true },
  'refused deletions of a day': { succeeded: false, actions: ['delete'], from: noon + 3e8, to: noon + 3.864e8 },
  'half with what it does left out': { actors: ['admin'], without: operations.slice(0, 4), succeeded: true },
  'two words': { words: ['user11', 'updateitem'] },
  'two words, never together': { words: ['admin', 'deleteitem'] },
  'what nothing has': { words: ['nothing'] },
  'all kinds together': {
    types: ['i', 'g'],
    actors: ['admin', 'user7'],
    ownerIds: ['owner7', 'owner8'],
    actions: ['update', 'share'],
    without: ['shareItem'],
    addresses: ['192.0.2.7'],
    succeeded: true,
    from: noon + 1e7,
    to: noon + 9e8,
    words: ['update', '192.0.2.7'],
  },
}

/** Runs on one engine, or on both. */
export async function* measureLog(run: Run, entries: number, engine?: string): AsyncIterable<Result> {
  if (engine !== 'postgres') {
    using folder = new Folder()
    const sqlite = await openSqlite<Work>(join(folder.path, 'log.db'), runWork)
    try {
      yield* measure(run, 'SQLite', sqlite, entries)
    } finally {
      await sqlite.close()
    }
  }
  if (engine === 'sqlite') return
  await using server = await openPostgres()
  const url = server.environment['DATABASE_URL']!
  const postgres = await openPostgresStorage<Work>({ url, connections: 4 }, runWork)
  try {
    yield* measure(run, 'PostgreSQL', postgres, entries)
  } finally {
    await postgres.close()
  }
}

async function* measure(run: Run, engine: string, storage: Storage<Work>, entries: number): AsyncIterable<Result> {
  const filling = performance.now()
  await fill(storage, Math.min(entries, run.maxRows))
  console.log(`${engine}: filled in ${((performance.now() - filling) / 1_000).toFixed(1)} s`)
  const begun = performance.now()
  await index(storage)
  console.log(`${engine}: indexed in ${((performance.now() - begun) / 1_000).toFixed(1)} s`)
  for (const [what, filter] of Object.entries(filters)) {
    const name = `a page of the log: ${what}, ${engine}`
    if (!name.includes(run.only)) continue
    yield await resultOf(
      {
        name,
        goal,
        direction: 'at most',
        unit: 'ms',
        async measure() {
          const times: number[] = []
          for (let round = 0; round < 4 * run.rounds; round += 1) {
            const from = performance.now()
            await storage.read(({ audit }) => audit.listEntries({ portalId, filter, order: 'desc', max: 26 }))
            times.push(performance.now() - from)
          }
          const sorted = times.slice(1).sort((one, other) => one - other)
          return { value: sorted[sorted.length >> 1]!, min: sorted[0]!, max: sorted.at(-1)! }
        },
      },
      run,
    )
  }
}

async function fill(storage: Storage<Work>, entries: number): Promise<void> {
  const ofTransaction = 20_000
  for (let from = 0; from < entries; from += ofTransaction) {
    await storage.write(async ({ audit }) => {
      for (let at = from; at < Math.min(entries, from + ofTransaction); at += 1) await audit.add(entryOf(at))
    }, performance.now() + 600_000)
  }
}

function entryOf(at: number) {
  const isAdmin = at % 2 === 1
  const user = (at * 7_919) % 499
  const username = isAdmin ? 'admin' : `user${user}`
  const id = ((at * 31) % 50_000).toString(16).padStart(32, '0')
  const operation = operations[isAdmin ? (at >> 1) % 4 : user === 3 ? 0 : at % operations.length]!
  return {
    at: noon + at * 1_000,
    username,
    portalId,
    address: `192.0.2.${user % 200}`,
    operation,
    target: operation.includes('Item')
      ? `/content/users/${username}/items/${id}/update`
      : `/community/groups/${id}/update`,
    outcome: at % 23 === 0 ? 403 : 200,
    requestId: id,
    ownerId: `owner${at % 97}`,
    data: { version: at, from: at - 1 },
  }
}

async function index(storage: Storage<Work>): Promise<void> {
  while ((await storage.write(({ audit }) => audit.indexEntries(1_000), performance.now() + 600_000)) !== 0);
}
