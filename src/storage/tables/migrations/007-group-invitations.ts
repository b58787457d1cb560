import type { Kysely } from 'kysely'
import { columnType, table } from './create-table.ts'

/**
 * Rights of the members of a group and conditions of membership, as the public API documents them; invitations to groups,
 * requests to join them, and notifications of users. Earlier groups stay as they were: without shared update, of the
 * organization's users only.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db

  const numbers = ['gives_item_control', 'is_leaving_disallowed', 'hides_members'] as const
  for (const name of numbers) await addColumn(name, 'integer', 0)
  await addColumn('membership_access', 'text', 'org')
  await addColumn('shown_item_types', 'text', '')
  await addColumn('phone', 'text', '')

  await table(db, 'group_invitations', {
    invitation_id: 'text',
    group_id: 'text',
    user_id: 'text',
    inviter_id: 'text',
    member_type: 'text',
    created_at: 'bigint',
    expires_at: 'bigint',
  })
    .addPrimaryKeyConstraint('group_invitations_pk', ['invitation_id'])
    .addUniqueConstraint('group_invitations_once', ['group_id', 'user_id'])
    .addForeignKeyConstraint('group_invitations_group', ['group_id'], 'groups', ['group_id'], (key) =>
      key.onDelete('cascade'),
    )
    .addForeignKeyConstraint('group_invitations_user', ['user_id'], 'users', ['user_id'], (key) =>
      key.onDelete('cascade'),
    )
    .addForeignKeyConstraint('group_invitations_inviter', ['inviter_id'], 'users', ['user_id'], (key) =>
      key.onDelete('cascade'),
    )
    .execute()
  await index('group_invitations', 'user', ['user_id', 'created_at'])
  await index('group_invitations', 'inviter', ['inviter_id'])
  await index('group_invitations', 'expiry', ['expires_at'])

  await table(db, 'group_applications', { group_id: 'text', user_id: 'text', created_at: 'bigint' })
    .addPrimaryKeyConstraint('group_applications_pk', ['group_id', 'user_id'])
    .addForeignKeyConstraint('group_applications_group', ['group_id'], 'groups', ['group_id'], (key) =>
      key.onDelete('cascade'),
    )
    .addForeignKeyConstraint('group_applications_user', ['user_id'], 'users', ['user_id'], (key) =>
      key.onDelete('cascade'),
    )
    .execute()
  await index('group_applications', 'user', ['user_id'])
  await index('group_applications', 'time', ['created_at'])

  // Without a reference to the group: a notification outlives it.
  await table(db, 'notifications', {
    notification_id: 'text',
    user_id: 'text',
    type: 'text',
    group_id: 'text',
    group_title: 'text',
    created_at: 'bigint',
  })
    .addPrimaryKeyConstraint('notifications_pk', ['notification_id'])
    .addForeignKeyConstraint('notifications_user', ['user_id'], 'users', ['user_id'], (key) => key.onDelete('cascade'))
    .execute()
  await index('notifications', 'user', ['user_id', 'created_at', 'notification_id'])

  async function addColumn(name: string, type: 'integer' | 'text', before: number | string): Promise<void> {
    await schema
      .alterTable('groups')
      .addColumn(name, columnType(db, type), (column) => column.notNull().defaultTo(before))
      .execute()
  }

  async function index(of: string, by: string, columns: string[]): Promise<void> {
    await schema.createIndex(`${of}_by_${by}`).on(of).columns(columns).execute()
  }
}
