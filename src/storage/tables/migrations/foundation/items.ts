/** Items, their data, the groups that they are shared with, and their categories; what became of them, and how many carry a category. */
export const items = `
create table items (
  id integer primary key autoincrement, item_id text not null, portal_id text not null,
  owner_id text not null, level text not null, access text not null, is_protected integer not null,
  size bigint not null, created_at bigint not null, modified_at bigint not null, title text not null,
  title_key text not null, type text not null, type_keywords text not null, tags text not null,
  culture text not null, spatial_reference text not null, url text not null, snippet text not null,
  access_information text not null, documentation text not null, license_info text not null,
  description text not null, west double precision, south double precision, east double precision,
  north double precision, properties text, bytes bigint default 0 not null, checksum bigint,
  constraint items_item_id unique (item_id),
  constraint items_portal foreign key (portal_id) references portals (portal_id),
  constraint items_owner foreign key (owner_id) references users (user_id)
);
create index items_by_portal on items (portal_id);
create index items_by_owner on items (owner_id);
create index items_without_checksum on items (checksum) where checksum is null;

create table removed_items (
  item_id text not null,
  constraint removed_items_pk primary key (item_id)
);

create table item_texts (
  item_number bigint not null, text text not null, checksum bigint,
  constraint item_texts_pk primary key (item_number),
  constraint item_texts_item foreign key (item_number) references items (id) on delete cascade
);
create index item_texts_without_checksum on item_texts (checksum) where checksum is null;

create table item_groups (
  item_number bigint not null, group_id text not null, gives_control integer not null,
  constraint item_groups_pk primary key (item_number, group_id),
  constraint item_groups_item foreign key (item_number) references items (id) on delete cascade
) without rowid;
create index item_groups_by_group on item_groups (group_id, item_number);

create table ended_links (
  group_id text not null, owner_id text not null, after_item bigint not null,
  constraint ended_links_pk primary key (group_id, owner_id)
);

create table category_paths (
  id integer primary key autoincrement, owner_kind text not null, owner_id text not null, path text not null,
  path_key text not null, depth integer not null, parent_id bigint, state text default 'primary' not null
);
create index category_paths_by_key on category_paths (owner_kind, owner_id, path_key);
create unique index category_paths_primary on category_paths (owner_kind, owner_id, path) where state = 'primary';
create index category_paths_cleared on category_paths (owner_kind, owner_id) where state = 'cleared';

create table item_categories (
  category_id bigint not null, item_number bigint not null, position integer not null,
  constraint item_categories_key primary key (category_id, item_number),
  constraint item_categories_of_category foreign key (category_id) references category_paths (id) on delete cascade,
  constraint item_categories_of_item foreign key (item_number) references items (id) on delete cascade
) without rowid;
create index item_categories_by_item on item_categories (item_number);

create table item_history (
  entry bigint not null, item_id text not null, portal_id text not null, change text not null, run_id text,
  reverted_at bigint,
  constraint item_history_pk primary key (entry, item_id),
  constraint item_history_entry foreign key (entry) references audit (id) on delete cascade
) without rowid;
create index item_history_by_item on item_history (item_id, entry);
create index item_history_by_run on item_history (run_id, entry, item_id) where run_id is not null;

create table coverage_days (
  owner_kind text not null, owner_id text not null, day text not null, path text not null,
  items integer not null,
  constraint coverage_days_pk primary key (owner_kind, owner_id, day, path)
) without rowid;
create index coverage_days_by_day on coverage_days (day);
`
