import { type Kysely, sql } from 'kysely'
import { termsOf } from '../../../audit/filter.ts'
import { indexBlock } from '../../../audit/log-index.ts'
import type { AuditReader, AuditStore, IndexedBlock, LogBlock } from '../../../audit/store.ts'
import type { StoredEntry } from '../../../call/audit-entry.ts'
import { isPostgres } from '../../tables/catalog.ts'
import type { AuditTermRow } from '../../tables/rows/audit.ts'
import type { AuditIndexRows, Rows } from '../../tables/rows.ts'
import { prepared } from '../prepared.ts'
import { count } from '../select.ts'
import { toEntry } from './audit-rows.ts'
import { addEncoded, blockSize, encodePositions, listPositions, noPositions } from './positions.ts'

/** The index of the log: for each organization, term and block of entries, the positions of the entries in the block. */

export type IndexedAudit = Kysely<Rows & AuditIndexRows>

export function blockOf(number: number): number {
  return Math.floor(number / blockSize)
}

/** Number of the first entry that is not indexed: those from there on are looked at one by one. */
export async function findIndexEnd(db: IndexedAudit): Promise<number> {
  const last = await db.selectFrom('audit_blocks').select('block').orderBy('block', 'desc').limit(1).executeTakeFirst()
  return last ? (last.block + 1) * blockSize : 0
}

/** Entries whose numbers are in the block. */
function entriesOf(db: Kysely<Rows>, block: number) {
  const first = block * blockSize
  return db.selectFrom('audit').where((row) => row.between('id', first, first + blockSize - 1))
}

async function readBlock(db: Kysely<Rows>, block: number): Promise<LogBlock> {
  const rows = await entriesOf(db, block).selectAll().orderBy('id').execute()
  return { block, firstNumber: block * blockSize, entries: rows.map(toEntry) }
}

/** Most rows of one statement: SQLite takes 32,766 values, PostgreSQL 65,535. */
const mostRows = 1_000

type Index = Pick<AuditReader, 'findEnd' | 'listWriters' | 'findUnindexed' | 'countDisagreements'> &
  Pick<AuditStore, 'addBlock'>

export function auditIndex(given: Kysely<Rows>): Index {
  const db = given.withTables<AuditIndexRows>()
  return {
    async findEnd() {
      const last = await db.selectFrom('audit').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
      return { last: last?.id ?? 0, writers: await listWriters(db) }
    },
    listWriters: () => listWriters(db),
    async findUnindexed(last) {
      const next = await db
        .selectFrom('audit')
        .select('id')
        .where('id', '>=', await findIndexEnd(db))
        .orderBy('id')
        .limit(1)
        .executeTakeFirst()
      if (!next || (blockOf(next.id) + 1) * blockSize - 1 > last) return undefined
      return readBlock(given, blockOf(next.id))
    },
    async countDisagreements() {
      const blocks = await db.selectFrom('audit_blocks').select('block').execute()
      let [expected, right] = [0, 0]
      for (const { block } of blocks) {
        const rows = rowsOf(indexBlock(await readBlock(given, block)))
        expected += rows.length
        right += await countEqual(db, rows)
      }
      const { total } = await db
        .selectFrom('audit_terms')
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow()
      return expected - right + Math.max(0, Number(total) - expected)
    },
    async addBlock(indexed) {
      const { block, firstAt, lastAt, size } = indexed
      if ((await findIndexEnd(db)) > block * blockSize) return false
      if ((await count(entriesOf(given, block))) !== size) return false
      const rows = rowsOf(indexed)
      await insertTerms(given, rows)
      await db.insertInto('audit_blocks').values({ block, first_at: firstAt, last_at: lastAt }).execute()
      return true
    },
  }
}

/** In SQLite one by one, as a statement of many rows is compiled each time; in PostgreSQL with few round trips. */
async function insertTerms(db: Kysely<Rows>, rows: readonly AuditTermRow[]): Promise<void> {
  if (!isPostgres(db)) {
    for (const row of rows) await insertTerm.run(db, row)
    return
  }
  const terms = db.withTables<AuditIndexRows>()
  for (let at = 0; at < rows.length; at += mostRows) {
    await terms
      .insertInto('audit_terms')
      .values(rows.slice(at, at + mostRows))
      .execute()
  }
}

const insertTerm = prepared((db, row: AuditTermRow) =>
  db
    .withTables<AuditIndexRows>()
    .insertInto('audit_terms')
    .values({ portal_id: row.portal_id, term: row.term, block: row.block, positions: row.positions }),
)

