import { mapParsed, type Parsed } from '../../call/parsed.ts'
import {
  compareWords,
  keywordField,
  numberField,
  orderedField,
  textField,
  unstoredField,
} from '../../search/comparison.ts'
import { compile, type Noun } from '../../search/compile.ts'
import { allOf, anyOf, type Condition, type IndexedFields, mapLeaves } from '../../search/condition.ts'
import { fold } from '../../search/folding.ts'
import type { SortOrder } from '../group.ts'
import type { User } from '../user.ts'

/** Texts of users, which are found by their words, too. */
export const userTexts = {
  username: ['u', ({ username }) => [username]],
  fullname: ['n', ({ fullName }) => [fullName]],
  firstname: ['f', ({ firstName }) => [firstName]],
  lastname: ['l', ({ lastName }) => [lastName]],
} satisfies IndexedFields<User>

/** Whole values, folded. `role` is a built-in role or the id of a custom one; `disabled` is `true` or `false`. */
export const userKeywords = {
  ...userTexts,
  email: ['e', ({ email }) => [email]],
  id: ['i', ({ userId }) => [userId]],
  role: ['r', ({ role }) => [role]],
  orgid: ['p', ({ portalId }) => [portalId]],
  access: ['x', ({ access }) => [access]],
  disabled: ['d', ({ disabled }) => [String(disabled)]],
} satisfies IndexedFields<User>

/** The fields of users that a search knows (documented), by what can be compared with them. */
export interface UserFields {
  readonly text: keyof typeof userTexts
  readonly keyword: keyof typeof userKeywords
  readonly ordered: 'username'
  readonly number: 'created' | 'modified'
  readonly category: never
}

export const userSortFields = ['username', 'fullname', 'firstname', 'lastname', 'created', 'modified'] as const
export type UserSortField = (typeof userSortFields)[number]

/** A search for users. Users who compare equal are in the order of their ids. */
export interface UserSearch {
  readonly condition: Condition<UserFields>
  readonly sortField: UserSortField
  readonly sortOrder: SortOrder
}

const organization = keywordField<UserFields>('orgid')

const fields: Noun<UserFields>['fields'] = {
  username: orderedField('username'),
  fullname: textField('fullname'),
  firstname: textField('firstname'),
  lastname: textField('lastname'),
  email: keywordField('email'),
  id: keywordField('id', 'none'),
  role: keywordField('role'),
  orgid: organization,
  // Field that one client adds to every search (observed).
  accountid: organization,
  access: keywordField('access'),
  disabled: keywordField('disabled'),
  created: numberField('created'),
  modified: numberField('modified'),
  userlicensetype: unstoredField(),
  lastlogin: unstoredField(),
  emailstatus: unstoredField(),
  provider: unstoredField(),
}

/** The condition that `q` and `filter` mean together. */
export function parseUserQuery(given: {
  readonly q: string | undefined
  readonly filter: string | undefined
}): Parsed<Condition<UserFields>> {
  const noun: Noun<UserFields> = { bare: (atom) => compareWords(['username', 'fullname'], atom), fields }
  return mapParsed(compile(given, noun), ({ condition }) => condition)
}

/** Beginnings of values of users, by field; a blank one is not given. */
type Beginnings = Partial<Record<(typeof beginningFields)[number], string | undefined>>
const beginningFields = ['username', 'fullname', 'firstname', 'lastname', 'email'] as const

/** Any of the given beginnings, or with `isEach` each of them; without any, all users. */
export function beginsWith(given: Beginnings, isEach: boolean): Condition<UserFields> {
  const compared = beginningFields.flatMap((field): Condition<UserFields>[] => {
    const value = fold(given[field]?.trim() ?? '')
    if (value !== '') return [{ kind: 'key', field, value, isPrefix: true }]
    return given[field]?.trim() ? [{ kind: 'none' }] : []
  })
  return isEach || compared.length === 0 ? allOf(compared) : anyOf(compared)
}

/** The condition for a viewer who sees personal details of no other user: only their own match. */
export function withoutDetailsOfOthers(condition: Condition<UserFields>, userId: string): Condition<UserFields> {
  return mapLeaves(condition, (leaf) => {
    if (!('field' in leaf) || (leaf.field !== 'email' && leaf.field !== 'disabled')) return leaf
    return allOf([{ kind: 'key', field: 'id', value: userId, isPrefix: false }, leaf])
  })
}
