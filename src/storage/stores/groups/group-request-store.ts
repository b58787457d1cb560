import { type Kysely, sql } from 'kysely'
import {
  groupApplicationFields,
  groupInvitationFields,
  notificationFields,
  type SentInvitation,
} from '../../../directory/groups/request.ts'
import type { GroupRequestStore, MemberSortField, NamedMember } from '../../../directory/groups/store.ts'
import { memberFields } from '../../../directory/membership.ts'
import type { Rows } from '../../tables/rows.ts'
import { mapper } from '../mapper.ts'
import { prepared } from '../prepared.ts'
import { contains, count, type DeadlineCondition, findRow, paginate, withinDeadline } from '../select.ts'

const members = mapper(memberFields)
const invitations = mapper(groupInvitationFields)
const applications = mapper(groupApplicationFields)
const notifications = mapper(notificationFields)

const namedMembers = (db: Kysely<Rows>) =>
  db
    .selectFrom('members')
    .innerJoin('users', 'users.user_id', 'members.user_id')
    .selectAll('members')
    .select(['users.username', 'users.full_name', 'users.portal_id'])

const sentInvitations = (db: Kysely<Rows>) =>
  db
    .selectFrom('group_invitations')
    .innerJoin('users', 'users.user_id', 'group_invitations.inviter_id')
    .selectAll('group_invitations')
    .select(['users.username as inviter_username', 'users.full_name as inviter_full_name'])

const findInvitationOf = prepared((db, { groupId, userId }: { groupId: string; userId: string }) =>
  db.selectFrom('group_invitations').selectAll().where('group_id', '=', groupId).where('user_id', '=', userId),
)

const findApplication = prepared((db, { groupId, userId }: { groupId: string; userId: string }) =>
  db.selectFrom('group_applications').selectAll().where('group_id', '=', groupId).where('user_id', '=', userId),
)

/** Managers before others, as everywhere. */
const rank = sql<number>`case members.member_type when 'admin' then 1 else 2 end`

const sortKeys = {
  username: sql`users.username_key`,
  membertype: rank,
  joined: sql`members.joined_at`,
} as const satisfies Record<MemberSortField, unknown>

