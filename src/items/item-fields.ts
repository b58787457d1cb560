import { asSeen } from '../plain-text.ts'
import {
  type Compared,
  compareWhole,
  compareWords,
  type Field,
  findId,
  keywordField,
  numberField,
  orderedField,
  textField,
  unstoredField,
  zeroField,
} from '../search/comparison.ts'
import type { Noun } from '../search/compile.ts'
import { anyOf, type CategoryHolder } from '../search/condition.ts'
import { fold, wordsOf } from '../search/folding.ts'
import type { ItemCondition, ItemFields } from './search/item-search.ts'

const organization = keywordField<ItemFields>('orgid')
const tags = textField<ItemFields>('tags')
const created = numberField<ItemFields>('created')
const zero = zeroField<ItemFields>()
const unstored = unstoredField<ItemFields>()

/** The whole type in quotation marks, and else a word of it: `type:"Web Map"`, `type:map` (documented). */
const type: Field<ItemFields> = (atom, language) => {
  if (atom.kind === 'phrase') return compareWhole('type', { ...atom, text: asSeen(atom.text) }, 'none')
  if (language === 'filter') return compareWhole('type', atom, 'none')
  const hasWildcard = atom.kind === 'term' && atom.pieces.some((piece) => typeof piece !== 'string')
  return hasWildcard ? compareWhole('type', atom, 'none') : compareWords(['type'], atom)
}

/** `en` is the language of `en-us` too (documented). */
const culture: Field<ItemFields> = (atom) => {
  const compared = compareWhole<ItemFields>('culture', atom, 'anywhere')
  if (!('condition' in compared)) return compared
  const { condition } = compared
  if (condition.kind !== 'key' || condition.isPrefix || condition.value.includes('-')) return compared
  return { condition: anyOf([condition, { ...condition, value: `${condition.value}-`, isPrefix: true }]) }
}

/** `categories:*` is any category; else a path, or a title at any level, with everything below (chosen). */
const categories: Field<ItemFields> = (atom): Compared<ItemFields> => {
  const problem = 'has neither ranges nor wildcards, but for * alone: give a path or a title.'
  if (atom.kind === 'range') return { problem }
  if (atom.kind === 'phrase') return categoryOf(atom.text)
  const [piece, ...others] = atom.pieces
  if (others.length > 0) return { problem }
  if (typeof piece === 'string') return categoryOf(piece)
  return piece?.wildcard === '*' ? { condition: { kind: 'categorized', holder: 'portal' } } : { problem }
}

function categoryOf(text: string): Compared<ItemFields> {
  return wordsOf(text).length === 0 ? { dropped: true } : { condition: categoryNamed(text, 'portal') }
}

/** A path begins with a slash, and a title has none. */
export function categoryNamed(text: string, holder: CategoryHolder): ItemCondition {
  const name = fold(text.trim())
  if (!name.startsWith('/')) return { kind: 'categoryTitle', holder, title: name }
  const path = withoutSlashesAtEnd(name)
  return path === '' ? { kind: 'none' } : { kind: 'category', holder, path }
}

function withoutSlashesAtEnd(path: string): string {
  let end = path.length
  while (path.charAt(end - 1) === '/') end -= 1
  return path.slice(0, end)
}

const itemFields: Noun<ItemFields>['fields'] = {
  title: textField('title'),
  snippet: textField('snippet'),
  description: textField('description'),
  accessinformation: textField('accessinformation'),
  licenseinfo: textField('licenseinfo'),
  tags,
  // One client calls it so (observed).
  tag: tags,
  type,
  typekeywords: keywordField('typekeywords'),
  owner: orderedField('owner'),
  id: keywordField('id', 'none'),
  group: keywordField('group', 'none'),
  orgid: organization,
  // Field that one client adds to every search (observed).
  accountid: organization,
  access: keywordField('access'),
  created,
  uploaded: created,
  modified: numberField('modified'),
  categories,
  culture,
  spatialreference: keywordField('spatialreference'),
  itemtype: keywordField('itemtype'),
  numviews: zero,
  numratings: zero,
  numcomments: zero,
  avgrating: zero,
  contentstatus: unstored,
  classification: unstored,
  meanpixelsize: unstored,
  bandcount: unstored,
  extent: unstored,
}

const bareFields = ['title', 'tags', 'snippet', 'description', 'type', 'typekeywords'] as const

/** A word that could be an id is looked for among the ids too (chosen). */
const bare: Field<ItemFields> = (atom) => {
  const words = compareWords<ItemFields>(bareFields, atom)
  const id = findId(atom)
  if (id === undefined || !('condition' in words)) return words
  return { condition: anyOf([words.condition, { kind: 'key', field: 'id', value: id, isPrefix: false }]) }
}

/** Terms without a field are looked for in all texts that are searched by default (documented). */
export const itemNoun: Noun<ItemFields> = { fields: itemFields, bare }

/** Terms without a field are looked for in the title only: what relevance asks. */
export const titleNoun: Noun<ItemFields> = { fields: itemFields, bare: (atom) => compareWords(['title'], atom) }
