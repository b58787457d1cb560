import {
  type Expression,
  type Kysely,
  PostgresAdapter,
  type RawBuilder,
  type Selectable,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely'
import type { Page } from '../../paging.ts'
import type { Rows } from '../tables/rows.ts'

/** The row whose columns have these values, converted; undefined if there is none. */
export async function findRow<Table extends keyof Rows, Found>(
  db: Kysely<Rows>,
  table: Table,
  values: Partial<Selectable<Rows[Table]>>,
  convert: (row: Selectable<Rows[Table]>) => Found,
): Promise<Awaited<Found> | undefined> {
  const rows = db.selectFrom<keyof Rows>(table).selectAll()
  const row = await rows.where(({ and }) => and(values)).executeTakeFirst()
  return row && (await convert(row as Selectable<Rows[Table]>))
}

/** The rows of one page. */
export function paginate<Table extends keyof Rows, Row>(
  query: SelectQueryBuilder<Rows, Table, Row>,
  page: Page,
): SelectQueryBuilder<Rows, Table, Row> {
  return query.limit(page.num).offset(page.start - 1)
}

/** Number of rows of a query without columns. */
export async function count<Table extends keyof Rows>(
  query: SelectQueryBuilder<Rows, Table, Record<never, never>>,
): Promise<number> {
  const { total } = await query
    .select((expression) => expression.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

/** Whether a column contains the text. LIKE takes 40 times as long for text that repeats one letter, as measured. */
export function contains(db: Kysely<Rows>, column: Expression<string>, text: string): Expression<SqlBool> {
  const position = sql.raw(db.getExecutor().adapter instanceof PostgresAdapter ? 'strpos' : 'instr')
  return sql<SqlBool>`${position}(${column}, ${text}) > 0`
}

/** Values as one parameter of a statement. U+0000 and lone surrogates are replaced: neither engine reads them. */
export function toJson(values: readonly unknown[]): string {
  const json = JSON.stringify(values)
  if (!noText.test(json)) return json
  return JSON.stringify(values, (_, value) =>
    typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\ufffd') : value,
  )
}

/** Whether texts of the row are read as they were written. */
export function isStoredAsGiven(row: Readonly<Record<string, unknown>>): boolean {
  return !noText.test(JSON.stringify(row))
}

const noText = /\\u(0000|d[89a-f])/

/** Whether a column has one of the values, which are given as a JSON array: one statement for any number of them. */
export function isAmong(
  db: Kysely<Rows>,
  column: Expression<unknown>,
  json: string,
  type: 'bigint' | 'text',
): Expression<SqlBool> {
  return db.getExecutor().adapter instanceof PostgresAdapter
    ? sql<SqlBool>`${column} = any(array(select value::${sql.raw(type)} from json_array_elements_text(${json}::json)))`
    : sql<SqlBool>`${column} in (select value from json_each(${json}))`
}

/** Values of a column that has a JSON array of texts, as a part of a statement that is called `listed`. */
export function listedIn(db: Kysely<Rows>, column: Expression<unknown>): RawBuilder<unknown> {
  return db.getExecutor().adapter instanceof PostgresAdapter
    ? sql`jsonb_array_elements_text(${column}::jsonb) as listed(value)`
    : sql`json_each(${column}) as listed`
}

/** Rows of a JSON array of objects with these members, as a part of a statement that is called `given`. */
export function givenRows(
  db: Kysely<Rows>,
  json: string,
  columns: Readonly<Record<string, 'bigint' | 'integer' | 'text'>>,
): RawBuilder<unknown> {
  const names = Object.entries(columns)
  if (db.getExecutor().adapter instanceof PostgresAdapter) {
    const types = names.map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`)
    return sql`json_to_recordset(${json}::json) as given(${sql.join(types)})`
  }
  const values = names.map(([name]) => sql`value ->> ${sql.lit(name)} as ${sql.ref(name)}`)
  return sql`(select ${sql.join(values)} from json_each(${json})) as given`
}

/**
 * A condition that holds for each row that a search looks at, and fails the search when its deadline is exceeded;
 * undefined where the engine has a deadline of its own.
 */
export type DeadlineCondition = Expression<SqlBool> | undefined

/** The query with that condition. */
export function withinDeadline<Table extends keyof Rows, Row>(
  query: SelectQueryBuilder<Rows, Table, Row>,
  deadlineCondition: DeadlineCondition,
): SelectQueryBuilder<Rows, Table, Row> {
  return deadlineCondition ? query.where(deadlineCondition) : query
}

/** Checks the deadline of a search between loops that run no statement: fails if it is exceeded. */
export type Look = () => Promise<void>

/** Checks by a statement, as PostgreSQL enforces the deadline there; on the serving thread, other work goes on meanwhile. */
export function lookBy(db: Kysely<Rows>, deadlineCondition: DeadlineCondition): Look {
  return async () => void (await sql`select ${deadlineCondition ?? sql.lit(1)}`.execute(db))
}

/** Values between two checks of the deadline (chosen): some milliseconds. */
const valuesOfPart = 1_000

/** Goes through so many values in parts, and checks the deadline between them. */
export async function inParts(
  look: Look,
  length: number,
  goThrough: (from: number, to: number) => void,
  size = valuesOfPart,
): Promise<void> {
  for (let from = 0; from < length; from += size) {
    if (from > 0) await look()
    goThrough(from, Math.min(from + size, length))
  }
}