/** Names in lower case; letters outside ASCII are compared as they are, as the engines differ in their lower case. */
const searchedNames = sql<string>`lower(users.username || ' ' || users.full_name || ' ' || users.first_name || ' ' || users.last_name)`
const lowerCase = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/** Invitations to groups, requests to join, notifications, and searches among members. */
export function groupRequestStore(db: Kysely<Rows>, deadlineCondition?: DeadlineCondition): GroupRequestStore {
  return {
    async findOwner(groupId) {
      const row = await namedMembers(db)
        .where('members.group_id', '=', groupId)
        .where('members.member_type', '=', 'owner')
        .executeTakeFirst()
      return row && toNamedMember(row)
    },
    async searchMembers(groupId, { name, memberType, joined, sortField, sortOrder }, page) {
      let all = withinDeadline(db.selectFrom('members'), deadlineCondition)
        .innerJoin('users', 'users.user_id', 'members.user_id')
        .where('members.group_id', '=', groupId)
        .where('members.member_type', '!=', 'owner')
      if (memberType !== undefined) all = all.where('members.member_type', '=', memberType)
      if (joined) all = all.where('members.joined_at', '>=', joined.from).where('members.joined_at', '<=', joined.to)
      if (name !== undefined) all = all.where(contains(db, searchedNames, lowerCase(name)))
      const found = all
        .selectAll('members')
        .select(['users.username', 'users.full_name', 'users.portal_id'])
        .orderBy(sortKeys[sortField], sortOrder)
        .orderBy('users.username_key')
      const rows = await paginate(found, page).execute()
      return { total: await count(all), entries: rows.map(toNamedMember) }
    },
    async areCollaborating(portalId, otherPortalId) {
      const row = await db
        .selectFrom('participants as one')
        .innerJoin('participants as other', 'other.collaboration_id', 'one.collaboration_id')
        .innerJoin('collaborations', 'collaborations.collaboration_id', 'one.collaboration_id')
        .select('one.collaboration_id')
        .where('one.portal_id', '=', portalId)
        .where('other.portal_id', '=', otherPortalId)
        .where('collaborations.host_portal_id', 'in', [portalId, otherPortalId])
        .limit(1)
        .executeTakeFirst()
      return row !== undefined
    },

    async findGroupInvitation(invitationId) {
      const row = await sentInvitations(db).where('invitation_id', '=', invitationId).executeTakeFirst()
      return row && toSentInvitation(row)
    },
    async findGroupInvitationOf(groupId, userId) {
      const row = await findInvitationOf.first(db, { groupId, userId })
      return row && invitations.toRecord(row)
    },
    async listGroupInvitations(userId, now, max) {
      const rows = await sentInvitations(db)
        .where('group_invitations.user_id', '=', userId)
        .where('expires_at', '>', now)
        .orderBy('group_invitations.created_at', 'desc')
        .orderBy('invitation_id')
        .limit(max)
        .execute()
      return rows.map(toSentInvitation)
    },
    async countGroupInvitations({ userId, inviterId, groupId }, now) {
      const open = db.selectFrom('group_invitations').where('expires_at', '>', now)
      const ofUser = open.where('user_id', '=', userId)
      return {
        ofUser: await count(ofUser),
        ofInviter: await count(ofUser.where('inviter_id', '=', inviterId)),
        toGroup: await count(open.where('group_id', '=', groupId)),
      }
    },

    async findGroupApplication(groupId, userId) {
      const row = await findApplication.first(db, { groupId, userId })
      return row && applications.toRecord(row)
    },
    async listGroupApplications(groupId, since, max) {
      const rows = await db
        .selectFrom('group_applications as application')
        .innerJoin('users', 'users.user_id', 'application.user_id')
        .selectAll('application')
        .select(['users.username', 'users.full_name'])
        .where('application.group_id', '=', groupId)
        .where('application.created_at', '>=', since)
        .orderBy('application.created_at')
        .orderBy('users.username_key')
        .limit(max)
        .execute()
      return rows.map((row) => ({
        ...applications.toRecord(row),
        username: row.username,
        fullName: row.full_name,
      }))
    },
    async countGroupApplications({ userId, groupId }, since) {
      const open = db.selectFrom('group_applications').where('created_at', '>=', since)
      return {
        ofUser: await count(open.where('user_id', '=', userId)),
        toGroup: await count(open.where('group_id', '=', groupId)),
      }
    },

    findNotification: (id) => findRow(db, 'notifications', { notification_id: id }, notifications.toRecord),
    async listNotifications(userId, now, max) {
      const rows = await newest(db, userId).selectAll().where('created_at', '<=', now).limit(max).execute()
      return rows.map(notifications.toRecord)
    },

    async putGroupInvitation(invitation) {
      const { invitation_id, group_id, user_id, ...sent } = invitations.toRow(invitation)
      await db
        .insertInto('group_invitations')
        .values({ invitation_id, group_id, user_id, ...sent })
        .onConflict((conflict) => conflict.columns(['group_id', 'user_id']).doUpdateSet(sent))
        .execute()
    },
    async putGroupApplication(application) {
      const row = applications.toRow(application)
      await db
        .insertInto('group_applications')
        .values(row)
        .onConflict((conflict) => conflict.columns(['group_id', 'user_id']).doUpdateSet({ created_at: row.created_at }))
        .execute()
    },
    async removeGroupInvitation(invitationId) {
      await db.deleteFrom('group_invitations').where('invitation_id', '=', invitationId).execute()
    },
    async removeGroupApplication(groupId, userId) {
      await db.deleteFrom('group_applications').where('group_id', '=', groupId).where('user_id', '=', userId).execute()
    },
    async removeOldGroupRequests({ expiry, application }, max) {
      await db
        .deleteFrom('group_invitations')
        .where('invitation_id', 'in', ({ selectFrom }) =>
          selectFrom('group_invitations').select('invitation_id').where('expires_at', '<=', expiry).limit(max),
        )
        .execute()
      const old = await db
        .selectFrom('group_applications')
        .select(['group_id', 'user_id'])
        .where('created_at', '<', application)
        .limit(max)
        .execute()
      for (const { group_id, user_id } of old) {
        await db
          .deleteFrom('group_applications')
          .where('group_id', '=', group_id)
          .where('user_id', '=', user_id)
          .execute()
      }
    },
    async addNotification(notification, max) {
      const { userId } = notification
      await db.insertInto('notifications').values(notifications.toRow(notification)).execute()
      // Removes the one above the limit, or all that an earlier, higher limit kept.
      await db
        .deleteFrom('notifications')
        .where('user_id', '=', userId)
        .where('notification_id', 'in', () => newest(db, userId).select('notification_id').limit(1_000).offset(max))
        .execute()
    },
    async putNotificationsRead(userId, until, readAt) {
      await db
        .updateTable('notifications')
        .set({ read_at: readAt })
        .where('user_id', '=', userId)
        .where('created_at', '<=', until)
        .where('read_at', 'is', null)
        .execute()
    },
    async removeNotification(notificationId) {
      await db.deleteFrom('notifications').where('notification_id', '=', notificationId).execute()
    },
  }
}

function newest(db: Kysely<Rows>, userId: string) {
  return db
    .selectFrom('notifications')
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('notification_id', 'desc')
}

function toNamedMember(
  row: Rows['members'] & { readonly username: string; readonly full_name: string; readonly portal_id: string },
): NamedMember {
  return { ...members.toRecord(row), username: row.username, fullName: row.full_name, portalId: row.portal_id }
}

function toSentInvitation(
  row: Rows['group_invitations'] & { readonly inviter_username: string; readonly inviter_full_name: string },
): SentInvitation {
  const { inviter_username: inviterUsername, inviter_full_name: inviterFullName } = row
  return { ...invitations.toRecord(row), inviterUsername, inviterFullName }
}
