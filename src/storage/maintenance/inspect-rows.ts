import { type Kysely, sql } from 'kysely'
import { DEFAULT_MIGRATION_TABLE } from 'kysely/migration'
import { builtInRoles } from '../../call/privilege.ts'
import type { PortalKey } from '../../directory/portal.ts'
import { DamagedDocument, StorageUnavailable } from '../storage.ts'
import { countUnfindable } from '../stores/audit/log-index.ts'
import { checksumStore } from '../stores/checksum-store.ts'
import { countDisagreements } from '../stores/items/index/agreement.ts'
import { isPresent } from '../stores/items/index/rebuild.ts'
import { listLargestOwners } from '../stores/items/item-counts.ts'
import { countMiscountedTags } from '../stores/items/item-tags.ts'
import {
  findBreaking,
  findMigrationState,
  foreignTables,
  isPostgres,
  listTables,
  otherVersion,
} from '../tables/catalog.ts'
import type { Rows } from '../tables/rows.ts'
import { indexTables, indexTablesOfPostgres, indexTablesOfSqlite, tableNames } from '../tables/tables.ts'
import { findUnfinishedMove } from '../tables/unfinished-move.ts'
import { type CheckResult, type Look, ok, problem, warning, wholeLook } from './check-result.ts'
import { listDamaged } from './damaged-documents.ts'
import { disagreements } from './disagreements.ts'

/** Checks of the tables and their rows, the same for both engines. */
export async function* inspectRows(db: Kysely<Rows>, now: number, look: Look = wholeLook): AsyncGenerator<CheckResult> {
  const move = await findUnfinishedMove(db)
  if (move) {
    yield problem(
      `A move into this database was not finished: run "cartulary migrate-data --from ${move.source} --to …" again.`,
    )
  }
  const migrations = await inspectMigrations(db)
  yield migrations
  const there = await listTables(db)
  const ofEngine = isPostgres(db) ? indexTablesOfPostgres : indexTablesOfSqlite
  if ([...tableNames, ...indexTables, ...ofEngine].some((name) => !there.includes(name))) return
  if (!look.isQuick) yield* inspectEachRow(db, look)
  yield* inspectLeftovers(db, now)
  yield await inspectAudit(db, now)
  yield await inspectItems(db)
  yield await inspectTimes(db, now)
}

/** Checks that read every row, and take longer the more there are. */
async function* inspectEachRow(db: Kysely<Rows>, { onStage }: Look): AsyncGenerator<CheckResult> {
  onStage('the documents')
  const isIntact = yield* inspectDocuments(db)
  yield* inspectAgreement(db, onStage)
  // Data derived from damaged rows is wrong as well.
  if (!isIntact) return
  onStage('the index of the search')
  yield await inspectIndex(db)
  onStage('the index of the log')
  yield await inspectLogIndex(db)
  onStage('the counts of tags')
  yield await inspectTags(db)
}

/** Key pairs of all organizations, with the private keys sealed. */
export async function listKeys(db: Kysely<Rows>): Promise<readonly PortalKey[]> {
  if (!(await listTables(db)).includes('portals')) return []
  const rows = await db.selectFrom('portals').select(['public_key', 'sealed_private_key']).execute()
  return rows.map((row) => ({ publicKey: row.public_key, sealedPrivateKey: row.sealed_private_key }))
}

/** Throws unless the tables are those of this version. */
export async function requireTables(db: Kysely<Rows>): Promise<void> {
  const { level, text } = await inspectMigrations(db)
  if (level !== 'ok') throw new StorageUnavailable(text)
}

async function inspectMigrations(db: Kysely<Rows>): Promise<CheckResult> {
  const state = await findMigrationState(db)
  const there = await listTables(db)
  if (!state && there.length > 0 && !there.includes(DEFAULT_MIGRATION_TABLE)) {
    return problem(foreignTables(there[0]!))
  }
  if (!state) return warning('The database has no tables yet; the first start of a server creates them.')
  const other = findBreaking(state.unknown)
  if (other) return problem(otherVersion('The database', other))
  if (state.missing.length > 0) {
    return warning(
      `The database is older than this version; the next start of a server runs the migrations ${state.missing.join(', ')}.`,
    )
  }
  return ok('The tables are those of this version.')
}

async function* inspectAgreement(db: Kysely<Rows>, onStage: Look['onStage']): AsyncGenerator<CheckResult> {
  let disagree = 0
  for (const [at, { what, query }] of disagreements.entries()) {
    onStage(`the rows, ${at + 1} of ${disagreements.length} comparisons`)
    const found = await countWith(db, query)
    if (found === 0) continue
    disagree += 1
    yield problem(`There are ${what} (${found}): report this, and restore a backup if that helps.`)
  }
  if (disagree === 0) yield ok('The rows agree with each other.')
}

const maxDamagedListed = 20

/** Compares stored documents with their checksums; returns whether all match. */
async function* inspectDocuments(db: Kysely<Rows>): AsyncGenerator<CheckResult, boolean> {
  let damaged = 0
  for await (const place of listDamaged(db)) {
    damaged += 1
    if (damaged <= maxDamagedListed) yield problem(new DamagedDocument(place).message)
  }
  if (damaged > maxDamagedListed) yield problem(`So are ${format(damaged - maxDamagedListed)} more rows.`)
  if (damaged > 0) return false
  const unknown = await checksumStore(db).countUnknown()
  const others = unknown > 0 ? ` ${format(unknown)} have no checksum yet: servers add it.` : ''
  yield ok(`Every stored document with a checksum is what was written.${others}`)
  return true
}

