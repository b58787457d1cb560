import type { Kysely } from 'kysely'
import { execute } from './statements.ts'

/** Webhooks, their settings, what is delivered to them, and each attempt at that. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await execute(
    db,
    `
create table webhook_settings (
  portal_id text primary key references portals (portal_id),
  notification_attempts integer not null,
  notification_time_out_in_seconds integer not null,
  notification_elapsed_time_in_seconds integer not null,
  portal_url text not null,
  sends integer not null
) without rowid;

create table webhook_revision (
  id integer not null,
  revision text not null,
  primary key (id)
);

create table webhooks (
  webhook_id text primary key,
  portal_id text not null references portals (portal_id),
  owner_id text not null,
  name text not null,
  name_key text not null,
  url text not null,
  is_active integer not null,
  events text not null,
  number_of_failures integer not null,
  days_in_past integer not null,
  sealed_secret text not null,
  former_secret text,
  former_secret_ends_at bigint,
  created_at bigint not null,
  modified_at bigint not null,
  last_failure_at bigint,
  ending text,
  ended_by text,
  failures integer not null,
  window_began_at bigint,
  failures_in_row integer not null,
  waits_until bigint,
  pulled_at bigint,
  has_overflowed integer not null,
  lease text,
  leased_until bigint,
  unique (portal_id, name_key)
) without rowid;

create table webhook_deliveries (
  id integer primary key autoincrement,
  delivery_id text not null unique,
  webhook_id text not null references webhooks (webhook_id) on delete cascade,
  portal_id text not null,
  event_ids text not null,
  paths text not null,
  objects text not null,
  payload text not null,
  state text not null,
  attempts integer not null,
  tries integer not null,
  created_at bigint not null,
  next_attempt_at bigint,
  last_status integer,
  last_error text,
  took_ms integer,
  leased_until bigint,
  ended_at bigint
);

create index webhook_deliveries_of_hook on webhook_deliveries (webhook_id, id);
create index webhook_deliveries_pending on webhook_deliveries (webhook_id, id) where state = 'pending';
create index webhook_deliveries_due on webhook_deliveries (webhook_id, next_attempt_at) where state = 'pending';
create index webhook_deliveries_old on webhook_deliveries (created_at) where state = 'pending';
create index webhook_deliveries_ended on webhook_deliveries (ended_at) where ended_at is not null;

create table webhook_attempts (
  id integer primary key autoincrement,
  delivery_id text not null references webhook_deliveries (delivery_id) on delete cascade,
  webhook_id text not null,
  attempted_at bigint not null,
  status integer,
  error text,
  took_ms integer,
  response_text text
);

create index webhook_attempts_of_delivery on webhook_attempts (delivery_id, id);
create index webhook_attempts_of_hook on webhook_attempts (webhook_id, id);
`,
  )
}
