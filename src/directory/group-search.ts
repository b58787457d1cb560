import { mapParsed, type Parsed } from '../call/parsed.ts'
import {
  type Compared,
  compareWords,
  constantField,
  type Field,
  findId,
  keywordField,
  numberField,
  orderedField,
  textField,
  unstoredField,
} from '../search/comparison.ts'
import { compile, type Noun } from '../search/compile.ts'
import { anyOf, type Condition, type IndexedFields } from '../search/condition.ts'
import type { Group, NewGroup, SortOrder } from './group.ts'

/** A group as it is found. */
export interface IndexedGroup extends NewGroup, Pick<Group, 'ownerUsername'> {}

/** Texts of groups, which are found by their words, too. */
export const groupTexts = {
  title: ['t', ({ title }) => [title]],
  snippet: ['s', ({ snippet }) => [snippet]],
  description: ['d', ({ description }) => [description]],
  tags: ['g', ({ tags }) => tags],
  owner: ['o', ({ ownerUsername }) => [ownerUsername]],
} satisfies IndexedFields<IndexedGroup>

/** Whole values, folded: several of tags. `owner` is the username; flags are `true` and `false`. */
export const groupKeywords = {
  ...groupTexts,
  id: ['i', ({ groupId }) => [groupId]],
  orgid: ['p', ({ portalId }) => [portalId]],
  access: ['x', ({ access }) => [access]],
  isinvitationonly: ['n', ({ isInvitationOnly }) => [String(isInvitationOnly)]],
  isviewonly: ['v', ({ isViewOnly }) => [String(isViewOnly)]],
  isleavingdisallowed: ['l', ({ isLeavingDisallowed }) => [String(isLeavingDisallowed)]],
  autojoin: ['j', ({ autoJoin }) => [String(autoJoin)]],
  membershipaccess: ['m', ({ membershipAccess }) => [membershipAccess]],
  capabilities: ['c', ({ givesItemControl }) => (givesItemControl ? ['updateitemcontrol'] : [])],
  phone: ['f', ({ phone }) => [phone]],
} satisfies IndexedFields<IndexedGroup>

/** The fields of groups that a search knows (documented), by what can be compared with them. */
export interface GroupFields {
  readonly text: keyof typeof groupTexts
  readonly keyword: keyof typeof groupKeywords
  readonly ordered: 'owner'
  readonly number: 'created' | 'modified'
  readonly category: never
}

export const groupSortFields = ['title', 'owner', 'created', 'modified'] as const
export type GroupSortField = (typeof groupSortFields)[number]

/** A search for groups. Groups that compare equal are in the order of their ids. */
export interface GroupSearch {
  readonly condition: Condition<GroupFields>
  /** Id of a user: only groups that this user belongs to. */
  readonly memberId?: string | undefined
  readonly sortField: GroupSortField
  readonly sortOrder: SortOrder
}

/** A term or phrase is looked for in the texts; a word that could be an id, among the ids too (documented). */
const bare: Field<GroupFields> = (atom) => {
  const words: Compared<GroupFields> = compareWords(['title', 'tags', 'snippet', 'description', 'owner'], atom)
  const id = findId(atom)
  if (id === undefined || !('condition' in words)) return words
  return { condition: anyOf([words.condition, { kind: 'key', field: 'id', value: id, isPrefix: false }]) }
}

const organization = keywordField<GroupFields>('orgid')

const groupNoun: Noun<GroupFields> = {
  bare,
  fields: {
    id: keywordField('id', 'none'),
    title: textField('title'),
    snippet: textField('snippet'),
    description: textField('description'),
    tags: textField('tags'),
    owner: orderedField('owner'),
    orgid: organization,
    // Field that one client adds to every search (observed).
    accountid: organization,
    access: keywordField('access'),
    created: numberField('created'),
    modified: numberField('modified'),
    isinvitationonly: keywordField('isinvitationonly'),
    isviewonly: keywordField('isviewonly'),
    autojoin: keywordField('autojoin'),
    isopendata: constantField('false'),
    isleavingdisallowed: keywordField('isleavingdisallowed'),
    membershipaccess: keywordField('membershipaccess'),
    capabilities: keywordField('capabilities'),
    phone: keywordField('phone'),
    typekeywords: unstoredField(),
  },
}

/** The condition that `q` and `filter` mean together. */
export function parseGroupQuery(given: {
  readonly q: string | undefined
  readonly filter: string | undefined
}): Parsed<Condition<GroupFields>> {
  return mapParsed(compile(given, groupNoun), ({ condition }) => condition)
}
