import type { ExpressionBuilder, Kysely } from 'kysely'
import type { DirectoryStore } from '../../directory/store.ts'
import { type User, userFields, usernameKey } from '../../directory/user.ts'
import type { UserSortField } from '../../directory/users/user-search.ts'
import type { Rows } from '../tables/rows.ts'
import { userIndex } from './items/index/index-directory.ts'
import { forgetItemCount } from './items/item-counts.ts'
import { mapper } from './mapper.ts'
import { prepared } from './prepared.ts'
import { count, type DeadlineCondition, findRow, paginate, withinDeadline } from './select.ts'

type Users =
  | 'findUser'
  | 'findUserById'
  | 'addUser'
  | 'updateUser'
  | 'removeUser'
  | 'findPasswordHash'
  | 'putPasswordHash'
  | 'findPasswordEnd'
  | 'putPasswordEnd'
  | 'listUsers'
  | 'searchUsers'
  | 'countAdministrators'

const users = mapper(userFields)

export const toUser = users.toRecord

const findUser = prepared((db, { key }: { key: string }) =>
  db.selectFrom('users').select(users.columns).where('username_key', '=', key),
)

export function userStore(db: Kysely<Rows>, deadlineCondition?: DeadlineCondition): Pick<DirectoryStore, Users> {
  return {
    async findUser(username) {
      const row = await findUser.first(db, { key: usernameKey(username) })
      return row && toUser(row)
    },
    findUserById: (userId) => findRow(db, 'users', { user_id: userId }, toUser),
    async addUser(user, passwordHash) {
      await db
        .insertInto('users')
        .values({ ...toRow(user), password_hash: passwordHash ?? '' })
        .execute()
      await userIndex.put(db, user.userId)
    },
    async updateUser(user) {
      await db.updateTable('users').set(toRow(user)).where('user_id', '=', user.userId).execute()
      await userIndex.put(db, user.userId)
    },
    async removeUser(userId) {
      const [removed] = await db.deleteFrom('users').where('user_id', '=', userId).returning('portal_id').execute()
      if (removed) await forgetItemCount(db, userId, removed.portal_id)
    },
    async findPasswordHash(userId) {
      const row = await db.selectFrom('users').select('password_hash').where('user_id', '=', userId).executeTakeFirst()
      return row?.password_hash || undefined
    },
    async findPasswordEnd(userId) {
      const password = db.selectFrom('users').select('password_expires_at').where('user_id', '=', userId)
      return (await password.executeTakeFirst())?.password_expires_at ?? undefined
    },
    async putPasswordHash(userId, passwordHash, expiresAt) {
      await db
        .updateTable('users')
        .set({ password_hash: passwordHash, password_expires_at: expiresAt ?? null })
        .where('user_id', '=', userId)
        .execute()
    },
    async putPasswordEnd(userId, expiresAt) {
      await db.updateTable('users').set({ password_expires_at: expiresAt }).where('user_id', '=', userId).execute()
    },
    async listUsers(portalId, page, { seenBy, role, provider, condition } = {}) {
      const everyone = withinDeadline(db.selectFrom('users'), deadlineCondition).where('portal_id', '=', portalId)
      const members = everyone
        .where(isSeenBy(seenBy))
        .$if(role !== undefined, (all) => all.where('role', '=', role!))
        .$if(provider !== undefined, (all) =>
          all.where('provider_username', provider === 'arcgis' ? 'is' : 'is not', null),
        )
        .$if(condition !== undefined, (all) => all.where(userIndex.isMatching(db, condition!, deadlineCondition)))
      const rows = await paginate(members.selectAll().orderBy('username_key'), page).execute()
      return { total: await count(members), entries: rows.map(toUser) }
    },
    async searchUsers(portalId, { condition, sortField, sortOrder }, page, seenBy) {
      const members = withinDeadline(db.selectFrom('users'), deadlineCondition)
        .where('portal_id', '=', portalId)
        .where(isSeenBy(seenBy))
        .where(userIndex.isMatching(db, condition, deadlineCondition))
      const sorted = members.selectAll('users').orderBy(sortColumns[sortField], sortOrder).orderBy('user_id')
      const rows = await paginate(sorted, page).execute()
      return { total: await count(members), entries: rows.map(toUser) }
    },
    countAdministrators(portalId) {
      return count(
        db
          .selectFrom('users')
          .where('portal_id', '=', portalId)
          .where('role', '=', 'org_admin')
          .where('disabled', '=', 0),
      )
    },
  }
}

/** Texts are compared by their code points. */
const sortColumns = {
  username: 'username_key',
  fullname: 'full_name',
  firstname: 'first_name',
  lastname: 'last_name',
  created: 'created_at',
  modified: 'modified_at',
} as const satisfies Record<UserSortField, keyof Rows['users']>

/** Condition that leaves out private users, except the user with this id; without an id, all users are seen. */
function isSeenBy(seenBy: string | undefined) {
  return (user: ExpressionBuilder<Rows, 'users'>) =>
    seenBy === undefined
      ? user.and([])
      : user.or([user('users.access', '!=', 'private'), user('users.user_id', '=', seenBy)])
}

function toRow(user: User): Omit<Rows['users'], 'password_hash' | 'password_expires_at'> {
  return { ...users.toRow(user), username_key: usernameKey(user.username) }
}
