import { type Expression, type Kysely, type SqlBool, sql } from 'kysely'
import type { GroupFields } from '../../../../directory/group-search.ts'
import type { UserFields } from '../../../../directory/users/user-search.ts'
import type { Condition, SearchFields } from '../../../../search/condition.ts'
import { isPostgres } from '../../../tables/catalog.ts'
import type { GroupRow, UserRow } from '../../../tables/rows/directory.ts'
import type { Rows } from '../../../tables/rows.ts'
import { prepared } from '../../prepared.ts'
import type { DeadlineCondition } from '../../select.ts'
import { type IndexedNoun, matchingRows } from './compile.ts'
import { fieldKeywords, fieldWords, foldedValues, type IndexDocument } from './document.ts'
import { type IndexedRecord, putIndexRows, requireRow } from './index-rows.ts'

const groupText = { title: 't', snippet: 's', description: 'd', tags: 'g', owner: 'o' } as const satisfies Record<
  GroupFields['text'],
  string
>

const groupKeywords = {
  ...groupText,
  id: 'i',
  orgid: 'p',
  access: 'x',
  isinvitationonly: 'n',
  isviewonly: 'v',
  isleavingdisallowed: 'l',
  autojoin: 'j',
  membershipaccess: 'm',
  capabilities: 'c',
  phone: 'f',
} as const satisfies Record<GroupFields['keyword'], string>

const indexedGroups: IndexedNoun<GroupFields> = {
  index: 'group_index',
  words: 'group_words',
  text: groupText,
  keywords: groupKeywords,
  numbers: { created: 'groups.created_at', modified: 'groups.modified_at' },
}

const userText = { username: 'u', fullname: 'n', firstname: 'f', lastname: 'l' } as const satisfies Record<
  UserFields['text'],
  string
>

const userKeywords = {
  ...userText,
  email: 'e',
  id: 'i',
  role: 'r',
  orgid: 'p',
  access: 'x',
  disabled: 'd',
} as const satisfies Record<UserFields['keyword'], string>

const indexedUsers: IndexedNoun<UserFields> = {
  index: 'user_index',
  words: 'user_words',
  text: userText,
  keywords: userKeywords,
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
  return row && toIndexedGroup(row, number)
}

/** Record that the index has to have of a user, in the row with this number. */
export async function findUserRecord(
  db: Kysely<Rows>,
  id: string,
  number: number,
): Promise<IndexedRecord<'user_index'> | undefined> {
  const row = await findUser.first(db, { id })
  return row && toIndexedUser(row, number)
}

function toIndexedGroup(row: GroupRow & { readonly username: string }, number: number): IndexedRecord<'group_index'> {
  const values = {
    title: [row.title],
    snippet: [row.snippet],
    description: [row.description],
    tags: JSON.parse(row.tags) as string[],
    owner: [row.username],
    id: [row.group_id],
    orgid: [row.portal_id],
    access: [row.access],
    isinvitationonly: [flag(row.is_invitation_only)],
    isviewonly: [flag(row.is_view_only)],
    isleavingdisallowed: [flag(row.is_leaving_disallowed)],
    autojoin: [flag(row.auto_join)],
    membershipaccess: [row.membership_access],
    capabilities: row.gives_item_control === 1 ? ['updateitemcontrol'] : [],
    phone: [row.phone],
  }
  return { row: { number, group_id: row.group_id }, ...indexed(indexedGroups, values, ['owner']) }
}

function toIndexedUser(row: UserRow, number: number): IndexedRecord<'user_index'> {
  const values = {
    username: [row.username],
    fullname: [row.full_name],
    firstname: [row.first_name],
    lastname: [row.last_name],
    email: [row.email],
    id: [row.user_id],
    role: [row.role],
    orgid: [row.portal_id],
    access: [row.access],
    disabled: [flag(row.disabled)],
  }
  return { row: { number, user_id: row.user_id }, ...indexed(indexedUsers, values, ['username']) }
}

function flag(value: number): string {
  return value === 1 ? 'true' : 'false'
}

/** Document and keywords of these values: whole values of text fields are only tokens, except those in `compared`. */
function indexed<Fields extends SearchFields>(
  { text, keywords }: IndexedNoun<Fields>,
  values: Readonly<Record<Fields['keyword'], readonly string[]>>,
  compared: readonly string[],
): { readonly document: IndexDocument; readonly keywords: readonly string[] } {
  const texts = Object.keys(text) as (Fields['text'] & Fields['keyword'])[]
  const names = Object.keys(keywords) as Fields['keyword'][]
  const whole = names.filter((name) => !(name in text) || compared.includes(name))
  return {
    document: {
      words: texts.map((name) => fieldWords(text[name], values[name])),
      keywords: names.flatMap((name) => fieldKeywords(keywords[name], values[name])),
    },
    keywords: whole.flatMap((name) => foldedValues(values[name]).map((value) => keywords[name] + value)),
  }
}
