/** Apps and their grants, tokens, browser sessions, accounts of identity providers, links that are used once, and failed sign-ins. */
export const signIn = `
create table oauth_apps (
  client_id text not null, portal_id text not null, title text not null, app_type text not null,
  redirect_uris text not null, http_referrers text not null, privileges text not null,
  allows_plain integer not null, cannot_prove integer not null, query_may_differ integer not null,
  rotates_always integer not null, asks_nothing integer not null, disabled integer not null,
  created_at bigint not null, modified_at bigint not null, item_id text, secret_hash text,
  former_secret_hash text, confirmed integer default 0 not null, secret_made_at bigint,
  secret_expires_at bigint, former_secret_expires_at bigint, reminders integer default 0 not null,
  constraint oauth_apps_pk primary key (client_id),
  constraint oauth_apps_item_id unique (item_id),
  constraint oauth_apps_portal foreign key (portal_id) references portals (portal_id) on delete cascade,
  constraint oauth_apps_item foreign key (item_id) references items (item_id) on delete cascade
);
create index oauth_apps_by_portal on oauth_apps (portal_id, client_id);

create table app_tokens (
  token_hash text not null, client_id text not null, created_at bigint not null, expires_at bigint not null,
  constraint app_tokens_pk primary key (token_hash),
  constraint app_tokens_app foreign key (client_id) references oauth_apps (client_id) on delete cascade
);
create index app_tokens_by_app on app_tokens (client_id);
create index app_tokens_by_end on app_tokens (expires_at);

create table switched_off_apps (
  portal_id text not null, client_id text not null,
  constraint switched_off_apps_pk primary key (portal_id, client_id),
  constraint switched_off_apps_portal foreign key (portal_id) references portals (portal_id) on delete cascade
);

create table grants (
  grant_id text not null, user_id text not null, client_id text not null, way text not null,
  address text not null, agent text not null, created_at bigint not null, last_used_at bigint not null,
  expires_at bigint not null, idle_minutes integer not null, issuer text, provider_session text,
  app_id text references oauth_apps (client_id) on delete cascade, needs_secret integer default 0 not null,
  constraint grants_pk primary key (grant_id),
  constraint grants_user foreign key (user_id) references users (user_id) on delete cascade
);
create index grants_by_user on grants (user_id, created_at);
create index grants_by_client on grants (client_id);
create index grants_by_end on grants (expires_at);
create index grants_by_app on grants (app_id) where app_id is not null;
create index grants_by_provider_session on grants (issuer, provider_session);

create table authorization_codes (
  code_hash text not null, grant_id text not null, client_id text not null, redirect_uri text not null,
  refresh_minutes integer not null, expires_at bigint not null, challenge text, challenge_method text,
  used_at bigint,
  constraint authorization_codes_pk primary key (code_hash),
  constraint authorization_codes_grant foreign key (grant_id) references grants (grant_id) on delete cascade
);
create index authorization_codes_by_grant on authorization_codes (grant_id);

create table refresh_tokens (
  token_hash text not null, grant_id text not null, created_at bigint not null, expires_at bigint not null,
  lifetime_minutes integer not null, exchanged_at bigint,
  constraint refresh_tokens_pk primary key (token_hash),
  constraint refresh_tokens_grant foreign key (grant_id) references grants (grant_id) on delete cascade
);
create index refresh_tokens_by_grant on refresh_tokens (grant_id);
create index refresh_tokens_by_end on refresh_tokens (expires_at);

create table tokens (
  token_hash text not null, user_id text not null, created_at bigint not null, expires_at bigint not null,
  grant_id text references grants (grant_id) on delete cascade, address text, agent text,
  constraint tokens_pk primary key (token_hash),
  constraint tokens_user foreign key (user_id) references users (user_id) on delete cascade
);
create index tokens_by_user on tokens (user_id);
create index tokens_by_expiry on tokens (expires_at);
create index tokens_by_grant on tokens (grant_id) where grant_id is not null;

create table browser_sessions (
  session_hash text not null, user_id text not null, way text not null, address text not null,
  agent text not null, created_at bigint not null, last_used_at bigint not null, expires_at bigint not null,
  issuer text, provider_session text, sealed_id_token text,
  constraint browser_sessions_pk primary key (session_hash),
  constraint browser_sessions_user foreign key (user_id) references users (user_id) on delete cascade
);
create index browser_sessions_by_user on browser_sessions (user_id);
create index browser_sessions_by_end on browser_sessions (expires_at);

create table consents (
  user_id text not null, client_id text not null, fingerprint text not null, given_at bigint not null,
  constraint consents_pk primary key (user_id, client_id),
  constraint consents_user foreign key (user_id) references users (user_id) on delete cascade
);

create table user_identities (
  issuer text not null, subject text not null, user_id text not null, display text not null,
  linked_at bigint not null, last_used_at bigint not null,
  constraint user_identities_pk primary key (issuer, subject),
  constraint user_identities_user foreign key (user_id) references users (user_id) on delete cascade
);
create index user_identities_by_user on user_identities (user_id);

create table logout_tokens (
  token_hash text not null, expires_at bigint not null,
  constraint logout_tokens_pk primary key (token_hash)
);

create table one_time_links (
  link_hash text not null, user_id text not null, expires_at bigint not null,
  maker_id text references users (user_id) on delete cascade,
  constraint one_time_links_pk primary key (link_hash),
  constraint one_time_links_user foreign key (user_id) references users (user_id) on delete cascade
);
create index one_time_links_by_user on one_time_links (user_id);

create table sign_in_failures (
  id integer primary key autoincrement, account_key text not null, address text not null,
  is_cross_site integer not null, failed_at bigint not null, origin text
);
create index sign_in_failures_by_account_key on sign_in_failures (account_key, is_cross_site, failed_at);
create index sign_in_failures_by_address on sign_in_failures (address, is_cross_site, failed_at);
create index sign_in_failures_by_time on sign_in_failures (failed_at);

create table sign_in_addresses (
  user_id text not null, address text not null, signed_in_at bigint not null,
  constraint sign_in_addresses_pk primary key (user_id, address),
  constraint sign_in_addresses_user foreign key (user_id) references users (user_id) on delete cascade
);
create index sign_in_addresses_by_time on sign_in_addresses (user_id, signed_in_at);
`
