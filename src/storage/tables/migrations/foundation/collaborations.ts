/** Collaborations on the side of the host, with invitations, and of the guest; keys and addresses of other portals. */
export const collaborations = `
create table collaborations (
  collaboration_id text not null, host_portal_id text not null, name text not null,
  description text not null, contact_first_name text not null, contact_last_name text not null,
  contact_email text not null, config text not null, created_at bigint not null, modified_at bigint not null,
  constraint collaborations_pk primary key (collaboration_id),
  constraint collaborations_host foreign key (host_portal_id) references portals (portal_id)
);
create index collaborations_by_host on collaborations (host_portal_id, created_at desc, collaboration_id);

create table workspaces (
  workspace_id text not null, collaboration_id text not null, name text not null, description text not null,
  created_at bigint not null, modified_at bigint not null,
  constraint workspaces_pk primary key (workspace_id),
  constraint workspaces_collaboration foreign key (collaboration_id)
    references collaborations (collaboration_id) on delete cascade
);
create index workspaces_by_collaboration on workspaces (collaboration_id, created_at, workspace_id);

create table participants (
  collaboration_id text not null, portal_id text not null, portal_name text not null,
  portal_url text not null, role text not null, contact_first_name text not null,
  contact_last_name text not null, contact_email text not null, created_at bigint not null,
  modified_at bigint not null,
  constraint participants_pk primary key (collaboration_id, portal_id),
  constraint participants_collaboration foreign key (collaboration_id)
    references collaborations (collaboration_id) on delete cascade
);
create index participants_by_collaboration on participants (collaboration_id, role desc, created_at, portal_id);

create table participant_workspaces (
  collaboration_id text not null, portal_id text not null, workspace_id text not null,
  access_mode text not null, group_id text,
  constraint participant_workspaces_pk primary key (collaboration_id, portal_id, workspace_id),
  constraint participant_workspaces_workspace foreign key (workspace_id)
    references workspaces (workspace_id) on delete cascade,
  constraint participant_workspaces_participant foreign key (collaboration_id, portal_id)
    references participants (collaboration_id, portal_id) on delete cascade,
  constraint participant_workspaces_group foreign key (group_id) references groups (group_id) on delete set null
);
create index participant_workspaces_by_workspace on participant_workspaces (workspace_id);
create index participant_workspaces_by_group on participant_workspaces (group_id);

create table invitations (
  invitation_id text not null, collaboration_id text not null, host_portal_id text not null,
  guest_portal_url text not null, state text not null, workspaces text not null, file text not null,
  digest text not null, file_name text not null, revision integer not null, created_at bigint not null,
  modified_at bigint not null, expires_at bigint not null, guest_portal_id text,
  constraint invitations_pk primary key (invitation_id),
  constraint invitations_collaboration foreign key (collaboration_id)
    references collaborations (collaboration_id) on delete cascade
);
create index invitations_by_created_at on invitations (collaboration_id, created_at, invitation_id);
create index invitations_by_modified_at on invitations (collaboration_id, modified_at, invitation_id);
create index invitations_by_expires_at on invitations (collaboration_id, expires_at, invitation_id);
create index invitations_by_state on invitations (collaboration_id, state, invitation_id);
create index invitations_by_guest_portal_url on invitations (collaboration_id, guest_portal_url, invitation_id);

create table invitation_steps (
  invitation_id text not null, step integer not null, event text not null, to_state text not null,
  username text not null, happened_at bigint not null, from_state text,
  constraint invitation_steps_pk primary key (invitation_id, step),
  constraint invitation_steps_invitation foreign key (invitation_id)
    references invitations (invitation_id) on delete cascade
);

create table known_keys (
  portal_id text not null, signer_portal_id text not null, fingerprint text not null,
  known_since bigint not null,
  constraint known_keys_pk primary key (portal_id, signer_portal_id),
  constraint known_keys_portal foreign key (portal_id) references portals (portal_id)
);

create table known_addresses (
  portal_id text not null, address text not null, signer_portal_id text not null,
  known_since bigint not null,
  constraint known_addresses_pk primary key (portal_id, address, signer_portal_id),
  constraint known_addresses_key foreign key (portal_id, signer_portal_id)
    references known_keys (portal_id, signer_portal_id) on delete cascade
) without rowid;

create table participations (
  portal_id text not null, collaboration_id text not null, name text not null, description text not null,
  host_portal_id text not null, host_portal_name text not null, host_portal_url text not null,
  host_first_name text not null, host_last_name text not null, host_email text not null,
  host_fingerprint text not null, guest_first_name text not null, guest_last_name text not null,
  guest_email text not null, guest_portal_url text not null, invitation_id text not null,
  invitation_digest text not null, created_at bigint not null, modified_at bigint not null,
  host_collaboration_id text default '' not null,
  constraint participations_pk primary key (portal_id, collaboration_id),
  constraint participations_portal foreign key (portal_id) references portals (portal_id)
);
create index participations_by_portal on participations (portal_id, created_at desc, collaboration_id);
create unique index participations_by_host on participations (portal_id, host_portal_id, host_collaboration_id);

create table participation_workspaces (
  portal_id text not null, collaboration_id text not null, workspace_id text not null,
  position integer not null, name text not null, description text not null, access_mode text not null,
  group_id text,
  constraint participation_workspaces_group foreign key (group_id) references groups (group_id) on delete set null,
  constraint participation_workspaces_pk primary key (portal_id, collaboration_id, workspace_id),
  constraint participation_workspaces_participation foreign key (portal_id, collaboration_id)
    references participations (portal_id, collaboration_id) on delete cascade
);
create index participation_workspaces_by_group on participation_workspaces (group_id);
`
