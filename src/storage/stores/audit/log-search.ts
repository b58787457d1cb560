import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type AuditedOperation, auditedOperations } from '../../../audit/actions.ts'
import { conditionsOf, matches } from '../../../audit/filter.ts'
import type { LogSearch } from '../../../audit/store.ts'
import type { StoredEntry } from '../../../call/audit-entry.ts'
import { isPostgres } from '../../tables/catalog.ts'
import type { AuditIndexRows } from '../../tables/rows/audit.ts'
import type { Rows } from '../../tables/rows.ts'
import { both, either, formatMatch, token } from '../items/index/match.ts'
import { type DeadlineCondition, isAmong, toJson, withinDeadline } from '../select.ts'
import { toEntry } from './audit-rows.ts'
import { tokenOf } from './log-index.ts'

/** Numbers of entries, both ends inclusive. */
interface Range {
  readonly first: number
  readonly last: number
}

/** Finds numbers of entries in the range that may match, in the order of the search, at most `max`. */
type Source = (range: Range, max: number) => Promise<readonly number[]>

/** Maximum entries that one statement reads. */
const maxEntries = 1_000

/**
 * Indexed entries on PostgreSQL that a search compares before it uses GIN (chosen): GIN collects all matches before it sorts, so
 * it suits rare terms.
 */
const maxCompared = 2_000

/** Matching entries: indexed ones by lookup, newer ones by scan. */
export async function searchLog(
  given: Kysely<Rows>,
  search: LogSearch,
  deadlineCondition: DeadlineCondition,
): Promise<readonly StoredEntry[]> {
  const { order, after, max } = search
  const conditions = conditionsOf(search.filter)
  if (conditions.some((terms) => terms.length === 0)) return []
  const range = {
    first: order === 'asc' && after !== undefined ? after + 1 : 0,
    last: order === 'desc' && after !== undefined ? after - 1 : Number.MAX_SAFE_INTEGER,
  }
  const read = (source: Source, part: Range, first: number) =>
    findAmong(given, search, source, part, first, deadlineCondition)
  const found = await read(unindexed(given, search), range, maxEntries)
  const indexed = await narrow(given, search, range)
  if (indexed) found.push(...(await read(lookUp(given, search, conditions), indexed, max)))
  // Transactions of PostgreSQL may commit out of the order of their numbers: an unindexed entry may come before indexed ones.
  found.sort((one, other) => (order === 'asc' ? one.number - other.number : other.number - one.number))
  return found.slice(0, max)
}

/** Matching entries of a source, until there are enough; `first` is the number of candidates that are requested first. */
async function findAmong(
  db: Kysely<Rows>,
  search: LogSearch,
  source: Source,
  range: Range,
  first: number,
  deadlineCondition: DeadlineCondition,
): Promise<StoredEntry[]> {
  const found: StoredEntry[] = []
  let rest = range
  for (let atOnce = first; ; atOnce = maxEntries) {
    const numbers = await source(rest, atOnce)
    const rows = await withinDeadline(selectLikely(db, search), deadlineCondition)
      .where(isAmong(db, sql.ref('id'), toJson(numbers), 'bigint'))
      .orderBy('id', search.order)
      .execute()
    found.push(...rows.map(toEntry).filter((entry) => matches(entry, search.filter)))
    if (numbers.length < atOnce || found.length >= search.max) return found
    rest = restAfter(rest, numbers, search)
  }
}

/** The rest of a range after these numbers. */
function restAfter({ first, last }: Range, numbers: readonly number[], { order }: LogSearch): Range {
  const end = numbers.at(-1)!
  return order === 'asc' ? { first: end + 1, last } : { first, last: end - 1 }
}

