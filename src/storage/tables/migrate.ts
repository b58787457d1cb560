import { setImmediate } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from 'kysely/migration'
import { reasonOf } from '../../errors.ts'
import { StartEnded, type StartNotices, StorageUnavailable } from '../storage.ts'
import {
  findBreaking,
  findMigrationState,
  foreignTables,
  listTables,
  type MigrationState,
  otherVersion,
} from './catalog.ts'
import { foundation } from './migrations/former.ts'
import { migrations as known } from './migrations/migrations.ts'
import type { Rows } from './rows.ts'
import { moveTable, requireNoUnfinishedMove } from './unfinished-move.ts'

/** Called in the transaction before the first change that servers of older versions cannot live with. */
export type BeforeChange = (transaction: Kysely<Rows>) => Promise<void>

/**
 * Runs the missing migrations: those of a new database in one transaction, others in one each, so that an interrupted upgrade keeps
 * what is done. Refuses a database of another version. Resolves with whether earlier tables were changed.
 */
export async function migrate(
  db: Kysely<Rows>,
  migrations: Readonly<Record<string, Migration>> = known,
  beforeChange: BeforeChange = async () => undefined,
  notices: StartNotices = {},
): Promise<boolean> {
  const state = await readState(db, migrations)
  if (!state) {
    await run(db, migrations, beforeChange, (migrator) => migrator.migrateToLatest())
    return false
  }
  if (state.isFormer) {
    await adopt(db, beforeChange)
    notices.say?.('The tables are noted as those of 0.1: earlier versions refuse them from now on.')
    return migrate(db, migrations, beforeChange, notices)
  }
  const { missing } = state
  for (const [at, name] of missing.entries()) {
    requireTime(notices)
    const begin: BeforeChange = async (transaction) => {
      if (findBreaking(missing)) await beforeChange(transaction)
      if (at === 0) notices.say?.(formatBeginning(missing.length, await countItems(transaction)))
      notices.doing?.(`Changing the tables: migration ${name}, ${at + 1} of ${missing.length}.`)
    }
    await run(db, migrations, begin, (migrator) => migrator.migrateUp())
    // SQLite answers synchronously: without this, no signal would arrive.
    await setImmediate()
  }
  return missing.length > 0
}

/**
 * Notes the foundation in the place of the former migrations, which made the same tables: older servers refuse them from now on.
 * What they left to later steps is written in the tables, and goes on.
 */
async function adopt(db: Kysely<Rows>, beforeChange: BeforeChange): Promise<void> {
  const table = sql.table(DEFAULT_MIGRATION_TABLE)
  await db.transaction().execute(async (transaction) => {
    await beforeChange(transaction)
    await sql`delete from ${table}`.execute(transaction)
    await sql`insert into ${table} (name, timestamp) values (${foundation}, ${new Date().toISOString()})`.execute(
      transaction,
    )
  })
}

/** Throws if the process is asked to end: called between two steps of a start. */
export function requireTime({ signal }: StartNotices): void {
  if (!signal?.aborted) return
  throw new StartEnded(
    'Ended while the tables were changed, between two steps: what is done stays done, and the next start goes on there.',
  )
}

function formatBeginning(migrations: number, items: number): string {
  const many = `${migrations} migration${migrations === 1 ? '' : 's'}, ${items.toLocaleString('en')} items`
  return `The tables are changed for this version: ${many}. With many items, it takes minutes: do not kill this process. Asked to end, it ends between two steps, and the next start goes on there.`
}

async function countItems(db: Kysely<Rows>): Promise<number> {
  const { rows } = await sql<{ items: number }>`select count(*) as items from items`.execute(db)
  return Number(rows[0]!.items)
}

/** Undefined for a new database. Refuses one that is not ours, is the target of an unfinished move, or of another version. */
async function readState(
  db: Kysely<Rows>,
  migrations?: Readonly<Record<string, Migration>>,
): Promise<MigrationState | undefined> {
  const tables = await listTables(db)
  if (tables.length > 0 && !tables.includes(DEFAULT_MIGRATION_TABLE)) {
    throw new StorageUnavailable(foreignTables(tables[0]!))
  }
  if (tables.includes(moveTable)) await requireNoUnfinishedMove(db)
  const state = await findMigrationState(db, migrations, tables)
  const other = findBreaking(state?.unknown ?? [])
  if (other) throw new StorageUnavailable(otherVersion('The database', other))
  return state
}

/** Runs migrations that are missing, in one transaction. */
async function run(
  db: Kysely<Rows>,
  migrations: Readonly<Record<string, Migration>>,
  begin: BeforeChange,
  step: (migrator: Migrator) => ReturnType<Migrator['migrateUp']>,
): Promise<void> {
  const unknown = (await readState(db, migrations))?.unknown ?? []
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => guarded({ ...migrations, ...nothingFor(unknown) }, begin) },
  })
  const { error, results } = await step(migrator)
  if (!error) return
  if (error instanceof StorageUnavailable) throw error
  const failed = results?.find(({ status }) => status === 'Error')?.migrationName
  // Refuses where a newer version has migrated the database meanwhile.
  if (!failed && ((await readState(db, migrations))?.unknown.length ?? 0) > unknown.length)
    return run(db, migrations, begin, step)
  const where = failed ? `in migration ${failed}` : 'before any migration'
  throw new StorageUnavailable(`The database could not be migrated, ${where}: ${reasonOf(error)}.`, {
    cause: error,
  })
}

/** Empty migrations, for the names of those that have run already. */
function nothingFor(names: readonly string[]): Record<string, Migration> {
  return Object.fromEntries(names.map((name) => [name, { up: async () => undefined }]))
}

/** Wraps migrations: `begin` is called before the first one that runs. */
function guarded(migrations: Readonly<Record<string, Migration>>, begin: BeforeChange): Record<string, Migration> {
  let hasBegun = false
  const guard = ({ up }: Migration): Migration => ({
    async up(transaction) {
      if (!hasBegun) await begin(transaction)
      hasBegun = true
      await up(transaction)
    },
  })
  return Object.fromEntries(Object.entries(migrations).map(([name, migration]) => [name, guard(migration)]))
}

/** Whether every migration has run. Refuses the databases that `migrate` refuses. */
export async function isMigrated(
  db: Kysely<Rows>,
  migrations: Readonly<Record<string, Migration>> = known,
): Promise<boolean> {
  return (await readState(db, migrations))?.missing.length === 0
}
