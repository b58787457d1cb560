/** The log, and the work in steps that goes on after its request. */
export const audit = `
create table audit (
  id integer primary key autoincrement, happened_at bigint not null, address text not null,
  operation text not null, target text not null, outcome integer not null, request_id text not null,
  username text, portal_id text, owner_id text, data text, checksum bigint
);
create index audit_without_checksum on audit (checksum) where checksum is null;

create table jobs (
  job_id text not null, portal_id text not null, kind text not null, starter_id text not null,
  state text not null, done bigint not null, total bigint not null, failures text not null,
  position text not null, started_at bigint not null, stepped_at bigint not null, ended_at bigint,
  by_administrator integer default 0 not null, failed_steps integer default 0 not null, reverts text,
  leased_by text, leased_until bigint,
  constraint jobs_pk primary key (job_id),
  constraint jobs_portal foreign key (portal_id) references portals (portal_id) on delete cascade
);
create index jobs_by_portal on jobs (portal_id, ended_at);
create index jobs_by_end on jobs (ended_at, stepped_at, job_id);
create index jobs_by_starter on jobs (starter_id, ended_at);

create table job_items (
  job_id text not null, row integer not null, data text not null,
  constraint job_items_pk primary key (job_id, row),
  constraint job_items_job foreign key (job_id) references jobs (job_id) on delete cascade
) without rowid;
`
