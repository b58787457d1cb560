/** Comparison of a server with a million groups and one with a thousand, beside a floor with as many documents. */
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { type Costs, costsOf, growthOf, mediansOf, type Turn } from './costs.ts'
import { type Part, type Result, type Run, resultsOf } from './result.ts'
import {
  createGroups,
  Folder,
  floorGroups,
  floorTarget,
  openFloor,
  openService,
  post,
  type Server,
  signIn,
} from './servers.ts'
import { assign, putForReading, type Round, read, smallSchema } from './work.ts'

const [few, many] = [1_000, 1_000_000]
/** Microseconds that a request may take longer with the largest number of groups. */
const goal = 40

type Kind = 'read' | 'assign'
type Names = `${'service' | 'floor'}, ${'few' | 'many'}`
type Seen = Readonly<Record<Kind, Readonly<Record<Names, Costs>>>>

const parts: readonly Part<Seen>[] = (['read', 'assign'] as const).flatMap((kind): readonly Part<Seen>[] => [
  {
    name: `growth: ${kind}, 14 categories, 1,000,000 groups`,
    goal,
    direction: 'at most',
    unit: 'µs more than with 1,000',
    figure: (seen) => ({
      ...growthOf(seen[kind]['service, many'], seen[kind]['service, few']),
      costs: mediansOf(seen[kind]),
    }),
  },
  {
    name: `growth: ${kind}, the floor with 1,000,000 documents`,
    direction: 'at most',
    unit: 'µs more than with 1,000',
    figure: (seen) => growthOf(seen[kind]['floor, many'], seen[kind]['floor, few']),
  },
])

export async function* measureGrowth(run: Run): AsyncIterable<Result> {
  yield* resultsOf(parts, run, () => measure(run))
}

async function measure(run: Run): Promise<Seen> {
  const most = Math.min(many, run.maxRows)
  await using stack = new AsyncDisposableStack()
  const use = async (opening: Promise<Server>) => stack.use(await opening)
  const servers: Readonly<Record<Names, Server>> = {
    'service, few': await use(openFilled(few, run.checkout)),
    'service, many': await use(openFilled(most, run.checkout)),
    'floor, few': await use(openFilledFloor(few)),
    'floor, many': await use(openFilledFloor(most)),
  }
  const round = { connections: 32, order: 'random' } as const
  const turns = (work: (server: Server, round: Round) => ReturnType<typeof read>) =>
    Object.fromEntries(
      Object.entries(servers).map(([name, server]): [string, Turn] => [
        name,
        { server, work: (milliseconds) => work(server, { ...round, milliseconds }) },
      ]),
    ) as Record<Names, Turn>
  return {
    read: await costsOf(run, turns(read)),
    assign: await costsOf(
      run,
      turns((server, given) => assign(server, smallSchema, given)),
    ),
  }
}

const bytes = '1000000000000'
/** One user owns all groups. */
const unlimited = { LIMIT_ITEM_BYTES_PER_USER: bytes, LIMIT_ITEM_BYTES_PER_ORGANIZATION: bytes }

async function openFilled(size: number, checkout: string): Promise<Server> {
  const folder = new Folder()
  console.log(`Filling a database with ${size.toLocaleString('en')} groups …`)
  const groupIds = await fill(folder, size, checkout)
  const service = await openService({ ...folder.environment, ...unlimited }, 'first', checkout)
  const end = () => service[Symbol.asyncDispose]().then(() => folder[Symbol.dispose]())
  return { ...service, token: await signIn(service), groupIds, [Symbol.asyncDispose]: end }
}

async function openFilledFloor(size: number): Promise<Server> {
  const folder = new Folder()
  const file = join(folder.path, 'floor.db')
  const once = { connections: 1, milliseconds: 0, order: 'sequential' } as const
  {
    await using floor = await openFloor(file, '--log')
    await putForReading(floorTarget(floor.port, floorGroups(1)), smallSchema, once)
  }
  using database = openUnsafe(file)
  database.exec(`
    with recursive number (n) as (select 1 union all select n + 1 from number where n < ${size - 1})
    insert into documents select replace(path, '${'0'.repeat(32)}', printf('%032d', n)), document
    from number cross join documents where path like '%/${'0'.repeat(32)}'`)
  const running = await openFloor(file, '--log')
  const end = () => running[Symbol.asyncDispose]().then(() => folder[Symbol.dispose]())
  return { ...running, ...floorTarget(running.port, floorGroups(size)), [Symbol.asyncDispose]: end }
}

/**
 * Fills a database with this many groups, each with a schema. The operations create the first; its rows are
 * copied in each table that has the id of a group in a column.
 */
export async function fill(folder: Folder, size: number, checkout: string): Promise<readonly string[]> {
  const first = await makeGroup(folder, checkout)
  using database = openUnsafe(join(folder.path, 'service.db'))
  const tables = database
    .prepare(`select name from sqlite_master where type = 'table' and sql like 'create table%'`)
    .pluck()
    .all() as string[]
  const copied = tables.flatMap((table) => {
    const columns = database.pragma(`table_info(${table})`) as { name: string; type: string; pk: number }[]
    const column = columns.find(({ name }) => {
      return database.prepare(`select 1 from ${table} where typeof(${name}) = 'text' and ${name} = ?`).get(first)
    })?.name
    // A table with an integer primary key is an index that is built later.
    const hasNumbers = columns.some(({ type, pk }) => pk === 1 && type.toLowerCase() === 'integer')
    return column === undefined || hasNumbers ? [] : [{ table, column, names: columns.map(({ name }) => name) }]
  })
  database.exec('create temp table new_groups (id text primary key) without rowid')
  database.exec(`
    with recursive number (n) as (select 1 union all select n + 1 from number where n < ${size - 1})
    insert into new_groups select lower(hex(randomblob(16))) from number`)
  database.transaction(() => {
    for (const { table, column, names } of copied) {
      const values = names.map((name) => (name === column ? 'new_groups.id' : `copied.${name}`))
      database
        .prepare(
          `insert into ${table} (${names.join(', ')}) select ${values.join(', ')}
           from new_groups cross join ${table} copied where copied.${column} = ?`,
        )
        .run(first)
    }
  })()
  return [first, ...(database.prepare('select id from new_groups order by id').pluck().all() as string[])]
}

async function makeGroup(folder: Folder, checkout: string): Promise<string> {
  await using service = await openService(folder.environment, 'first', checkout)
  const token = await signIn(service)
  const [group] = await createGroups(service, token, 1)
  const path = `/community/groups/${group}/assignCategorySchema`
  await post(service, path, { categorySchema: smallSchema, token })
  return group!
}

/** Nothing is flushed to disk: an interrupted bench fills another database. */
function openUnsafe(file: string) {
  const database = new Database(file)
  database.pragma('synchronous = off')
  database.pragma('foreign_keys = off')
  return Object.assign(database, { [Symbol.dispose]: () => void database.close() })
}

/** Prepares a function that inserts a row into the table. */
export function adder<Row extends object>(database: Database.Database, table: string): (row: Row) => void {
  const columns = database.pragma(`table_info(${table})`) as { name: string }[]
  const names = columns.map(({ name }) => name)
  const insert = database.prepare(
    `insert into ${table} (${names.join(', ')}) values (${names.map((name) => `@${name}`).join(', ')})`,
  )
  // Another checkout may have other columns.
  const nothing = Object.fromEntries(names.map((name) => [name, null]))
  return (row) => insert.run({ ...nothing, ...row })
}
