import { primaryKeys, type TableName, tableNames } from '../../../src/storage/tables/tables.ts'
import type { PostgresDatabase } from '../portal/portal-database.ts'
import { type Changes, type RewindableTables, tablesOfIndex } from './rewindable-tables.ts'

/** Tables from which servers cache callers. */
const tablesOfCallers = ['tokens', 'users', 'roles'] as const satisfies readonly TableName[]

/**
 * The database of servers on PostgreSQL. What was kept is in a schema beside theirs, where triggers write down to which
 * tables a transaction has written: nothing else is compared, and each question is one statement.
 */
export class RewindablePostgres implements RewindableTables {
  readonly #shared: PostgresDatabase
  /** Whether there is that schema. */
  #isKept = false

  constructor(shared: PostgresDatabase) {
    this.#shared = shared
  }

  async keep(): Promise<void> {
    const { connection } = this.#shared
    if (this.#isKept) return void (await connection.query('select kept.keep()'))
    const { rows } = await connection.query<Table>(columnsOfTables)
    const find = (name: Table['name']) => rows.find((table) => table.name === name)!
    await connection.query(makeSchema(tableNames.map(find), indexes.map(find)))
    this.#isKept = true
  }

  changes(): Promise<Changes> {
    return this.#ask('changes')
  }

  async rewind(): Promise<Changes> {
    const changes = await this.#ask('rewind')
    if (tablesOfCallers.some((table) => table in changes)) await this.#shared.forgetCallers()
    return changes
  }

  async close(): Promise<void> {
    if (this.#isKept) await this.#shared.connection.query('drop schema kept cascade')
  }

  async #ask(question: 'changes' | 'rewind'): Promise<Changes> {
    const text = `select kept.${question}() as changes`
    const { rows } = await this.#shared.connection.query<{ changes: Changes }>({ name: question, text })
    return rows[0]!.changes
  }
}

/** Includes the changes of tags that triggers note: they do so again while items go back. */
const indexes = [...tablesOfIndex, 'owner_tag_changes'] as const

interface Table {
  readonly name: TableName | (typeof indexes)[number]
  readonly columns: readonly string[]
}

const columnsOfTables = `
  select relname as name, array_agg(quote_ident(attname) order by attnum) as columns
  from pg_class join pg_attribute on attrelid = pg_class.oid
  where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped group by relname`

/** Copies of tables, of which each comes after those that it refers to. */
function makeSchema(tables: readonly Table[], indexes: readonly Table[]): string {
  const ifWritten = (work: (table: Table) => string) => (table: Table) =>
    `if '${table.name}' = any (names) then ${work(table)} end if;`
  const ifChanged = (work: (table: Table) => string) => (table: Table) =>
    `if changes ? '${table.name}' then ${work(table)} end if;`
  return `
    create schema kept;
    create table kept.written (name text not null);
    create function kept.write_down() returns trigger language plpgsql as
      'begin insert into kept.written values (tg_table_name); return null; end';
    ${tables.map(makeCopy).join('')}
    ${indexes.map(({ name }) => `create table kept.${name} as table public.${name};`).join('')}

    create function kept.keep() returns void language plpgsql as $$
      declare names text[] := (select array_agg(distinct name) from kept.written);
      begin
        ${tables.map(ifWritten(copyAgain)).join('')}
        if names is not null then ${indexes.map(copyAgain).join('')} end if;
        delete from kept.written;
      end $$;

    create function kept.changes() returns jsonb language plpgsql as $$
      declare
        names text[] := (select array_agg(distinct name) from kept.written);
        changes jsonb := '{}';
        change jsonb;
      begin
        if names is null then return changes; end if;
        ${tables.map(ifWritten(noteChange)).join('')}
        return changes;
      end $$;

    create function kept.rewind() returns jsonb language plpgsql as $$
      declare changes jsonb := kept.changes();
      begin
        if changes = '{}' then return changes; end if;
        -- One primary category has a path: none has while rows change places.
        if changes ? 'category_paths' then
          update public.category_paths set state = 'merged' where state = 'primary';
        end if;
        ${tables.map(ifChanged(putBack)).join('')}
        ${tables.toReversed().map(ifChanged(takeAway)).join('')}
        ${indexes.map(takeAway).join('')}
        ${indexes.map(putBack).join('')}
        delete from kept.written;
        return changes;
      end $$;`
}

function makeCopy({ name }: Table): string {
  return `
    create table kept.${name} as table public.${name};
    create trigger write_down after insert or update or delete on public.${name}
      for each statement execute function kept.write_down();`
}

function copyAgain({ name }: Table): string {
  return `delete from kept.${name}; insert into kept.${name} table public.${name};`
}

/** A row is the same if all of it is. */
function noteChange({ name }: Table): string {
  const rows = (of: string, but: string) => `
    coalesce((select jsonb_agg(one order by ${keyOf(name).join(', ')})
      from (table ${of}.${name} except all table ${but}.${name}) as one), '[]')`
  return `
    change := jsonb_build_object('added', ${rows('public', 'kept')}, 'removed', ${rows('kept', 'public')});
    if change <> '{"added": [], "removed": []}' then changes := changes || jsonb_build_object('${name}', change); end if;`
}

/** Rows that were removed or changed. */
function putBack({ name, columns }: Table): string {
  return `
    insert into public.${name} select * from kept.${name} as copy
      where not exists (select from public.${name} as one where ${isSameRow(name)});
    update public.${name} as one set (${columns.join(', ')}) = row (copy.*) from kept.${name} as copy
      where ${isSameRow(name)} and row (one.*) is distinct from row (copy.*);`
}

/** Rows that were added. */
function takeAway({ name }: Table): string {
  return `
    delete from public.${name} as one
      where not exists (select from kept.${name} as copy where ${isSameRow(name)});`
}

function isSameRow(table: Table['name']): string {
  return keyOf(table)
    .map((column) => `one.${column} = copy.${column}`)
    .join(' and ')
}

const keys: Readonly<Record<Table['name'], readonly string[]>> = {
  ...primaryKeys,
  item_index: ['number'],
  group_index: ['number'],
  user_index: ['number'],
  inexact_categories: ['category_id'],
  audit_unindexed: ['number'],
  audit_steps: ['first_number'],
  owner_tags: ['owner_id', 'tag'],
  owner_tag_changes: ['id'],
  item_counts: ['owner_kind', 'owner_id'],
  item_count_changes: ['id'],
}

function keyOf(table: Table['name']): readonly string[] {
  return keys[table]
}
