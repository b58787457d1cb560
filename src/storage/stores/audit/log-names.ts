import type { Kysely } from 'kysely'
import type { LogNames } from '../../../audit/store.ts'
import { usernameKey } from '../../../directory/user.ts'
import type { Rows } from '../../tables/rows.ts'

type NamedIds = Readonly<Record<'usernames' | 'userIds' | 'targets', Iterable<string>>> & {
  readonly entries: readonly number[]
}

/** Maximum names that one statement looks up. */
const maxNames = 1_000

/** Looks up names in batches. Users, items and groups of other organizations get none. */
export async function findLogNames(db: Kysely<Rows>, portalId: string, given: NamedIds): Promise<LogNames> {
  const users = await inBatches([...new Set(Array.from(given.usernames, usernameKey))], (keys) =>
    selectUsers(db, portalId).where('username_key', 'in', keys).execute(),
  )
  const owners = await inBatches([...new Set(given.userIds)], (ids) =>
    selectUsers(db, portalId).where('user_id', 'in', ids).execute(),
  )
  const targets = [...new Set(given.targets)]
  const items = await inBatches(targets, (ids) =>
    db
      .selectFrom('items')
      .select(['item_id as id', 'title'])
      .where('portal_id', '=', portalId)
      .where('item_id', 'in', ids)
      .execute(),
  )
  const groups = await inBatches(targets, (ids) =>
    db
      .selectFrom('groups')
      .select(['group_id as id', 'title'])
      .where('portal_id', '=', portalId)
      .where('group_id', 'in', ids)
      .execute(),
  )
  const revertible = await inBatches(given.entries, (entries) =>
    db
      .selectFrom('item_history')
      .select('entry')
      .distinct()
      .where('entry', 'in', entries)
      .where('reverted_at', 'is', null)
      .execute(),
  )
  return {
    fullNames: new Map([...users, ...owners].map((user) => [user.username, user.full_name])),
    usernames: new Map(owners.map((user) => [user.user_id, user.username])),
    titles: new Map([...items, ...groups].map(({ id, title }) => [id, title])),
    revertible: new Set(revertible.map(({ entry }) => entry)),
  }
}

function selectUsers(db: Kysely<Rows>, portalId: string) {
  return db.selectFrom('users').select(['user_id', 'username', 'full_name']).where('portal_id', '=', portalId)
}

async function inBatches<Name, Row>(
  names: readonly Name[],
  find: (names: readonly Name[]) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const found: Row[] = []
  for (let at = 0; at < names.length; at += maxNames) found.push(...(await find(names.slice(at, at + maxNames))))
  return found
}
