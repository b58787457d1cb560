import type { ForeignKeyConstraintBuilder, Kysely } from 'kysely'
import { columnType, numbered, table } from './create-table.ts'

/** Organizations, people, groups, tokens, category schemas, collaborations and the audit. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db

  await table(db, 'portals', {
    portal_id: 'text',
    name: 'text',
    description: 'text',
    url_key: 'text',
    access: 'text',
    public_key: 'text',
    sealed_private_key: 'text',
    created_at: 'bigint',
    modified_at: 'bigint',
  })
    .addPrimaryKeyConstraint('portals_pk', ['portal_id'])
    .addUniqueConstraint('portals_url_key', ['url_key'])
    .execute()

  await table(db, 'users', {
    user_id: 'text',
    username: 'text',
    username_key: 'text',
    portal_id: 'text',
    full_name: 'text',
    first_name: 'text',
    last_name: 'text',
    email: 'text',
    description: 'text',
    access: 'text',
    role: 'text',
    disabled: 'integer',
    password_hash: 'text',
    created_at: 'bigint',
    modified_at: 'bigint',
  })
    .addColumn('last_sign_in_at', 'bigint')
    .addPrimaryKeyConstraint('users_pk', ['user_id'])
    .addUniqueConstraint('users_username_key', ['username_key'])
    .addForeignKeyConstraint('users_portal', ['portal_id'], 'portals', ['portal_id'])
    .execute()
  await schema.createIndex('users_by_portal').on('users').columns(['portal_id', 'username_key']).execute()
  await schema.createIndex('users_by_role').on('users').column('role').execute()

  await table(db, 'roles', {
    role_id: 'text',
    portal_id: 'text',
    name: 'text',
    description: 'text',
    privileges: 'text',
    created_at: 'bigint',
    modified_at: 'bigint',
  })
    .addPrimaryKeyConstraint('roles_pk', ['role_id'])
    .addForeignKeyConstraint('roles_portal', ['portal_id'], 'portals', ['portal_id'])
    .execute()
  await schema.createIndex('roles_by_portal').on('roles').columns(['portal_id', 'name']).execute()

  await table(db, 'groups', {
    group_id: 'text',
    portal_id: 'text',
    owner_id: 'text',
    title: 'text',
    description: 'text',
    snippet: 'text',
    tags: 'text',
    title_key: 'text',
    tags_key: 'text',
    search_text: 'text',
    access: 'text',
    sort_field: 'text',
    sort_order: 'text',
    is_view_only: 'integer',
    is_invitation_only: 'integer',
    auto_join: 'integer',
    is_protected: 'integer',
    created_at: 'bigint',
    modified_at: 'bigint',
  })
    .addPrimaryKeyConstraint('groups_pk', ['group_id'])
    .addForeignKeyConstraint('groups_portal', ['portal_id'], 'portals', ['portal_id'])
    .addForeignKeyConstraint('groups_owner', ['owner_id'], 'users', ['user_id'])
    .execute()
  await schema.createIndex('groups_by_portal').on('groups').columns(['portal_id', 'title']).execute()
  await schema.createIndex('groups_by_owner').on('groups').column('owner_id').execute()

  await table(db, 'members', { group_id: 'text', user_id: 'text', member_type: 'text', joined_at: 'bigint' })
    .addPrimaryKeyConstraint('members_pk', ['group_id', 'user_id'])
    .addForeignKeyConstraint('members_group', ['group_id'], 'groups', ['group_id'], cascade)
    .addForeignKeyConstraint('members_user', ['user_id'], 'users', ['user_id'], cascade)
    .execute()
  await schema.createIndex('members_by_user').on('members').column('user_id').execute()

  await table(db, 'tokens', { token_hash: 'text', user_id: 'text', created_at: 'bigint', expires_at: 'bigint' })
    .addPrimaryKeyConstraint('tokens_pk', ['token_hash'])
    .addForeignKeyConstraint('tokens_user', ['user_id'], 'users', ['user_id'], cascade)
    .execute()
  await schema.createIndex('tokens_by_user').on('tokens').column('user_id').execute()
  await schema.createIndex('tokens_by_expiry').on('tokens').column('expires_at').execute()

  await numbered(db, 'sign_in_failures', { username_key: 'text', address: 'text', failed_at: 'bigint' }).execute()
  await schema
    .createIndex('sign_in_failures_by_account')
    .on('sign_in_failures')
    .columns(['username_key', 'address', 'failed_at'])
    .execute()
  await schema.createIndex('sign_in_failures_by_time').on('sign_in_failures').column('failed_at').execute()

  await table(db, 'category_schemas', { owner_kind: 'text', owner_id: 'text', version: 'integer', is_set: 'integer' })
    .addPrimaryKeyConstraint('category_schemas_pk', ['owner_kind', 'owner_id'])
    .execute()
  await table(db, 'category_schema_versions', {
    owner_kind: 'text',
    owner_id: 'text',
    version: 'integer',
    author: 'text',
    assigned_at: 'bigint',
  })
    .addColumn('document', columnType(db, 'text'))
    .addPrimaryKeyConstraint('category_schema_versions_pk', ['owner_kind', 'owner_id', 'version'])
    .execute()

  await table(db, 'collaborations', {
    collaboration_id: 'text',
    host_portal_id: 'text',
    name: 'text',
    description: 'text',
    contact_first_name: 'text',
    contact_last_name: 'text',
    contact_email: 'text',
    config: 'text',
    created_at: 'bigint',
    modified_at: 'bigint',
  })
    .addPrimaryKeyConstraint('collaborations_pk', ['collaboration_id'])
    .addForeignKeyConstraint('collaborations_host', ['host_portal_id'], 'portals', ['portal_id'])
    .execute()
  await schema
    .createIndex('collaborations_by_host')
    .on('collaborations')
    .columns(['host_portal_id', 'created_at desc', 'collaboration_id'])
    .execute()

  await table(db, 'workspaces', {
    workspace_id: 'text',
    collaboration_id: 'text',
    name: 'text',
    description: 'text',
    created_at: 'bigint',
    modified_at: 'bigint',
  })
    .addPrimaryKeyConstraint('workspaces_pk', ['workspace_id'])
    .addForeignKeyConstraint(
      'workspaces_collaboration',
      ['collaboration_id'],
      'collaborations',
      ['collaboration_id'],
      cascade,
    )
    .execute()
  await schema
    .createIndex('workspaces_by_collaboration')
    .on('workspaces')
    .columns(['collaboration_id', 'created_at', 'workspace_id'])
    .execute()

  await table(db, 'participants', {
    collaboration_id: 'text',
    portal_id: 'text',
    portal_name: 'text',
    portal_url: 'text',
    role: 'text',
    contact_first_name: 'text',
    contact_last_name: 'text',
    contact_email: 'text',
    created_at: 'bigint',
    modified_at: 'bigint',
  })
    .addPrimaryKeyConstraint('participants_pk', ['collaboration_id', 'portal_id'])
    .addForeignKeyConstraint(
      'participants_collaboration',
      ['collaboration_id'],
      'collaborations',
      ['collaboration_id'],
      cascade,
    )
    .execute()

  await schema
    .createIndex('participants_by_collaboration')
    .on('participants')
    .columns(['collaboration_id', 'role desc', 'created_at', 'portal_id'])
    .execute()

  await table(db, 'participant_workspaces', {
    collaboration_id: 'text',
    portal_id: 'text',
    workspace_id: 'text',
    access_mode: 'text',
  })
    .addColumn('group_id', columnType(db, 'text'))
    .addPrimaryKeyConstraint('participant_workspaces_pk', ['collaboration_id', 'portal_id', 'workspace_id'])
    .addForeignKeyConstraint(
      'participant_workspaces_workspace',
      ['workspace_id'],
      'workspaces',
      ['workspace_id'],
      cascade,
    )
    .addForeignKeyConstraint(
      'participant_workspaces_participant',
      ['collaboration_id', 'portal_id'],
      'participants',
      ['collaboration_id', 'portal_id'],
      cascade,
    )
    .addForeignKeyConstraint('participant_workspaces_group', ['group_id'], 'groups', ['group_id'], (key) =>
      key.onDelete('set null'),
    )
    .execute()
  await schema
    .createIndex('participant_workspaces_by_workspace')
    .on('participant_workspaces')
    .column('workspace_id')
    .execute()
  await schema.createIndex('participant_workspaces_by_group').on('participant_workspaces').column('group_id').execute()

  await table(db, 'invitations', {
    invitation_id: 'text',
    collaboration_id: 'text',
    host_portal_id: 'text',
    guest_portal_url: 'text',
    state: 'text',
    workspaces: 'text',
    file: 'text',
    digest: 'text',
    file_name: 'text',
    revision: 'integer',
    created_at: 'bigint',
    modified_at: 'bigint',
    expires_at: 'bigint',
  })
    .addColumn('guest_portal_id', columnType(db, 'text'))
    .addPrimaryKeyConstraint('invitations_pk', ['invitation_id'])
    .addForeignKeyConstraint(
      'invitations_collaboration',
      ['collaboration_id'],
      'collaborations',
      ['collaboration_id'],
      cascade,
    )
    .execute()
  // One for each sort order of the list; the one by state also serves the count by state.
  for (const column of ['created_at', 'modified_at', 'expires_at', 'state', 'guest_portal_url']) {
    await schema
      .createIndex(`invitations_by_${column}`)
      .on('invitations')
      .columns(['collaboration_id', column, 'invitation_id'])
      .execute()
  }

  await table(db, 'invitation_steps', {
    invitation_id: 'text',
    step: 'integer',
    event: 'text',
    to_state: 'text',
    username: 'text',
    happened_at: 'bigint',
  })
    .addColumn('from_state', columnType(db, 'text'))
    .addPrimaryKeyConstraint('invitation_steps_pk', ['invitation_id', 'step'])
    .addForeignKeyConstraint(
      'invitation_steps_invitation',
      ['invitation_id'],
      'invitations',
      ['invitation_id'],
      cascade,
    )
    .execute()

  await table(db, 'participations', {
    portal_id: 'text',
    collaboration_id: 'text',
    name: 'text',
    description: 'text',
    host_portal_id: 'text',
    host_portal_name: 'text',
    host_portal_url: 'text',
    host_first_name: 'text',
    host_last_name: 'text',
    host_email: 'text',
    host_fingerprint: 'text',
    guest_first_name: 'text',
    guest_last_name: 'text',
    guest_email: 'text',
    guest_portal_url: 'text',
    invitation_id: 'text',
    invitation_digest: 'text',
    created_at: 'bigint',
    modified_at: 'bigint',
  })
    .addPrimaryKeyConstraint('participations_pk', ['portal_id', 'collaboration_id'])
    .addForeignKeyConstraint('participations_portal', ['portal_id'], 'portals', ['portal_id'])
    .execute()
  await schema
    .createIndex('participations_by_portal')
    .on('participations')
    .columns(['portal_id', 'created_at desc', 'collaboration_id'])
    .execute()

  await table(db, 'participation_workspaces', {
    portal_id: 'text',
    collaboration_id: 'text',
    workspace_id: 'text',
    position: 'integer',
    name: 'text',
    description: 'text',
    access_mode: 'text',
  })
    .addColumn('group_id', columnType(db, 'text'))
    .addForeignKeyConstraint('participation_workspaces_group', ['group_id'], 'groups', ['group_id'], (key) =>
      key.onDelete('set null'),
    )
    .addPrimaryKeyConstraint('participation_workspaces_pk', ['portal_id', 'collaboration_id', 'workspace_id'])
    .addForeignKeyConstraint(
      'participation_workspaces_participation',
      ['portal_id', 'collaboration_id'],
      'participations',
      ['portal_id', 'collaboration_id'],
      cascade,
    )
    .execute()
  await schema
    .createIndex('participation_workspaces_by_group')
    .on('participation_workspaces')
    .column('group_id')
    .execute()

  await numbered(db, 'audit', {
    happened_at: 'bigint',
    address: 'text',
    operation: 'text',
    target: 'text',
    outcome: 'integer',
    request_id: 'text',
  })
    .addColumn('username', columnType(db, 'text'))
    .addColumn('portal_id', columnType(db, 'text'))
    .execute()
}

/** Deletes dependent rows with their parent. */
const cascade = (key: ForeignKeyConstraintBuilder): ForeignKeyConstraintBuilder => key.onDelete('cascade')
