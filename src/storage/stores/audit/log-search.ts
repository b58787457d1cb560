import type { Kysely } from 'kysely'
import { type AuditedOperation, auditedOperations } from '../../../audit/actions.ts'
import { conditionsOf, matches } from '../../../audit/filter.ts'
import type { LogSearch } from '../../../audit/store.ts'
import type { StoredEntry } from '../../../call/audit-entry.ts'
import type { AuditIndexRows, Rows } from '../../tables/rows.ts'
import { type InTime, whileInTime } from '../select.ts'
import { blockOf, findIndexEnd, type IndexedAudit } from './audit-index.ts'
import { toEntry } from './audit-rows.ts'
import { addEncoded, blockSize, intersect, listPositions, noPositions, type Positions } from './positions.ts'

/** Numbers of entries, with both ends. */
interface Range {
  readonly first: number
  readonly last: number
}

/** Most entries that one statement reads. */
const entriesAtOnce = 1_000

/** Blocks of the index that the first statement reads; each further one reads twice as many, up to a bound. */
const blocksAtFirst = 64
const blocksAtMost = 2_048

/** The entries that match: those that the index leads to, and of those that it does not have yet, each one. */
export async function searchLog(
  given: Kysely<Rows>,
  search: LogSearch,
  inTime: InTime,
): Promise<readonly StoredEntry[]> {
  const db = given.withTables<AuditIndexRows>()
  const { order, after, most, filter } = search
  const conditions = conditionsOf(filter)
  if (conditions.some((terms) => terms.length === 0)) return []
  const first = order === 'asc' && after !== undefined ? after + 1 : 0
  const last = order === 'desc' && after !== undefined ? after - 1 : Number.MAX_SAFE_INTEGER
  const end = await findIndexEnd(db)
  const indexed = findIndexed(db, search, conditions, { first, last: Math.min(last, end - 1) }, inTime)
  const others = scan(given, search, { first: Math.max(first, end), last }, inTime)
  const found: StoredEntry[] = []
  for (const part of order === 'asc' ? [indexed, others] : [others, indexed]) {
    for await (const entries of part) {
      for (const entry of entries) if (matches(entry, filter)) found.push(entry)
      if (found.length >= most) return found.slice(0, most)
    }
  }
  return found
}

/** Entries of the organization in the range, without those that one column rules out. */
async function* scan(
  db: Kysely<Rows>,
  search: LogSearch,
  { first, last }: Range,
  inTime: InTime,
): AsyncGenerator<readonly StoredEntry[]> {
  const { order } = search
  let range = { first, last }
  while (range.first <= range.last) {
    const rows = await whileInTime(selectLikely(db, search), inTime)
      .where('id', '>=', range.first)
      .where('id', '<=', range.last)
      .orderBy('id', order)
      .limit(entriesAtOnce)
      .execute()
    yield rows.map(toEntry)
    if (rows.length < entriesAtOnce) return
    const { id } = rows.at(-1)!
    range = order === 'asc' ? { ...range, first: id + 1 } : { ...range, last: id - 1 }
  }
}

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

/** Entries in the range that the index has under a term of each condition. */
async function* findIndexed(
  db: IndexedAudit,
  search: LogSearch,
  conditions: readonly (readonly string[])[],
  range: Range,
  inTime: InTime,
): AsyncGenerator<readonly StoredEntry[]> {
  if (range.first > range.last) return
  const blocks = await listBlocks(db, search, range)
  let taken = 0
  let atOnce = search.most
  for (let width = blocksAtFirst; taken < blocks.length; width = Math.min(2 * width, blocksAtMost)) {
    const some = blocks.slice(taken, taken + width)
    taken += width
    const numbers = await listNumbers(db, search, conditions, some, inTime)
    const within = numbers.filter((number) => range.first <= number && number <= range.last)
    for (let at = 0; at < within.length; ) {
      const next = within.slice(at, at + Math.min(atOnce, entriesAtOnce))
      at += next.length
      atOnce = entriesAtOnce
      const rows = await db
        .selectFrom('audit')
        .selectAll()
        .where('id', 'in', next)
        .orderBy('id', search.order)
        .execute()
      yield rows.map(toEntry)
    }
  }
}

/** Blocks with entries of that range and time, in the order of the search. */
async function listBlocks(
  db: IndexedAudit,
  { filter: { from, to }, order }: LogSearch,
  { first, last }: Range,
): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('audit_blocks')
    .select('block')
    .where('block', '>=', blockOf(first))
    .where('block', '<=', blockOf(last))
    .$if(from !== undefined, (query) => query.where('last_at', '>=', from!))
    .$if(to !== undefined, (query) => query.where('first_at', '<=', to!))
    .orderBy('block', order)
    .execute()
  return rows.map(({ block }) => block)
}

/** Numbers of the entries that the index has under a term of each condition, in the order of the search. */
async function listNumbers(
  db: IndexedAudit,
  { portalId, order }: LogSearch,
  conditions: readonly (readonly string[])[],
  blocks: readonly number[],
  inTime: InTime,
): Promise<readonly number[]> {
  const ends = [blocks[0]!, blocks.at(-1)!]
  const rows = await db
    .selectFrom('audit_terms')
    .select(['term', 'block', 'positions'])
    .where('portal_id', '=', portalId)
    .where('term', 'in', [...new Set(conditions.flat())])
    .where('block', '>=', Math.min(...ends))
    .where('block', '<=', Math.max(...ends))
    .$if(inTime !== undefined, (query) => query.where(inTime!))
    .execute()
  const byBlock = new Map<number, Positions[]>()
  for (const { block, term, positions } of rows) {
    const sets = byBlock.get(block) ?? conditions.map(noPositions)
    byBlock.set(block, sets)
    conditions.forEach((terms, at) => {
      if (terms.includes(term)) addEncoded(sets[at]!, positions)
    })
  }
  return blocks.flatMap((block) => {
    const sets = byBlock.get(block)
    const numbers = sets ? listPositions(intersect(sets)).map((position) => block * blockSize + position) : []
    return order === 'asc' ? numbers : numbers.toReversed()
  })
}
