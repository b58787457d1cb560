import { type Expression, type Kysely, type SqlBool, sql } from 'kysely'
import { groupFields } from '../../../../directory/group.ts'
import { type GroupFields, groupKeywords, groupTexts } from '../../../../directory/group-search.ts'
import { userFields } from '../../../../directory/user.ts'
import { type UserFields, userKeywords, userTexts } from '../../../../directory/users/user-search.ts'
import type { Condition, SearchFields } from '../../../../search/condition.ts'
import { isPostgres } from '../../../tables/catalog.ts'
import type { Rows } from '../../../tables/rows.ts'
import { mapper } from '../../mapper.ts'
import { prepared } from '../../prepared.ts'
import type { DeadlineCondition } from '../../select.ts'
import { codesOf, type IndexedNoun, matchingRows } from './compile.ts'
import { indexed } from './document.ts'
import { type IndexedRecord, putIndexRows, requireRow } from './index-rows.ts'

const groups = mapper(groupFields)
const users = mapper(userFields)

const indexedGroups: IndexedNoun<GroupFields> = {
  index: 'group_index',
  words: 'group_words',
  text: codesOf(groupTexts),
  keywords: codesOf(groupKeywords),
  numbers: { created: 'groups.created_at', modified: 'groups.modified_at' },
}

const indexedUsers: IndexedNoun<UserFields> = {
  index: 'user_index',
  words: 'user_words',
  text: codesOf(userTexts),
  keywords: codesOf(userKeywords),
  numbers: { created: 'users.created_at', modified: 'users.modified_at' },
}

/** Whether a group of the statement matches. */
export function isGroupMatching(
  db: Kysely<Rows>,
  condition: Condition<GroupFields>,
  deadlineCondition: DeadlineCondition,
): Expression<SqlBool> {
  return isMatching(db, { noun: indexedGroups, table: 'groups', id: 'group_id' }, condition, deadlineCondition)
}

/** Whether a user of the statement matches. */
export function isUserMatching(
  db: Kysely<Rows>,
  condition: Condition<UserFields>,
  deadlineCondition: DeadlineCondition,
): Expression<SqlBool> {
  return isMatching(db, { noun: indexedUsers, table: 'users', id: 'user_id' }, condition, deadlineCondition)
}

interface Records<Fields extends SearchFields> {
  readonly noun: IndexedNoun<Fields>
  readonly table: 'groups' | 'users'
  readonly id: string
}

function isMatching<Fields extends SearchFields>(
  db: Kysely<Rows>,
  { noun, table, id }: Records<Fields>,
  condition: Condition<Fields>,
  deadlineCondition: DeadlineCondition,
): Expression<SqlBool> {
  if (condition.kind === 'all') return sql<SqlBool>`1 = 1`
  const engine = isPostgres(db) ? 'PostgreSQL' : 'SQLite'
  const rows = matchingRows(engine, noun, {
    condition,
    also: { kind: 'all' },
    findCategories: () => ({ kind: 'none' }),
  })
  const [own, indexed] = [sql.ref(`${table}.${id}`), sql.ref(`${noun.index}.${id}`)]
  return sql<SqlBool>`${own} in (select ${indexed} from ${rows.from} join ${sql.table(table)} on ${own} = ${indexed}
    where ${sql.join([...(deadlineCondition ? [deadlineCondition] : []), rows.where], sql` and `)})`
}

const findGroup = prepared((db, { id }: { id: string }) =>
  db
    .selectFrom('groups')
    .innerJoin('users', 'users.user_id', 'groups.owner_id')
    .selectAll('groups')
    .select('users.username')
    .where('groups.group_id', '=', id),
)

const findUser = prepared((db, { id }: { id: string }) =>
  db.selectFrom('users').selectAll('users').where('user_id', '=', id),
)

/** Indexes a group as it is stored now; called at the end of every write that changes one. */
export async function indexGroup(db: Kysely<Rows>, groupId: string): Promise<void> {
  const { number, digest } = await requireRow(db, 'group_index', groupId)
  const record = await findGroupRecord(db, groupId, number)
  if (record) await putIndexRows(db, 'group_index', [{ ...record, before: digest }])
}

/** Indexes a user as it is stored now; called at the end of every write that changes one. */
export async function indexUser(db: Kysely<Rows>, userId: string): Promise<void> {
  const { number, digest } = await requireRow(db, 'user_index', userId)
  const record = await findUserRecord(db, userId, number)
  if (record) await putIndexRows(db, 'user_index', [{ ...record, before: digest }])
}

/** Record that the index has to have of a group, in the row with this number. */
export async function findGroupRecord(
  db: Kysely<Rows>,
  id: string,
  number: number,
): Promise<IndexedRecord<'group_index'> | undefined> {
  const row = await findGroup.first(db, { id })
  if (!row) return undefined
  const group = { ...groups.toRecord(row), ownerUsername: row.username }
  return { row: { number, group_id: id }, ...indexed(group, groupTexts, groupKeywords, 'owner') }
}

/** Record that the index has to have of a user, in the row with this number. */
export async function findUserRecord(
  db: Kysely<Rows>,
  id: string,
  number: number,
): Promise<IndexedRecord<'user_index'> | undefined> {
  const row = await findUser.first(db, { id })
  if (!row) return undefined
  return { row: { number, user_id: id }, ...indexed(users.toRecord(row), userTexts, userKeywords, 'username') }
}