/** Entries of the organization, without those that one column rules out. */
function selectLikely(db: Kysely<Rows>, { portalId, filter }: LogSearch) {
  const { from, to, actors, ownerIds, addresses, succeeded, types } = filter
  return db
    .selectFrom('audit')
    .selectAll()
    .where('portal_id', '=', portalId)
    .$if(from !== undefined, (query) => query.where('happened_at', '>=', from!))
    .$if(to !== undefined, (query) => query.where('happened_at', '<=', to!))
    .$if(actors !== undefined, (query) => query.where('username', 'in', actors!))
    .$if(ownerIds !== undefined, (query) => query.where('owner_id', 'in', ownerIds!))
    .$if(addresses !== undefined, (query) => query.where('address', 'in', addresses!))
    .$if(succeeded !== undefined, (query) => query.where('outcome', succeeded ? '=' : '!=', 200))
    .$if(types !== undefined, (query) => query.where('operation', 'in', ['', ...operationsOf(types!)]))
}

function operationsOf(types: readonly string[]): readonly string[] {
  const operations: readonly (readonly [string, AuditedOperation])[] = Object.entries(auditedOperations)
  return operations.filter(([, { type }]) => types.includes(type)).map(([operation]) => operation)
}

/** The part of the range with indexed entries of that time; undefined if there are none. */
async function narrow(
  given: Kysely<Rows>,
  { filter: { from, to } }: LogSearch,
  range: Range,
): Promise<Range | undefined> {
  const step = await given
    .withTables<AuditIndexRows>()
    .selectFrom('audit_steps')
    .select(({ fn }) => [fn.min('first_number').as('first'), fn.max('last_number').as('last')])
    .$if(from !== undefined, (query) => query.where('last_at', '>=', from!))
    .$if(to !== undefined, (query) => query.where('first_at', '<=', to!))
    .executeTakeFirstOrThrow()
  if (step.first === null) return undefined
  const part = { first: Math.max(range.first, step.first), last: Math.min(range.last, step.last) }
  return part.first <= part.last ? part : undefined
}

function unindexed(db: Kysely<Rows>, { order }: LogSearch): Source {
  return async ({ first, last }, max) => {
    const query = db.withTables<AuditIndexRows>().selectFrom('audit_unindexed').select('number')
    const rows = await query
      .where('number', '>=', first)
      .where('number', '<=', last)
      .orderBy('number', order)
      .limit(max)
      .execute()
    return rows.map(({ number }) => number)
  }
}

/** Entries that the index has under a term of each condition. */
function lookUp(db: Kysely<Rows>, search: LogSearch, conditions: readonly (readonly string[])[]): Source {
  const { order, portalId } = search
  const tokens = (terms: readonly string[]) => either(terms.map((term) => token(tokenOf(portalId, term))))
  const match = both(...conditions.map(tokens))
  const direction = sql.raw(order)
  if (!isPostgres(db)) {
    const text = formatMatch(match, 'fts5')
    // The driver binds floats, of which FTS5 makes no range.
    return async ({ first, last }, max) =>
      numbersOf(
        db,
        sql`select rowid as number from audit_words where audit_words match ${text}
          and rowid between cast(${first} as integer) and cast(${last} as integer) order by rowid ${direction} limit ${max}`,
      )
  }
  const query = formatMatch(match, 'tsquery')
  return async ({ first, last }, max) => {
    const near = await numbersOf(
      db,
      sql`select number from (
          select number, tokens from audit_words where number between ${first} and ${last}
            order by number ${direction} limit ${maxCompared}
        ) as near where tokens @@ ${query}::tsquery order by number ${direction} limit ${max}`,
    )
    if (near.length === max || last - first < maxCompared) return near
    // A sum, so that the index of numbers is not used.
    return numbersOf(
      db,
      sql`with found as materialized (
          select number from audit_words where tokens @@ ${query}::tsquery and number + 0 between ${first} and ${last}
        ) select number from found order by number ${direction} limit ${max}`,
    )
  }
}

async function numbersOf(db: Kysely<Rows>, statement: RawBuilder<unknown>): Promise<readonly number[]> {
  const { rows } = await (statement as RawBuilder<{ number: number }>).execute(db)
  return rows.map(({ number }) => number)
}
