import type { Kysely } from 'kysely'
import { execute, isPostgres } from '../statements.ts'

/**
 * Index of the log as full text. A trigger records each new entry in `audit_unindexed`, from which housekeeping takes it. Entries
 * without an organization are in no log.
 */
export async function makeLogIndex(db: Kysely<unknown>): Promise<void> {
  const number = isPostgres(db) ? 'bigint' : 'integer'
  await execute(
    db,
    `
create table audit_unindexed (
  number ${number} not null,
  constraint audit_unindexed_pk primary key (number)
);

create table audit_steps (
  first_number ${number} not null, last_number ${number} not null,
  first_at bigint not null, last_at bigint not null,
  constraint audit_steps_pk primary key (first_number)
);
`,
  )
  await execute(db, isPostgres(db) ? onPostgres : onSqlite)
}

const onPostgres = `
create table audit_words (
  number bigint not null, tokens tsvector not null,
  constraint audit_words_pk primary key (number)
);
create index audit_words_by_tokens on audit_words using gin (tokens) with (fastupdate = off);

create function note_audit_entry() returns trigger language plpgsql as
  $$ begin insert into audit_unindexed (number) values (new.id); return null; end $$;
create trigger audit_noted after insert on audit for each row when (new.portal_id is not null)
  execute function note_audit_entry();
`

const onSqlite = `
create virtual table audit_words
  using fts5(tokens, content = '', contentless_delete = 1, tokenize = 'ascii', detail = none);
create trigger audit_noted after insert on audit when new.portal_id is not null
  begin insert or ignore into audit_unindexed (number) values (new.id); end;
`
