import { type Kysely, type RawBuilder, sql } from 'kysely'
import { usernameKey } from '../../directory/user.ts'
import { type Erased, mentions } from '../../directory/users/erasure.ts'
import { findReplaced, hasAny, namedColumns } from '../stores/personal-columns.ts'
import type { Rows } from '../tables/rows.ts'
import { primaryKeys, type TableName, tableNames } from '../tables/tables.ts'
import { type Row, readBatches } from './read-batches.ts'

/** Places in which something is kept of a person. */
export interface PersonReader {
  /** Keys of rows in which the program itself names a person. */
  named(erased: Erased): AsyncGenerator<{ readonly table: TableName; readonly keys: readonly Row[] }>
  /** Places of each other text with one of the names, as table, key and column. */
  mentions(names: readonly string[]): AsyncIterable<string>
  /** Own entry of an erasure that was interrupted. */
  findErasure(digest: string): Promise<{ readonly entry: number; readonly alias: string } | undefined>
  /** Organization of the last entry of the log that names the person. */
  findPortalId(names: readonly string[]): Promise<string | undefined>
  /** Rows that are kept of a person. */
  rowsOf(username: string): AsyncIterable<{ readonly table: TableName; readonly row: Row }>
}

const sortedTables = [...tableNames].sort((one, other) => Number(one === 'audit') - Number(other === 'audit'))

export function personReader(db: Kysely<Rows>): PersonReader {
  async function* listNamed({ names }: Erased) {
    for (const table of sortedTables) {
      const columns = (namedColumns[table] ?? []).filter((column) => column !== 'address')
      if (columns.length > 0) yield { table, batches: readBatches(db, table, undefined, hasAny(db, columns, names)) }
    }
  }
  return {
    async *named(erased) {
      for await (const { table, batches } of listNamed(erased)) {
        for await (const rows of batches) {
          const keys = rows.filter((row) => findReplaced(table, row, erased)).map((row) => keyOf(table, row))
          if (keys.length > 0) yield { table, keys }
        }
      }
    },
    async *mentions(names) {
      for (const table of tableNames) {
        const columns = (await columnsOf(db, table)).filter((column) => !derived.test(column))
        for await (const rows of readBatches(db, table, undefined, hasAny(db, columns, names))) {
          for (const row of rows) {
            const replaced = findReplaced(table, row, { names, alias: '' }) ?? {}
            const found = columns.filter((name) => !(name in replaced) && mentions(String(row[name] ?? ''), names))
            if (found.length > 0) yield `${table} (${await formatPlace(db, table, row)}): ${found.join(', ')}`
          }
        }
      }
    },
    async findErasure(digest) {
      const { rows } = await sql<{ id: number; target: string }>`select id, target from audit
        where operation = 'eraseUser' and data = ${JSON.stringify({ digest })} order by id limit 1`.execute(db)
      return rows[0] && { entry: rows[0].id, alias: rows[0].target.split('/').at(-1)! }
    },
    async findPortalId(names) {
      const { rows } = await sql<{ portal_id: string }>`select portal_id from audit where portal_id is not null
        and ${hasAny(db, ['username', 'target'], names)} order by id desc limit 1`.execute(db)
      return rows[0]?.portal_id
    },
    async *rowsOf(username) {
      const key = usernameKey(username)
      const user = await db.selectFrom('users').select('user_id').where('username_key', '=', key).executeTakeFirst()
      const erased = { names: [username], alias: '' }
      for (const table of sortedTables) {
        const columns = await columnsOf(db, table)
        const ids = user ? idColumns.filter((column) => columns.includes(column)) : []
        const conditions = [
          hasAny(db, namedColumns[table] ?? [], erased.names),
          ...ids.map((column) => sql`${sql.ref(column)} = ${user!.user_id}`),
          ...(user && linked[table] ? [linked[table](user.user_id)] : []),
        ]
        for await (const rows of readBatches(db, table, undefined, sql.join(conditions, sql` or `))) {
          for (const row of rows) {
            const isOfUser = linked[table] || ids.some((column) => row[column] === user!.user_id)
            if (isOfUser || findReplaced(table, row, erased)) yield { table, row }
          }
        }
      }
    },
  }
}

/** Columns with ids of users; in some tables, owners are groups and organizations. */
const idColumns = ['user_id', 'owner_id', 'starter_id', 'inviter_id', 'maker_id'] as const

/** Rows that belong to a user by other rows. */
const linked: { readonly [Table in TableName]?: (userId: string) => RawBuilder<unknown> } = {
  roles: (id) => sql`role_id in (select role from users where user_id = ${id})`,
  groups: (id) => sql`group_id in (select group_id from members where user_id = ${id})`,
  item_texts: (id) => sql`item_number in (select id from items where owner_id = ${id})`,
  item_categories: (id) => sql`item_number in (select id from items where owner_id = ${id})`,
  category_paths: (id) => sql`id in (select category_id from item_categories where item_number in
    (select id from items where owner_id = ${id}))`,
  oauth_apps: (id) => sql`item_id in (select item_id from items where owner_id = ${id})`,
}

/** Columns that repeat others, folded, or that no person can read. */
const derived = /_key$|_hash$|^sealed_|^checksum$/

async function columnsOf(db: Kysely<Rows>, table: TableName): Promise<readonly string[]> {
  const { rows } = await sql<Row>`select * from ${sql.table(table)} limit 1`.execute(db)
  return Object.keys(rows[0] ?? {})
}

/** The key of a row; of an item, the id that clients know. */
async function formatPlace(db: Kysely<Rows>, table: TableName, row: Row): Promise<string> {
  const number = { items: row['id'], item_texts: row['item_number'] }[table as string]
  const item = db
    .selectFrom('items')
    .select('item_id')
    .where('id', '=', Number(number ?? 0))
  const key = (await item.executeTakeFirst()) ?? keyOf(table, row)
  return Object.entries(key)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')
}

/** The primary key of a row. */
function keyOf(table: TableName, row: Row): Row {
  return Object.fromEntries(primaryKeys[table].map((name) => [name, row[name]!]))
}
