import { type Kysely, sql } from 'kysely'
import { isPostgres, table } from './create-table.ts'

/**
 * Index of the log as full text, in place of blocks and terms. A trigger records each new entry in `audit_unindexed`, from which
 * housekeeping takes it. All existing entries are put there, too: searches scan them until then.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const name of ['audit_terms', 'audit_blocks']) await db.schema.dropTable(name).execute()

  const number = isPostgres(db) ? 'bigint' : 'integer'
  await table(db, 'audit_unindexed', { number }).addPrimaryKeyConstraint('audit_unindexed_pk', ['number']).execute()
  // Entries without an organization are in no log.
  await sql`insert into audit_unindexed (number) select id from audit where portal_id is not null`.execute(db)

  const step = { first_number: number, last_number: number, first_at: 'bigint', last_at: 'bigint' } as const
  await table(db, 'audit_steps', step).addPrimaryKeyConstraint('audit_steps_pk', ['first_number']).execute()

  if (isPostgres(db)) {
    await table(db, 'audit_words', { number })
      .addColumn('tokens', sql`tsvector`, (column) => column.notNull())
      .addPrimaryKeyConstraint('audit_words_pk', ['number'])
      .execute()
    await sql`create index audit_words_by_tokens on audit_words using gin (tokens) with (fastupdate = off)`.execute(db)
    await sql`create function note_audit_entry() returns trigger language plpgsql as
      $$ begin insert into audit_unindexed (number) values (new.id); return null; end $$`.execute(db)
    await sql`create trigger audit_noted after insert on audit for each row when (new.portal_id is not null)
      execute function note_audit_entry()`.execute(db)
    return
  }
  await sql`create virtual table audit_words
    using fts5(tokens, content = '', contentless_delete = 1, tokenize = 'ascii', detail = none)`.execute(db)
  await sql`create trigger audit_noted after insert on audit when new.portal_id is not null
    begin insert or ignore into audit_unindexed (number) values (new.id); end`.execute(db)
}
