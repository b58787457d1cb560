import { type Compilable, type Kysely, type RawBuilder, sql } from 'kysely'
import { isPostgres } from '../../../tables/catalog.ts'
import type { IndexRows } from '../../../tables/rows/search-index.ts'
import type { Rows } from '../../../tables/rows.ts'
import { prepared } from '../../prepared.ts'
import { givenRows, toJson } from '../../select.ts'
import { digestOf, type IndexDocument, toText, toTsvector } from './document.ts'

/** Tables of the index, and in SQLite the words of their rows. */
export const wordsOfIndex = {
  item_index: 'item_words',
  group_index: 'group_words',
  user_index: 'user_words',
} as const satisfies Record<keyof IndexRows, string>

/** A record in the index. */
export interface IndexedRecord<Table extends keyof IndexRows> {
  /** Columns of its row, without the derived ones. */
  readonly row: Omit<IndexRows[Table], 'digest' | 'keywords'>
  readonly document: IndexDocument
  /** Further tokens, which may be outdated: the search knows which of them are still exact. */
  readonly uncompared?: readonly string[]
  /** Codes of fields with whole folded values, for conditions that no token decides. */
  readonly keywords: readonly string[]
}

/**
 * Digest of everything in the record that is compared: records that are indexed alike have equal digests. It ends with the
 * digest of the document: many changes leave its tokens as they are, which cost the most to write.
 */
export function digestOfRecord<Table extends keyof IndexRows>({
  row,
  document,
  keywords,
}: IndexedRecord<Table>): string {
  const values = row as Readonly<Record<string, unknown>>
  const columns = Object.keys(values).sort()
  const rest = JSON.stringify([keywords, columns.map((name) => [name, values[name]])])
  return digestOf(rest) + digestOf(toText(document))
}

function haveSameTokens(digest: string, other: string): boolean {
  const half = digest.length / 2
  return digest.slice(half) === other.slice(half)
}

/** A record with the digest of its row of the index; undefined if there is none. */
export type KnownRecord<Table extends keyof IndexRows> = IndexedRecord<Table> & { readonly before: string | undefined }

/** Adds or replaces rows of the index, except unchanged ones. */
export async function putIndexRows<Table extends keyof IndexRows>(
  db: Kysely<Rows>,
  table: Table,
  records: readonly KnownRecord<Table>[],
): Promise<void> {
  const changes = records.flatMap((record) => findChange(record))
  if (changes.length === 0) return
  await (isPostgres(db) ? putOnPostgres(db, table, changes) : putOnSqlite(db, table, changes))
}

function findChange<Table extends keyof IndexRows>(record: KnownRecord<Table>): readonly Change[] {
  const { before } = record
  const digest = digestOfRecord(record)
  if (digest === before) return []
  const { number } = record.row
  const row = { ...record.row, digest, keywords: JSON.stringify(record.keywords) }
  const hasSameTokens = before !== undefined && haveSameTokens(before, digest)
  return [{ number, row, isNew: before === undefined, tokensOf: hasSameTokens ? undefined : record }]
}

interface Change {
  readonly number: number
  readonly row: Readonly<Record<string, unknown>>
  readonly isNew: boolean
  /** Undefined if the tokens stay. */
  readonly tokensOf: Tokens | undefined
}

type Tokens = Pick<IndexedRecord<keyof IndexRows>, 'document' | 'uncompared'>

async function putOnPostgres(db: Kysely<Rows>, table: keyof IndexRows, changes: readonly Change[]): Promise<void> {
  const { changeAll, putAll } = statementsOf[table]
  const staying = changes.filter(({ tokensOf }) => !tokensOf).map(({ row }) => row)
  if (staying.length > 0) await changeAll.run(db, { rows: toJson(staying) })
  const rows = changes.flatMap(({ row, tokensOf }) => {
    return tokensOf ? [{ ...row, tokens: toTsvector(tokensOf.document, tokensOf.uncompared) }] : []
  })
  if (rows.length > 0) await putAll.run(db, { rows: toJson(rows) })
}

/**
 * FTS5 gathers tokens in memory, and writes them before a statement that can be undone by itself, and before a row whose
 * number is less than that of the last one: so tokens are written last, in the order of their rows, new after former ones.
 */
async function putOnSqlite(db: Kysely<Rows>, table: keyof IndexRows, given: readonly Change[]): Promise<void> {
  const { put, removeWords, addWords } = statementsOf[table]
  const changes = given.toSorted((one, other) => one.number - other.number)
  for (const { row } of changes) await put.run(db, row)
  for (const { number, isNew, tokensOf } of changes) {
    if (!tokensOf) continue
    if (!isNew) await removeWords.run(db, { number })
    await addWords.run(db, { number, tokens: toText(tokensOf.document, tokensOf.uncompared) })
  }
}