/** How many of the rows the index has as they are. */
async function countEqual(db: IndexedAudit, rows: readonly AuditTermRow[]): Promise<number> {
  let equal = 0
  for (const [portalId, some] of Map.groupBy(rows, ({ portal_id }) => portal_id)) {
    for (let at = 0; at < some.length; at += mostRows) {
      const part = some.slice(at, at + mostRows)
      const there = await db
        .selectFrom('audit_terms')
        .selectAll()
        .where('portal_id', '=', portalId)
        .where('block', '=', part[0]!.block)
        .where(
          'term',
          'in',
          part.map(({ term }) => term),
        )
        .execute()
      const known = new Map(there.map(({ term, positions }) => [term, positions]))
      equal += part.filter(({ term, positions }) => Buffer.compare(known.get(term) ?? nothing, positions) === 0).length
    }
  }
  return equal
}

const nothing = new Uint8Array()

function rowsOf({ block, terms }: IndexedBlock): readonly AuditTermRow[] {
  return terms.map(({ portalId, term, positions }) => ({
    portal_id: portalId,
    term,
    block,
    positions: encodePositions(positions),
  }))
}

/**
 * Transactions that write to the audit and have not ended: each has this lock from before it takes a number until its entry
 * can be seen, or never will be.
 */
async function listWriters(db: IndexedAudit): Promise<readonly string[]> {
  if (!isPostgres(db)) return []
  const { rows } = await sql<{ writer: string }>`select distinct virtualtransaction as writer from pg_locks
    where locktype = 'relation' and relation = 'audit'::regclass and mode = 'RowExclusiveLock'
      and database = (select oid from pg_database where datname = current_database())`.execute(db)
  return rows.map(({ writer }) => writer)
}

/** Takes entries out of the index, before they are removed. */
export async function removeFromIndex(given: Kysely<Rows>, entries: readonly StoredEntry[]): Promise<void> {
  const db = given.withTables<AuditIndexRows>()
  const end = await findIndexEnd(db)
  const gone = new Map<string, { portalId: string; term: string; block: number; positions: number[] }>()
  for (const entry of entries) {
    const { number, portalId } = entry
    if (number >= end || portalId === undefined) continue
    const block = blockOf(number)
    for (const term of termsOf(entry)) {
      const key = `${block} ${portalId} ${term}`
      const known = gone.get(key) ?? { portalId, term, block, positions: [] }
      known.positions.push(number - block * blockSize)
      gone.set(key, known)
    }
  }
  for (const [, some] of Map.groupBy(gone.values(), ({ portalId, block }) => `${block} ${portalId}`)) {
    const { portalId, block } = some[0]!
    const rows = await db
      .selectFrom('audit_terms')
      .select(['term', 'positions'])
      .where('portal_id', '=', portalId)
      .where('block', '=', block)
      .where(
        'term',
        'in',
        some.map(({ term }) => term),
      )
      .execute()
    const known = new Map(rows.map(({ term, positions }) => [term, positions]))
    for (const { term, positions } of some) {
      const kept = without(known.get(term) ?? nothing, positions)
      const key = { portal_id: portalId, term, block }
      if (kept.length === 0) await deleteTerm.run(given, key)
      else await updateTerm.run(given, { ...key, positions: encodePositions(kept) })
    }
  }
}

function without(encoded: Uint8Array, removed: readonly number[]): readonly number[] {
  const left = noPositions()
  addEncoded(left, encoded)
  const gone = new Set(removed)
  return listPositions(left).filter((position) => !gone.has(position))
}

const deleteTerm = prepared((db, key: Omit<AuditTermRow, 'positions'>) =>
  db
    .withTables<AuditIndexRows>()
    .deleteFrom('audit_terms')
    .where('portal_id', '=', key.portal_id)
    .where('term', '=', key.term)
    .where('block', '=', key.block),
)

const updateTerm = prepared((db, row: AuditTermRow) =>
  db
    .withTables<AuditIndexRows>()
    .updateTable('audit_terms')
    .set({ positions: row.positions })
    .where('portal_id', '=', row.portal_id)
    .where('term', '=', row.term)
    .where('block', '=', row.block),
)

/** Removes blocks before the first entry that is left; of those, the index has no terms any more. */
export async function removeEmptyBlocks(given: Kysely<Rows>): Promise<void> {
  const db = given.withTables<AuditIndexRows>()
  const first = await db.selectFrom('audit').select('id').orderBy('id').limit(1).executeTakeFirst()
  const empty = db.deleteFrom('audit_blocks')
  await (first ? empty.where('block', '<', blockOf(first.id)) : empty).execute()
}

/** Removes the index: servers make it anew, in steps. */
export async function emptyLogIndex(given: Kysely<Rows>): Promise<void> {
  const db = given.withTables<AuditIndexRows>()
  await db.deleteFrom('audit_blocks').execute()
  await db.deleteFrom('audit_terms').execute()
}
