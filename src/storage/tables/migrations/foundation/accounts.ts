import type { Kysely } from 'kysely'
import { bytesOf, keptRows } from '../../rows/kept-bytes.ts'
import { execute, isPostgres } from '../statements.ts'

/**
 * Accounts of users and organizations: items, and the bytes of all that they keep. Bytes of versions, drafts and jobs count by
 * triggers. On PostgreSQL, concurrent writes of one user would conflict about the row of the account: each statement adds rows
 * that housekeeping sums up.
 */
export async function makeAccounts(db: Kysely<unknown>): Promise<void> {
  await execute(db, counts)
  for (const kept of keptRows) await execute(db, isPostgres(db) ? noteChanges(kept) : follow(kept))
}

const counts = `
create table item_counts (
  owner_kind text not null, owner_id text not null, items bigint not null, bytes bigint default 0 not null,
  constraint item_counts_pk primary key (owner_kind, owner_id)
);
create index item_counts_by_bytes on item_counts (owner_kind, bytes);

create table item_count_changes (
  id integer primary key autoincrement, owner_id text not null, items integer not null,
  bytes bigint default 0 not null
);
`

type Kept = (typeof keptRows)[number]

const rowsOf = ({ texts, account }: Kept, from: string, row: string, sign = '') =>
  `select ${account(row)} as account, ${sign}(${bytesOf(texts, row)}) as bytes ${from}`

/** A trigger for each statement: a job has up to 10,000 rows. */
function noteChanges(kept: Kept): string {
  const note = (from: string) => `insert into item_count_changes (owner_id, items, bytes)
    select account, 0, sum(bytes) from (${from}) as counted where account is not null group by account having sum(bytes) <> 0`
  const [added, gone] = [rowsOf(kept, 'from added as kept', 'kept'), rowsOf(kept, 'from gone as kept', 'kept', '-')]
  const trigger = (event: string, tables: string, from: string) => `
create function ${kept.table}_${event}_kept() returns trigger language plpgsql as $$ begin ${note(from)};
      return null; end $$;
create trigger ${kept.table}_${event}_kept after ${event} on ${kept.table} referencing ${tables}
  for each statement execute function ${kept.table}_${event}_kept();
`
  return [
    trigger('insert', 'new table as added', added),
    trigger('delete', 'old table as gone', gone),
    trigger('update', 'new table as added old table as gone', `${added} union all ${gone}`),
  ].join('')
}

function follow(kept: Kept): string {
  const count = (from: string) => `insert into item_counts (owner_kind, owner_id, items, bytes)
    select 'user', account, 0, bytes from (${from}) where account is not null and bytes <> 0
    on conflict (owner_kind, owner_id) do update set bytes = item_counts.bytes + excluded.bytes;`
  const [added, gone] = [count(rowsOf(kept, '', 'new')), count(rowsOf(kept, '', 'old', '-'))]
  const trigger = (event: string, when: string, statements: string) => `
create trigger ${kept.table}_${event}_kept after ${when} on ${kept.table}
  begin ${statements} end;
`
  return [
    trigger('insert', 'insert', added),
    trigger('delete', 'delete', gone),
    trigger('update', `update of ${kept.texts.join(', ')}`, added + gone),
  ].join('')
}
