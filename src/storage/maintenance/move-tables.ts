import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { DEFAULT_MIGRATION_LOCK_TABLE, DEFAULT_MIGRATION_TABLE } from 'kysely/migration'
import { DatabaseError } from 'pg'
import { reasonOf } from '../../errors.ts'
import { toSqliteRefusal } from '../sqlite/reading.ts'
import { StorageUnavailable } from '../storage.ts'
import { emptyLogIndex } from '../stores/audit/log-index.ts'
import { rebuildIndex } from '../stores/items/index/rebuild.ts'
import { recountAccounts } from '../stores/items/item-counts.ts'
import { recountTags, sumUpTags } from '../stores/items/item-tags.ts'
import { findMigrationState, isPostgres, listTables, otherVersion } from '../tables/catalog.ts'
import { migrate } from '../tables/migrate.ts'
import type { Rows } from '../tables/rows.ts'
import {
  indexTables,
  indexTablesOfPostgres,
  indexTablesOfSqlite,
  numberedTables,
  primaryKeys,
  type TableName,
  tableNames,
} from '../tables/tables.ts'
import { beginMove, findUnfinishedMove, finishMove } from '../tables/unfinished-move.ts'
import type { MoveEnd } from './move-end.ts'
import { type Row, readBatches } from './read-batches.ts'
import { countRows, countRowsOf, sumTables, type TableSum } from './table-sums.ts'

/** Stages of a move, in order. */
export type MoveStage = 'Reading the source' | 'Copying' | 'Reading the target' | 'Indexing' | 'Comparing'

/** Called after each batch; may throw to stop the move. */
export type OnMoved = (stage: MoveStage, rows: number, total: number) => void

/**
 * Rebuilds the index of the search, the counts of tags and those of items and bytes, and empties the index of the log, which servers rebuild. Resolves with
 * the number of items, groups and users.
 */
export async function rebuildIndexOf(end: MoveEnd, onMoved: OnMoved): Promise<number> {
  await end.claim()
  const db = await end.beginWriting()
  await requireSource(db, end.label, startServerOnce)
  await emptyLogIndex(db)
  await recountTags(db)
  await recountAccounts(db)
  return rebuildIndex(db, (records, total) => onMoved('Indexing', records, total))
}

/**
 * Copies every row of a database into another one, which has to be empty or to hold an unfinished move of the same source,
 * and compares both afterwards. Resolves with the number of rows.
 *
 * Rows are copied in the order of their primary keys, in batches of one transaction each, so an interrupted move resumes
 * after the last row of the target. `adviceOnOlder` is what the refusal of a source with tables of an older version
 * advises.
 */
export async function moveTables(
  from: MoveEnd,
  to: MoveEnd,
  onMoved: OnMoved,
  adviceOnOlder = startServerOnce,
): Promise<number> {
  try {
    return await move(from, to, onMoved, adviceOnOlder)
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw toSqliteRefusal(error)
    throw new StorageUnavailable(`The database refused the statement: ${error.message}.`, { cause: error })
  }
}

const startServerOnce = "start this version's server on it once, then stop it"

async function move(from: MoveEnd, to: MoveEnd, onMoved: OnMoved, adviceOnOlder: string): Promise<number> {
  if (from.identity === to.identity) throw new StorageUnavailable('The source and the target are the same database.')
  await from.claim()
  const source = await from.beginReading()
  await requireSource(source, from.label, adviceOnOlder)
  await to.claim()
  const target = await to.beginWriting()
  // Fails early, before everything is read.
  await requireEmptyOrBegun(target, to.label)

  const total = await countRows(source)
  const sums = await sumTables(source, (rows) => onMoved('Reading the source', rows, total))
  await prepareTarget(target, { source: from.label, target: to.label, fingerprint: fingerprintOf(sums) })
  let copied = 0
  for (const table of tableNames) {
    await copyTable(source, target, table, (rows) => {
      copied += rows
      onMoved('Copying', copied, total)
    })
  }
  await continueNumbers(target)
  const held = await sumTables(target, (rows) => onMoved('Reading the target', rows, total))
  requireEqual(sums, held)
  await rebuildIndex(target, (records, total) => onMoved('Indexing', records, total))
  while (await sumUpTags(target));
  await recountAccounts(target)
  // Until PostgreSQL analyzes by itself, its plans would be those for empty tables.
  if (isPostgres(target)) await sql`analyze`.execute(target)
  await finishMove(target)
  return total
}

async function requireSource(source: Kysely<Rows>, label: string, adviceOnOlder: string): Promise<void> {
  const state = await findMigrationState(source)
  if (!state) throw new StorageUnavailable(`${label} is not a Cartulary database.`)
  if (state.unknown.length > 0) {
    throw new StorageUnavailable(otherVersion(label, state.unknown[0]!))
  }
  if (state.missing.length > 0) {
    throw new StorageUnavailable(`${label} has the tables of an older version of Cartulary; ${adviceOnOlder}.`)
  }
  const move = await findUnfinishedMove(source)
  if (move) throw new StorageUnavailable(`${label} is itself the target of an unfinished move from ${move.source}.`)
}

