/** Whether a server with a million groups is as fast as one with a thousand. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { CategorySchemaRow, CategorySchemaVersionRow } from '../src/storage/tables/rows/categories.ts'
import type { GroupRow, MemberRow } from '../src/storage/tables/rows/directory.ts'
import { type Figure, figureOf, medianOf, type Result, type Run, resultOf } from './result.ts'
import { Folder, openService, signIn } from './servers.ts'
import { assign, type Round, read, smallSchema } from './work.ts'

const sizes = [1_000, 100_000, 1_000_000]

interface Filled {
  readonly folder: Folder
  readonly groupIds: readonly string[]
  readonly writes: number[]
  readonly reads: number[]
}

/** Rounds of all sizes in turn, each with a server that was just started. */
export async function* measureGrowth(run: Run): AsyncIterable<Result> {
  using stack = new DisposableStack()
  const databases: Filled[] = []
  for (const size of sizes) {
    const folder = stack.use(new Folder())
    console.log(`Filling a database with ${size.toLocaleString('en')} groups …`)
    databases.push({ folder, groupIds: await fill(folder, size), writes: [], reads: [] })
  }
  for (let number = 0; number < run.rounds; number += 1) {
    for (const database of databases) await measure(database, run)
  }
  const [smallest, ...others] = databases
  for (const kind of ['writes', 'reads'] as const) {
    for (const database of others) {
      const name = `${kind}, ${database.groupIds.length.toLocaleString('en')} groups`
      const row = { name, goal: 0.8, direction: 'at least', unit: '× 1,000 groups' } as const
      yield await resultOf({ ...row, measure: async () => compare(database[kind], smallest![kind]) }, run)
    }
  }
}

function compare(many: readonly number[], few: readonly number[]): Figure {
  return {
    ...figureOf(many.map((rate, round) => rate / few[round]!)),
    parts: { service: medianOf(many), floor: medianOf(few) },
  }
}

async function measure({ folder, groupIds, writes, reads }: Filled, run: Run): Promise<void> {
  await using service = await openService(folder.environment)
  const target = { port: service.port, token: await signIn(service), groupIds }
  const warm: Round = { connections: 32, milliseconds: run.warmMilliseconds, order: 'random' }
  const round: Round = { ...warm, milliseconds: run.milliseconds }
  await read(target, warm)
  reads.push((await read(target, round)).perSecond)
  await assign(target, smallSchema, warm)
  writes.push((await assign(target, smallSchema, round)).perSecond)
}

/** A database with so many groups, each with a schema, as if the operations had made them. */
export async function fill(folder: Folder, size: number, checkout?: string): Promise<readonly string[]> {
  await (await openService(folder.environment, 'first', checkout))[Symbol.asyncDispose]()
  const database = new Database(join(folder.path, 'service.db'))
  const { user_id, portal_id } = database.prepare('select user_id, portal_id from users').get() as {
    user_id: string
    portal_id: string
  }
  const groupIds = Array.from({ length: size }, () => randomBytes(16).toString('hex')).sort()
  const addGroup = adder<GroupRow>(database, 'groups')
  const addMember = adder<MemberRow>(database, 'members')
  const addSchema = adder<CategorySchemaRow>(database, 'category_schemas')
  const addVersion = adder<CategorySchemaVersionRow>(database, 'category_schema_versions')
  const now = Date.now()
  database.transaction(() => {
    for (const [index, group_id] of groupIds.entries()) {
      addGroup({ ...anyGroup, ...named(`Group ${index}`), group_id, portal_id, owner_id: user_id })
      addMember({ group_id, user_id, member_type: 'owner', joined_at: now })
      const owner = { owner_kind: 'group', owner_id: group_id, version: 1 }
      addSchema({ ...anySchema, ...owner, portal_id, assigned_at: now })
      addVersion({ ...anyVersion, ...owner, document: smallSchema, author: 'admin', assigned_at: now })
    }
  })()
  database.close()
  return groupIds
}

/** A function that inserts a row into the table. */
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

function named(title: string) {
  return { title, title_key: title.toLowerCase() }
}

const anySchema = {
  is_set: 1,
  document_version: 1,
  checksum: -1,
  kept_versions: 1,
  kept_bytes: Buffer.byteLength(smallSchema),
  removable_since: null,
  group_deleted_at: null,
} as const

const anyVersion = {
  same_as: null,
  trees: 1,
  categories: 1,
  action: null,
  comment: null,
  moves: null,
  path_moves: null,
  restored_from: null,
} as const

const anyGroup = {
  description: '',
  snippet: '',
  tags: '[]',
  access: 'private',
  sort_field: 'title',
  sort_order: 'asc',
  is_view_only: 0,
  is_invitation_only: 0,
  auto_join: 0,
  is_protected: 0,
  gives_item_control: 0,
  is_leaving_disallowed: 0,
  hides_members: 0,
  membership_access: 'org',
  shown_item_types: '',
  phone: '',
  created_at: 0,
  modified_at: 0,
} as const
