/** Category schemas with their versions, drafts and templates. */
export const categories = `
create table category_schemas (
  owner_kind text not null, owner_id text not null, version integer not null, is_set integer not null,
  assigned_at bigint not null, document_version integer not null, checksum bigint not null,
  kept_versions integer not null, group_deleted_at bigint, portal_id text, removable_since bigint,
  constraint category_schemas_key primary key (owner_kind, owner_id)
) without rowid;
create index category_schemas_by_age on category_schemas (removable_since) where removable_since is not null;
create index category_schemas_by_deletion on category_schemas (group_deleted_at) where group_deleted_at is not null;

create table category_schema_versions (
  owner_kind text not null, owner_id text not null, version integer not null, author text not null,
  assigned_at bigint not null, document text, same_as integer, trees integer, categories integer,
  action text, comment text, moves text, path_moves text, restored_from integer, checksum bigint, draft text,
  constraint category_schema_versions_pk primary key (owner_kind, owner_id, version)
);
create index category_schema_versions_without_checksum on category_schema_versions (checksum)
  where checksum is null and document is not null;

create table schema_drafts (
  draft_id text not null, owner_kind text not null, owner_id text not null, portal_id text not null,
  name text not null, document text not null, categories integer not null, base_version integer not null,
  revision integer not null, moves text not null, created_by text not null, created_at bigint not null,
  saved_by text not null, saved_at bigint not null, state text not null, comment text, vanishing text,
  state_by text, state_at bigint, note text, reviewer text, publish_at bigint, checksum bigint,
  action text default 'assign' not null, restored_from integer, items text,
  people text default '{"savers":[]}' not null, saved_revision integer default 1 not null,
  reminded_at bigint,
  constraint schema_drafts_pk primary key (draft_id),
  constraint schema_drafts_portal foreign key (portal_id) references portals (portal_id) on delete cascade
);
create index schema_drafts_by_owner on schema_drafts (owner_kind, owner_id);
create index schema_drafts_pending on schema_drafts (portal_id, state_at) where state <> 'open';
create index schema_drafts_due on schema_drafts (publish_at) where state = 'scheduled';
create index schema_drafts_without_checksum on schema_drafts (checksum) where checksum is null;
create index schema_drafts_by_time on schema_drafts (saved_at);

create table schema_templates (
  portal_id text not null, name text not null, title text not null, document text not null,
  created_by text not null, categories integer not null, created_at bigint not null, source text,
  checksum bigint,
  constraint schema_templates_pk primary key (portal_id, name),
  constraint schema_templates_portal foreign key (portal_id) references portals (portal_id) on delete cascade
);
create index schema_templates_without_checksum on schema_templates (checksum) where checksum is null;
`