/** Refuses a target that is neither empty nor the target of an unfinished move. */
async function requireEmptyOrBegun(target: Kysely<Rows>, label: string): Promise<void> {
  if (await findUnfinishedMove(target)) return
  const own: readonly string[] = [
    DEFAULT_MIGRATION_TABLE,
    DEFAULT_MIGRATION_LOCK_TABLE,
    ...tableNames,
    ...indexTables,
    ...indexTablesOfPostgres,
    ...indexTablesOfSqlite,
  ]
  const there = await listTables(target)
  const foreign = there.find((name) => !own.includes(name))
  if (foreign) throw new StorageUnavailable(`${label} is not empty: it has a table ${foreign}.`)
  for (const table of tableNames.filter((name) => there.includes(name))) {
    if ((await countRowsOf(target, table)) > 0) {
      throw new StorageUnavailable(`${label} is not empty: there are rows in its table ${table}.`)
    }
  }
}

async function prepareTarget(
  db: Kysely<Rows>,
  { source, target, fingerprint }: { source: string; target: string; fingerprint: string },
): Promise<void> {
  const begun = await findUnfinishedMove(db)
  if (!begun) {
    await migrate(db)
    return beginMove(db, { source, fingerprint })
  }
  if (begun.fingerprint !== fingerprint) {
    const what = begun.source === source ? `${source} has changed since` : `its source was ${begun.source}`
    throw new StorageUnavailable(
      `${target} holds an unfinished move, but ${what}; remove that database and begin again with an empty one.`,
    )
  }
  const state = await findMigrationState(db)
  if (!state || state.missing.length + state.unknown.length > 0) {
    throw new StorageUnavailable(
      `${target} holds a move that another version of Cartulary began; finish it with that version, or begin again with an empty database.`,
    )
  }
}

/** Copies the rows after the last one that the target has. */
async function copyTable(
  source: Kysely<Rows>,
  target: Kysely<Rows>,
  table: TableName,
  onCopied: (rows: number) => void,
): Promise<void> {
  const last = await findLast(target, table)
  if (last) onCopied(await countRowsOf(target, table))
  for await (const rows of readBatches(source, table, last)) {
    await insertRows(target, table, rows)
    onCopied(rows.length)
  }
}

/** The row with the highest primary key. */
async function findLast(db: Kysely<Rows>, table: TableName): Promise<Row | undefined> {
  const backwards = sql.join(primaryKeys[table].map((name) => sql`${sql.ref(name)} desc`))
  const { rows } = await sql<Row>`select * from ${sql.table(table)} order by ${backwards} limit 1`.execute(db)
  return rows[0]
}

/** Bounds the parameters of a statement, and lets full batches share one prepared statement. */
const rowsOfStatement = 64

async function insertRows(db: Kysely<Rows>, table: TableName, rows: readonly Row[]): Promise<void> {
  const names = Object.keys(rows[0]!)
  const columns = sql.join(names.map((name) => sql.ref(name)))
  try {
    await db.transaction().execute(async (transaction) => {
      for (let begin = 0; begin < rows.length; begin += rowsOfStatement) {
        const tuples = rows.slice(begin, begin + rowsOfStatement).map((row) => {
          return sql`(${sql.join(names.map((name) => row[name]))})`
        })
        await sql`insert into ${sql.table(table)} (${columns}) values ${sql.join(tuples)}`.execute(transaction)
      }
    })
  } catch (error) {
    if (error instanceof StorageUnavailable) throw error
    throw new StorageUnavailable(`Rows of the table ${table} cannot be copied: ${reasonOf(error)}.`, { cause: error })
  }
}

/** Sets PostgreSQL's sequences to the highest copied id; SQLite does so by itself. */
async function continueNumbers(db: Kysely<Rows>): Promise<void> {
  if (!isPostgres(db)) return
  for (const table of numberedTables) {
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'), max(id)) from ${sql.table(table)} having max(id) > 0`.execute(
      db,
    )
  }
}

function fingerprintOf(sums: readonly TableSum[]): string {
  return createHash('sha256').update(JSON.stringify(sums)).digest('hex')
}

function requireEqual(sums: readonly TableSum[], held: readonly TableSum[]): void {
  for (const [index, { table, rows, digest }] of sums.entries()) {
    const other = held[index]!
    if (other.rows === rows && other.digest === digest) continue
    const how =
      other.rows === rows
        ? `its ${rows} rows are not those of the source`
        : `it has ${other.rows} rows and the source has ${rows}`
    throw new StorageUnavailable(
      `The table ${table} of the target is not equal to the source: ${how}. The target stays marked as unfinished; remove that database and begin again with an empty one.`,
    )
  }
}
