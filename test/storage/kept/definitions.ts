import type { Query } from '../../support/databases/recorded.ts'
import type { Engine } from './kept-database.ts'

const ofSqlite = `select type || ' ' || name || ': ' || sql as definition from sqlite_schema where sql is not null`

/** Names of constraints that only say what columns say are left out: they tell of former names of tables. */
const ofPostgres = `
  select format('column %s.%s: %s %s %s %s %s, as number %s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
    a.attnotnull, pg_get_expr(d.adbin, d.adrelid), a.attidentity, a.attcollation,
    row_number() over (partition by c.oid order by a.attnum)) as definition
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
  union all select format('%s %s: %s', relkind, relname, reloptions)
  from pg_class where relnamespace = 'public'::regnamespace
  union all select format('constraint %s of %s: %s', conname, conrelid::regclass, pg_get_constraintdef(oid))
  from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'
  union all select pg_get_indexdef(indexrelid)
  from pg_index join pg_class on oid = indexrelid where relnamespace = 'public'::regnamespace
  union all select format('sequence %s: %s %s', seqrelid::regclass, seqtypid::regtype, seqincrement) from pg_sequence
  union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
  union all select pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace`

/** Definitions of all that is in a database: tables with their columns in order, constraints, indexes, triggers and functions. */
export async function definitionsOf(engine: Engine, query: Query): Promise<readonly string[]> {
  const rows = await query<{ definition: string }>(engine === 'sqlite' ? ofSqlite : ofPostgres)
  return rows
    .map(({ definition }) =>
      definition
        .replace(/"(\w+)"/g, '$1')
        .replace(/\s+/g, ' ')
        .replace(/\( | (?=\))/g, (one) => one.trim()),
    )
    .toSorted()
}

const tablesOf = {
  sqlite: `select name from pragma_table_list where schema = 'main' and type = 'table'`,
  postgres: `select tablename as name from pg_tables where schemaname = 'public'`,
}

/** Definitions and rows of a database. */
export async function contentOf(engine: Engine, query: Query): Promise<readonly string[]> {
  const content = [...(await definitionsOf(engine, query))]
  for (const { name } of await query<{ name: string }>(tablesOf[engine])) {
    const rows = await query(`select * from "${name}"`)
    content.push(...rows.map((row) => `${name}: ${JSON.stringify(row)}`).toSorted())
  }
  return content
}
