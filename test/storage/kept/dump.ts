import type { Query } from '../../support/databases/recorded.ts'

/**
 * Remembers the statements by which a program makes its tables in an empty PostgreSQL database, of which there is no other
 * text: the packages with the server have no pg_dump. The function that it answers ends that, and has them in order.
 */
export async function recordStatements(query: Query): Promise<() => Promise<readonly string[]>> {
  await query(`create schema keeping;
    create table keeping.statements (id bigserial primary key, text text);
    create function keeping.note() returns event_trigger language plpgsql as
      $$ begin insert into keeping.statements (text) values (current_query()); end $$;
    create event trigger keeping on ddl_command_start execute function keeping.note();`)
  return async () => {
    await query('drop event trigger keeping')
    const rows = await query<{ text: string }>('select text from keeping.statements order by id')
    await query('drop schema keeping cascade')
    return rows.map(({ text }) => text)
  }
}

/** A database as text: the statements that made its tables, and its rows, in the order of its tables. */
export async function dumpOf(query: Query, statements: readonly string[]): Promise<string> {
  const lines = statements.map((text) => `${text};`)
  lines.push('set session_replication_role = replica;')
  const tables = await query<{ name: string; columns: readonly string[]; numbered: string | null }>(`
    select c.relname as name,
      array_agg(a.attname::text order by a.attnum) filter (where a.attgenerated = '') as columns,
      min(a.attname) filter (where a.attidentity <> '' or pg_get_serial_sequence(c.relname, a.attname) is not null) as numbered
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
    group by c.oid, c.relname order by c.oid`)
  for (const { name, columns, numbered } of tables) {
    const values = columns.map((column) => `quote_nullable("${column}"::text)`)
    const rows = await query<{ row: string }>(
      `select concat_ws(', ', ${values.join(', ')}) as row from "${name}" order by 1`,
    )
    const into = `insert into "${name}" (${columns.map((column) => `"${column}"`).join(', ')}) overriding system value`
    lines.push(...rows.map(({ row }) => `${into} values (${row});`))
    if (numbered) {
      const [last] = await query<{ text: string }>(
        `select format('select setval(pg_get_serial_sequence(%L, %L), coalesce(max(%I), 0) + 1, false)', '${name}', '${numbered}', '${numbered}') as text`,
      )
      lines.push(`${last!.text} from "${name}";`)
    }
  }
  return `${lines.join('\n')}\n`
}