/** The row of a group or a user. */
export async function findRow(db: Kysely<Rows>, table: 'group_index' | 'user_index', id: string) {
  return rowsOf[table].find.first(db, { id })
}

/** The row of a group or a user; it is added if there is none. */
export async function requireRow(db: Kysely<Rows>, table: 'group_index' | 'user_index', id: string) {
  return (await findRow(db, table, id)) ?? (await rowsOf[table].add.first(db, { id }))!
}

interface RowOfIndex {
  readonly number: number
  readonly digest: string
}

const rowsOf = {
  group_index: rowStatements('group_index', 'group_id'),
  user_index: rowStatements('user_index', 'user_id'),
} as const

function rowStatements(table: 'group_index' | 'user_index', name: string) {
  const [index, column] = [sql.table(table), sql.ref(name)]
  return {
    find: prepared((db, { id }: { id: string }) =>
      raw<RowOfIndex>(db, sql`select number, digest from ${index} where ${column} = ${id}`),
    ),
    // Digest and keywords are empty here: the caller writes them next.
    add: prepared((db, { id }: { id: string }) => {
      const [columns, values] = [sql.join([column, ...derived]), sql.join([id, ...derived.map(() => sql.lit(''))])]
      const tokens = isPostgres(db) ? [sql`, tokens`, sql`, ''::tsvector`] : [sql``, sql``]
      return raw<RowOfIndex>(
        db,
        sql`insert into ${index} (${columns}${tokens[0]}) values (${values}${tokens[1]}) returning number, digest`,
      )
    }),
  }
}

const derived = [sql.ref('digest'), sql.ref('keywords')] as const

const statementsOf = {
  item_index: statements('item_index', [
    'item_id',
    'created_at',
    'modified_at',
    'access',
    'type',
    'type_key',
    'tags',
    'categories',
  ]),
  group_index: statements('group_index', ['group_id']),
  user_index: statements('user_index', ['user_id']),
} as const

const numbers: readonly string[] = ['number', 'created_at', 'modified_at']

/** The statements of one table, each prepared once; rows of a JSON array only in PostgreSQL. */
function statements(table: keyof IndexRows, own: readonly string[]) {
  const columns = [...own, 'digest', 'keywords']
  const index = sql.table(table)
  const words = sql.table(wordsOfIndex[table])
  const names = (all: readonly string[]) => sql.join(all.map((name) => sql.ref(name)))
  const set = (all: readonly string[], from: string) =>
    sql.join(all.map((name) => sql`${sql.ref(name)} = ${sql.ref(`${from}.${name}`)}`))
  const typesOf = (all: readonly string[]) =>
    Object.fromEntries(all.map((name) => [name, numbers.includes(name) ? 'bigint' : 'text'] as const))
  return {
    put: prepared((db, row: Readonly<Record<string, unknown>>) => {
      const all = ['number', ...columns]
      const values = sql.join(all.map((name) => row[name]))
      return raw(
        db,
        sql`insert into ${index} (${names(all)}) values (${values})
          on conflict (number) do update set ${set(columns, 'excluded')}`,
      )
    }),
    putAll: prepared((db, { rows }: { rows: string }) => {
      const all = ['number', ...columns, 'tokens']
      const values = sql`${names(all.slice(0, -1))}, tokens::tsvector`
      return raw(
        db,
        sql`insert into ${index} (${names(all)}) select ${values} from ${givenRows(db, rows, typesOf(all))}
          on conflict (number) do update set ${set(all.slice(1), 'excluded')}`,
      )
    }),
    changeAll: prepared((db, { rows }: { rows: string }) =>
      raw(
        db,
        sql`update ${index} set ${set(columns, 'given')} from ${givenRows(db, rows, typesOf(['number', ...columns]))}
          where ${sql.ref(`${table}.number`)} = given.number`,
      ),
    ),
    removeWords: prepared((db, { number }: { number: number }) =>
      raw(db, sql`delete from ${words} where rowid = ${number}`),
    ),
    addWords: prepared((db, { number, tokens }: { number: number; tokens: string }) =>
      raw(db, sql`insert into ${words} (rowid, tokens) values (${number}, ${tokens})`),
    ),
  }
}

function raw<Row>(db: Kysely<Rows>, statement: RawBuilder<unknown>): Compilable<Row> {
  return { compile: () => statement.compile(db) as never }
}
