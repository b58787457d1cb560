import { type Compilable, type Kysely, type RawBuilder, sql } from 'kysely'
import { isPostgres } from '../../tables/catalog.ts'
import type { IndexRows, Rows } from '../../tables/rows.ts'
import { prepared } from '../prepared.ts'
import { digestOf, type IndexDocument, toText, toTsvector } from './document.ts'

/** Tables of the index, and in SQLite the words of their rows. */
export const wordsOfIndex = {
  item_index: 'item_words',
  group_index: 'group_words',
  user_index: 'user_words',
} as const satisfies Record<keyof IndexRows, string>

/** What the index has of one record. */
export interface IndexedRecord<Table extends keyof IndexRows> {
  /** Its columns, without those that follow from the document. */
  readonly row: Omit<IndexRows[Table], 'digest' | 'keywords'>
  readonly document: IndexDocument
  /** Further tokens, which may be those of an earlier time: the search knows which of them are still exact. */
  readonly uncompared?: readonly string[]
  /** Codes of fields with whole folded values, for what no token answers. */
  readonly keywords: readonly string[]
}

/** Digest of everything in the record that is compared: two that are indexed alike have the same. */
export function digestOfRecord<Table extends keyof IndexRows>({
  row,
  document,
  keywords,
}: IndexedRecord<Table>): string {
  return digestOf(JSON.stringify([toText(document), keywords, Object.entries(row).sort()]))
}

/** Adds or replaces a row of the index, unless nothing in it has changed. */
export async function putIndexRow<Table extends keyof IndexRows>(
  db: Kysely<Rows>,
  table: Table,
  record: IndexedRecord<Table>,
): Promise<void> {
  const digest = digestOfRecord(record)
  const statements = statementsOf[table]
  const known = await statements.findDigest.first(db, { number: record.row.number })
  if (known?.digest === digest) return
  const row = { ...record.row, digest, keywords: JSON.stringify(record.keywords) }
  if (isPostgres(db))
    return void (await statements.putWithTokens.run(db, {
      ...row,
      tokens: toTsvector(record.document, record.uncompared),
    }))
  if (known) await statements.removeWords.run(db, { number: record.row.number })
  await statements.put.run(db, row)
  await statements.addWords.run(db, { number: record.row.number, tokens: toText(record.document, record.uncompared) })
}

/** Number of the row of a group or a user; the row is added if there is none. */
export async function toNumber(db: Kysely<Rows>, table: 'group_index' | 'user_index', id: string): Promise<number> {
  const known = await numbersOf[table].find.first(db, { id })
  return (known ?? (await numbersOf[table].add.first(db, { id })))!.number
}

const numbersOf = {
  group_index: numbers('group_index', 'group_id'),
  user_index: numbers('user_index', 'user_id'),
} as const

function numbers(table: 'group_index' | 'user_index', name: string) {
  const [index, column] = [sql.table(table), sql.ref(name)]
  return {
    find: prepared((db, { id }: { id: string }) =>
      raw<{ number: number }>(db, sql`select number from ${index} where ${column} = ${id}`),
    ),
    // Digest and keywords follow at once.
    add: prepared((db, { id }: { id: string }) => {
      const [columns, values] = [sql.join([column, ...derived]), sql.join([id, ...derived.map(() => sql.lit(''))])]
      const tokens = isPostgres(db) ? [sql`, tokens`, sql`, ''::tsvector`] : [sql``, sql``]
      return raw<{ number: number }>(
        db,
        sql`insert into ${index} (${columns}${tokens[0]}) values (${values}${tokens[1]}) returning number`,
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

/** The statements of one table, each prepared once. */
function statements(table: keyof IndexRows, own: readonly string[]) {
  const columns = ['number', ...own, 'digest', 'keywords']
  type Given = Readonly<Record<string, unknown>>
  const put = (given: Given, tokens: readonly string[]) => {
    const names = [...columns, ...tokens]
    const values = names.map((name) => (name === 'tokens' ? sql`${given[name]}::tsvector` : sql`${given[name]}`))
    const set = names.slice(1).map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`)
    return sql`insert into ${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))}) values (${sql.join(values)})
      on conflict (number) do update set ${sql.join(set)}`
  }
  const words = sql.table(wordsOfIndex[table])
  return {
    findDigest: prepared((db, { number }: { number: number }) =>
      raw<{ digest: string }>(db, sql`select digest from ${sql.table(table)} where number = ${number}`),
    ),
    put: prepared((db, given: Given) => raw(db, put(given, []))),
    putWithTokens: prepared((db, given: Given) => raw(db, put(given, ['tokens']))),
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
