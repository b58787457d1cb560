/** Organizations, people, roles and groups, with invitations to groups, requests to join them, and notifications. */
export const directory = `
create table portals (
  portal_id text not null, name text not null, description text not null, url_key text not null,
  access text not null, public_key text not null, sealed_private_key text not null,
  created_at bigint not null, modified_at bigint not null, culture text default '' not null,
  category_policy text default '{"require":"off","below":[],"types":[],"when":"public"}' not null,
  category_approval text default 'none' not null,
  constraint portals_pk primary key (portal_id),
  constraint portals_url_key unique (url_key)
);

create table users (
  user_id text not null, username text not null, username_key text not null, portal_id text not null,
  full_name text not null, first_name text not null, last_name text not null, email text not null,
  description text not null, access text not null, role text not null, disabled integer not null,
  password_hash text not null, created_at bigint not null, modified_at bigint not null,
  last_sign_in_at bigint, tags text default '[]' not null, culture text default '' not null,
  region text default '' not null, units text default '' not null, password_expires_at bigint,
  provider_username text,
  constraint users_pk primary key (user_id),
  constraint users_username_key unique (username_key),
  constraint users_portal foreign key (portal_id) references portals (portal_id)
);
create index users_by_portal on users (portal_id, username_key);
create index users_by_role on users (role);
create index users_by_provider_username on users (portal_id, provider_username);
create index users_by_email on users (portal_id, lower(email));

create table roles (
  role_id text not null, portal_id text not null, name text not null, description text not null,
  privileges text not null, created_at bigint not null, modified_at bigint not null,
  constraint roles_pk primary key (role_id),
  constraint roles_portal foreign key (portal_id) references portals (portal_id)
);
create index roles_by_portal on roles (portal_id, name);

create table groups (
  group_id text not null, portal_id text not null, owner_id text not null, title text not null,
  description text not null, snippet text not null, tags text not null, title_key text not null,
  access text not null, sort_field text not null, sort_order text not null, is_view_only integer not null,
  is_invitation_only integer not null, auto_join integer not null, is_protected integer not null,
  created_at bigint not null, modified_at bigint not null, gives_item_control integer default 0 not null,
  is_leaving_disallowed integer default 0 not null, hides_members integer default 0 not null,
  membership_access text default 'org' not null, shown_item_types text default '' not null,
  phone text default '' not null,
  constraint groups_pk primary key (group_id),
  constraint groups_portal foreign key (portal_id) references portals (portal_id),
  constraint groups_owner foreign key (owner_id) references users (user_id)
);
create index groups_by_portal on groups (portal_id, title);
create index groups_by_owner on groups (owner_id);

create table members (
  group_id text not null, user_id text not null, member_type text not null, joined_at bigint not null,
  constraint members_pk primary key (group_id, user_id),
  constraint members_group foreign key (group_id) references groups (group_id) on delete cascade,
  constraint members_user foreign key (user_id) references users (user_id) on delete cascade
);
create index members_by_user on members (user_id);

create table group_invitations (
  invitation_id text not null, group_id text not null, user_id text not null, inviter_id text not null,
  member_type text not null, created_at bigint not null, expires_at bigint not null,
  constraint group_invitations_pk primary key (invitation_id),
  constraint group_invitations_once unique (group_id, user_id),
  constraint group_invitations_group foreign key (group_id) references groups (group_id) on delete cascade,
  constraint group_invitations_user foreign key (user_id) references users (user_id) on delete cascade,
  constraint group_invitations_inviter foreign key (inviter_id) references users (user_id) on delete cascade
);
create index group_invitations_by_user on group_invitations (user_id, created_at);
create index group_invitations_by_inviter on group_invitations (inviter_id);
create index group_invitations_by_expiry on group_invitations (expires_at);

create table group_applications (
  group_id text not null, user_id text not null, created_at bigint not null,
  constraint group_applications_pk primary key (group_id, user_id),
  constraint group_applications_group foreign key (group_id) references groups (group_id) on delete cascade,
  constraint group_applications_user foreign key (user_id) references users (user_id) on delete cascade
);
create index group_applications_by_user on group_applications (user_id);
create index group_applications_by_time on group_applications (created_at);

create table notifications (
  notification_id text not null, user_id text not null, type text not null, group_id text not null,
  group_title text not null, created_at bigint not null,
  constraint notifications_pk primary key (notification_id),
  constraint notifications_user foreign key (user_id) references users (user_id) on delete cascade
);
create index notifications_by_user on notifications (user_id, created_at, notification_id);
`
