import type { Kysely } from 'kysely'
import { execute, isPostgres } from '../statements.ts'

/**
 * Index of the search, derived from other tables. The server fills it at its next start: `index_version` is the version of the
 * index that it has filled.
 */
export async function makeSearchIndex(db: Kysely<unknown>): Promise<void> {
  if (isPostgres(db)) {
    await makeTables(db, 'bigint', ' tokens tsvector not null,', ' with (toast_tuple_target = 256)')
    await execute(db, wordsOnPostgres)
  } else {
    await makeTables(db, 'integer', '', '')
    for (const noun of ['group', 'user']) await execute(db, wordsOnSqlite(noun))
    await makeItemWords(db)
  }
}

/** The index of items alone, on SQLite. */
export async function makeItemIndex(db: Kysely<unknown>): Promise<void> {
  await execute(db, ofItems('integer', '', ''))
  await makeItemWords(db)
  await execute(db, keepRemoved('item'))
}

async function makeItemWords(db: Kysely<unknown>): Promise<void> {
  await execute(db, wordsOnSqlite('item'))
  await execute(db, itemChanges)
}

/** On PostgreSQL, rows have their words, which are stored apart from the other columns: counting reads those. */
async function makeTables(db: Kysely<unknown>, number: string, tokens: string, storage: string): Promise<void> {
  const ofNoun = (noun: string) => `
create table ${noun}_index (
  number integer primary key, ${noun}_id text not null, digest text not null, keywords text not null,${tokens}
  constraint ${noun}_index_${noun} unique (${noun}_id),
  constraint ${noun}_index_id foreign key (${noun}_id) references ${noun}s (${noun}_id) on delete cascade
)${storage};
`
  for (const tables of [ofItems(number, tokens, storage), ofNoun('group'), ofNoun('user')]) await execute(db, tables)
}

const ofItems = (number: string, tokens: string, storage: string) => `
create table item_index (
  number ${number} not null, item_id text not null, created_at bigint not null, modified_at bigint not null,
  access text not null, type text not null, type_key text not null, tags text not null,
  categories text not null, digest text not null, keywords text not null,${tokens}
  constraint item_index_pk primary key (number),
  constraint item_index_item foreign key (number) references items (id) on delete cascade
)${storage};

create table index_version (
  version integer not null
);

create table inexact_categories (
  category_id bigint not null,
  constraint inexact_categories_pk primary key (category_id),
  constraint inexact_categories_category foreign key (category_id) references category_paths (id) on delete cascade
);
`

/**
 * Words of items are first put into a list, which every search reads, and from there into the index, many together: its limit,
 * in kilobytes, is that of 120 to 200 items.
 */
const wordsOnPostgres = `
create index item_index_by_tokens on item_index using gin (tokens)
  with (fastupdate = on, gin_pending_list_limit = 512);
create index group_index_by_tokens on group_index using gin (tokens) with (fastupdate = off);
create index user_index_by_tokens on user_index using gin (tokens) with (fastupdate = off);
`

/**
 * A segment of the words is written again for its removed rows once they are 60 % of it, not 10 %: for each word of such a segment,
 * FTS5 goes through the numbers of removed rows, which takes a fifth of a second at a time where these follow each other, as measured.
 */
export const keepRemoved = (noun: string) => `
insert into ${noun}_words (${noun}_words, rank) values ('deletemerge', 60);
`

/** The words are folded already; the tokenizer only splits them. They are removed with their row. */
const wordsOnSqlite = (noun: string) => `
create virtual table ${noun}_words using fts5(tokens, content = '', contentless_delete = 1, tokenize = 'ascii');
create trigger ${noun}_words_go after delete on ${noun}_index
  begin delete from ${noun}_words where rowid = old.number; end;
`

/**
 * Numbers of items whose row of the index was written or removed, in the order of the writes: the search thread keeps columns of
 * all items in memory, and follows these changes. Ids have no gaps. 20,000 are kept at least (chosen): a search that has missed
 * more reads all items again.
 */
const itemChanges = `
create table item_changes (
  id integer not null, number integer not null,
  constraint item_changes_pk primary key (id)
);
create trigger item_changes_by_insert after insert on item_index
  begin insert into item_changes (number) values (new.number); end;
create trigger item_changes_by_update after update on item_index
  begin insert into item_changes (number) values (new.number); end;
create trigger item_changes_by_delete after delete on item_index
  begin insert into item_changes (number) values (old.number); end;
create trigger item_changes_go after insert on item_changes when new.id % 1000 = 0
  begin delete from item_changes where id <= new.id - 20000; end;
`
