import { type Kysely, sql } from 'kysely'
import type { LogNames } from '../../../audit/store.ts'
import { usernameKey } from '../../../directory/user.ts'
import { wordsOf } from '../../../search/folding.ts'
import type { Rows } from '../../tables/rows.ts'
import { matchingRows } from '../items/index/compile.ts'
import { keywordToken } from '../items/index/document.ts'
import { groupIndex, userIndex } from '../items/index/index-directory.ts'
import { indexedItems, portalCode } from '../items/index/item-fields.ts'
import { token } from '../items/index/match.ts'
import type { DeadlineCondition } from '../select.ts'

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

/** Maximum users, groups and items each that one word names (chosen). */
const maxNamed = 100

/** Looks up whom and what a word names, in the indexes of the searches. */
export async function findNamed(
  db: Kysely<Rows>,
  deadlineCondition: DeadlineCondition,
  portalId: string,
  word: string,
): Promise<readonly string[]> {
  const asked = { kind: 'words', words: wordsOf(word), isPrefix: true } as const
  if (asked.words.length === 0) return []
  const users = await selectUsers(db, portalId)
    .where(userIndex.isMatching(db, { ...asked, fields: ['username', 'fullname'] }, deadlineCondition))
    .orderBy('username_key')
    .limit(maxNamed)
    .execute()
  const groups = await db
    .selectFrom('groups')
    .select('group_id as id')
    .where('portal_id', '=', portalId)
    .where(groupIndex.isMatching(db, { ...asked, fields: ['title'] }, deadlineCondition))
    .orderBy('group_id')
    .limit(maxNamed)
    .execute()
  const { from, where } = matchingRows(db, indexedItems, {
    condition: { ...asked, fields: ['title'] },
    also: token(keywordToken(portalCode, portalId)),
    findCategories: () => ({ kind: 'none' }),
  })
  const items = await sql<{ id: string }>`select item_index.item_id as id from ${from}
    where ${sql.join([...(deadlineCondition ? [deadlineCondition] : []), where], sql` and `)}
    order by item_index.number desc limit ${maxNamed}`.execute(db)
  return [...users.map(({ username }) => username), ...[...groups, ...items.rows].map(({ id }) => id)]
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
