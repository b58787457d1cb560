import type { Kysely } from 'kysely'
import type { DirectoryStore } from '../../directory/store.ts'
import type { Rows } from '../tables/rows.ts'
import { groupRequestStore } from './groups/group-request-store.ts'
import { groupStore } from './groups/group-store.ts'
import { portalStore } from './portal-store.ts'
import { roleStore } from './role-store.ts'
import type { DeadlineCondition } from './select.ts'
import { userStore } from './user-store.ts'

/** Portals, users, roles, groups and memberships in tables. */
export function directoryStore(db: Kysely<Rows>, deadlineCondition?: DeadlineCondition): DirectoryStore {
  const people = { ...userStore(db, deadlineCondition), ...roleStore(db) }
  return {
    ...portalStore(db),
    ...people,
    ...groupStore(db, deadlineCondition),
    ...groupRequestStore(db, deadlineCondition),
  }
}
