import { type Kysely, type Selectable, sql } from 'kysely'
import { termsOf } from '../../../audit/filter.ts'
import type { StoredEntry } from '../../../call/audit-entry.ts'
import { isPostgres } from '../../tables/catalog.ts'
import type { AuditIndexRows, AuditRow } from '../../tables/rows/audit.ts'
import type { Rows } from '../../tables/rows.ts'
import { findDamage } from '../checksums.ts'
import { keywordToken } from '../items/index/document.ts'
import { prepared } from '../prepared.ts'
import { givenRows, isAmong, toJson } from '../select.ts'
import { toEntry } from './audit-rows.ts'

/**
 * Full-text index of the log: the terms of each entry, as tokens. A trigger records a new entry in `audit_unindexed`, in the
 * transaction that adds it, and `indexEntries` takes it from there: no entry is missed, in whatever order transactions commit.
 */

/** Maximum entries whose tokens are in memory at a time (chosen). */
const entriesOfSlice = 50

/** Token of a term; it contains the organization, so that each one finds only its own entries. */
export function tokenOf(portalId: string, term: string): string {
  return keywordToken('', `${portalId}/${term}`)
}

/** Indexes the `count` oldest unindexed entries; resolves with their number, or with 0 if there are fewer. */
export async function indexEntries(given: Kysely<Rows>, count: number): Promise<number> {
  const db = given.withTables<AuditIndexRows>()
  const queued = await db.selectFrom('audit_unindexed').select('number').orderBy('number').limit(count).execute()
  if (queued.length < count) return 0
  const numbers = toJson(queued.map(({ number }) => number))
  const rows = await db
    .selectFrom('audit')
    .selectAll()
    .where(isAmong(given, sql.ref('id'), numbers, 'bigint'))
    .orderBy('id')
    .execute()
  if (rows.length > 0) {
    for (let first = 0; first < rows.length; first += entriesOfSlice) {
      await addWords(
        given,
        rows
          .slice(first, first + entriesOfSlice)
          .filter(isIntact)
          .map(toEntry),
      )
    }
    const times = rows.map(({ happened_at }) => happened_at)
    const step = { first_at: Math.min(...times), last_at: Math.max(...times) }
    await db
      .insertInto('audit_steps')
      .values({ first_number: rows[0]!.id, last_number: rows.at(-1)!.id, ...step })
      .execute()
  }
  await db
    .deleteFrom('audit_unindexed')
    .where(isAmong(given, sql.ref('number'), numbers, 'bigint'))
    .execute()
  return queued.length
}

/** Whether the checksum of an entry matches. A damaged entry gets no words: the others are indexed, and doctor names it. */
function isIntact(row: Selectable<AuditRow>): boolean {
  return findDamage('audit', row) === undefined
}

async function addWords(db: Kysely<Rows>, entries: readonly StoredEntry[]): Promise<void> {
  const rows = entries.map((entry) => {
    return { number: entry.number, tokens: [...termsOf(entry)].map((term) => tokenOf(entry.portalId!, term)) }
  })
  if (!isPostgres(db)) {
    for (const { number, tokens } of rows) await addWordsOfEntry.run(db, { number, tokens: tokens.join(' ') })
    return
  }
  const quoted = rows.map(({ number, tokens }) => ({ number, tokens: tokens.map((token) => `'${token}'`).join(' ') }))
  await sql`insert into audit_words (number, tokens) select number, tokens::tsvector
    from ${givenRows(db, toJson(quoted), { number: 'bigint', tokens: 'text' })}`.execute(db)
}

const addWordsOfEntry = prepared((db, { number, tokens }: { number: number; tokens: string }) => ({
  compile: () => sql`insert into audit_words (rowid, tokens) values (${number}, ${tokens})`.compile(db),
}))

/** Removes deleted entries from the index. */
export async function removeFromIndex(given: Kysely<Rows>, numbers: readonly number[]): Promise<void> {
  const json = toJson(numbers)
  const db = given.withTables<AuditIndexRows>()
  await db
    .deleteFrom('audit_unindexed')
    .where(isAmong(given, sql.ref('number'), json, 'bigint'))
    .execute()
  await sql`delete from audit_words
    where ${isAmong(given, sql.ref(isPostgres(given) ? 'number' : 'rowid'), json, 'bigint')}`.execute(given)
  await sql`delete from audit_steps
    where last_number < (select coalesce(min(id), ${Number.MAX_SAFE_INTEGER}) from audit)`.execute(given)
}

/** Indexes a changed entry again: until then, searches scan it. */
export async function reindexEntry(given: Kysely<Rows>, number: number): Promise<void> {
  await removeFromIndex(given, [number])
  await sql`insert into audit_unindexed (number) select id from audit where portal_id is not null and id = ${number}`.execute(
    given,
  )
}

/** Empties the index: servers rebuild it, in steps. */
export async function emptyLogIndex(db: Kysely<Rows>): Promise<void> {
  if (isPostgres(db)) await sql`delete from audit_words`.execute(db)
  else await sql`insert into audit_words (audit_words) values ('delete-all')`.execute(db)
  await sql`delete from audit_steps`.execute(db)
  await sql`delete from audit_unindexed`.execute(db)
  await sql`insert into audit_unindexed (number) select id from audit where portal_id is not null`.execute(db)
}

/** Number of entries that no search finds: neither indexed nor waiting in `audit_unindexed`. */
export async function countUnfindable(db: Kysely<Rows>): Promise<number> {
  const indexed = isPostgres(db) ? sql`select number from audit_words` : sql`select rowid from audit_words`
  const { rows } = await sql<{ total: number }>`select count(*) as total from audit where portal_id is not null
    and id not in (select number from audit_unindexed) and id not in (${indexed})`.execute(db)
  return rows[0]!.total
}