/** Compares the index of the search with the rows that it is derived from. */
async function inspectIndex(db: Kysely<Rows>): Promise<CheckResult> {
  if (!(await isPresent(db))) return warning('The next start of a server rebuilds the index of the search.')
  const found = await countDisagreements(db)
  return found === 0
    ? ok('The index of the search agrees with items, groups and users.')
    : problem(`The index of the search is not that of ${found} items, groups or users: run "cartulary index rebuild".`)
}

async function inspectLogIndex(db: Kysely<Rows>): Promise<CheckResult> {
  const lost = await countUnfindable(db)
  return lost === 0
    ? ok('Every entry of the audit log is in its index, or waits for it.')
    : problem(`Searches of the audit log do not find ${lost} of its entries: run "cartulary index rebuild".`)
}

async function inspectTags(db: Kysely<Rows>): Promise<CheckResult> {
  const wrong = await countMiscountedTags(db)
  return wrong === 0
    ? ok('The counts of tags are those of the items.')
    : problem(`There are ${wrong} counts of tags that are not those of the items: run "cartulary index rebuild".`)
}

const day = 86_400_000
const manyTokens = 10_000

/** States that are valid, but probably not intended. */
async function* inspectLeftovers(db: Kysely<Rows>, now: number): AsyncGenerator<CheckResult> {
  const roles = Object.keys(builtInRoles)
    .map((role) => `'${role}'`)
    .join(', ')
  const roleless = await countWith(
    db,
    `users where role not in (${roles}) and not exists
     (select 1 from roles where roles.role_id = users.role and roles.portal_id = users.portal_id)`,
  )
  if (roleless > 0)
    yield warning(`Users have a role that is gone and that allows nothing (${roleless}): give them one.`)
  const leaderless = await countWith(
    db,
    `portals where not exists (select 1 from users
     where users.portal_id = portals.portal_id and users.role = 'org_admin' and users.disabled = 0)`,
  )
  if (leaderless > 0) yield warning(`Organizations have no administrator who may sign in (${leaderless}).`)
  const expired = await countWith(db, `tokens where expires_at < ${now - day}`)
  yield expired > manyTokens
    ? warning(`There are ${expired} tokens that expired more than a day ago: the next sign-in removes them.`)
    : ok('Expired tokens do not pile up.')
}

/** Size of the database and growth of the audit. */
async function inspectAudit(db: Kysely<Rows>, now: number): Promise<CheckResult> {
  const size = isPostgres(db)
    ? sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`
    : sql<{ bytes: number }>`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`
  const [{ bytes } = { bytes: 0 }] = (await size.execute(db)).rows
  const { rows } = await sql<{
    total: number
    recent: number
    first: number | null
  }>`select count(*) as total, coalesce(sum(case when happened_at >= ${now - growthDays * day} then 1 else 0 end), 0) as recent,
     min(happened_at) as first from audit`.execute(db)
  const { total, recent, first } = rows[0]!
  const since = first === null ? '' : ` since ${new Date(first).toISOString().slice(0, 10)}`
  return ok(
    `The database has ${(bytes / 1_000_000).toLocaleString('en', { maximumFractionDigits: 1 })} MB. Its audit has ` +
      `${format(total)} entries${since}, ${format(recent)} of them of the last ${growthDays} days.`,
  )
}

const growthDays = 7
const largestListed = 10

/** The users and organizations with the most bytes of any kind. Only ids: the output is often sent to others. */
async function inspectItems(db: Kysely<Rows>): Promise<CheckResult> {
  const lines: string[] = []
  for (const [kind, name] of [
    ['portal', 'organization'],
    ['user', 'user'],
  ] as const) {
    for (const { ownerId, items, bytes } of await listLargestOwners(db, kind, largestListed)) {
      lines.push(`${name} ${ownerId}: ${format(bytes)} bytes, ${format(items)} items`)
    }
  }
  if (lines.length === 0) return ok('Nothing counts for a user or an organization.')
  return ok(['The largest owners of items, versions, drafts and jobs:', ...lines].join('\n           '))
}

function format(number: number): string {
  return number.toLocaleString('en')
}

/** Columns with the time of an event, not of an expiry. */
const times: readonly (readonly [table: string, column: string])[] = [
  ['users', 'modified_at'],
  ['"groups"', 'modified_at'],
  ['tokens', 'created_at'],
  ['category_schema_versions', 'assigned_at'],
  ['collaborations', 'modified_at'],
  ['invitation_steps', 'happened_at'],
  ['participations', 'modified_at'],
  ['audit', 'happened_at'],
]

async function inspectTimes(db: Kysely<Rows>, now: number): Promise<CheckResult> {
  const newest = times.map(([table, column]) => `select max(${column}) as newest from ${table}`).join(' union all ')
  const { rows } = await sql<{
    newest: number | null
  }>`select max(newest) as newest from (${sql.raw(newest)}) as all_times`.execute(db)
  const ahead = (rows[0]?.newest ?? 0) - now
  return ahead <= 1_000
    ? ok('Nothing is dated in the future.')
    : warning(
        `The newest row is ${Math.ceil(ahead / 1_000)} seconds in the future: a clock is or was wrong; synchronize it.`,
      )
}

async function countWith(db: Kysely<Rows>, query: string): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*) as total from ${sql.raw(query)}`.execute(db)
  return rows[0]!.total
}
