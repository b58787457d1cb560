import { mapParsed, type Parsed } from '../../call/parsed.ts'
import { isObject } from '../../json-text.ts'
import { findEntriesProblem, trimEntries } from '../../plain-text.ts'
import { groupIdRules, type ItemLevel, itemLevels, tagRules } from '../item.ts'

/** A change that is made of many items: one of these kinds. */
export type BulkChange =
  | { readonly kind: 'categories'; readonly add: readonly string[]; readonly remove: readonly string[] }
  | { readonly kind: 'setCategories'; readonly set: readonly string[] }
  | { readonly kind: 'tags'; readonly add: readonly string[]; readonly remove: readonly string[] }
  | {
      readonly kind: 'sharing'
      /** Undefined where the level stays. */
      readonly level: ItemLevel | undefined
      /** Whether groups that give control of their items may get them. */
      readonly confirmItemControl?: boolean | undefined
      readonly add: readonly string[]
      readonly remove: readonly string[]
    }
  | { readonly kind: 'owner'; readonly username: string }
  | { readonly kind: 'delete' }

const members = ['categories', 'tags', 'access', 'groups', 'owner', 'delete'] as const

const example = '{"categories":{"add":["/Themes/Water"]}}'

/** Reads a change as clients give it: one of categories, tags, owner and delete, or access and groups. */
export function parseBulkChange(value: unknown): Parsed<BulkChange> {
  if (!isObject(value)) return { problems: [`has to be an object such as ${example}.`] }
  const given = Object.keys(value)
  const unknown = given.find((name) => !members.some((known) => known === name))
  if (unknown !== undefined) {
    return { problems: [`has ${unknown.slice(0, 60).toWellFormed()}, which is none of ${members.join(', ')}.`] }
  }
  const isSharing = given.length > 0 && given.every((name) => name === 'access' || name === 'groups')
  if (given.length !== 1 && !isSharing) {
    return { problems: ['has to have one of categories, tags, owner and delete; or access, groups or both.'] }
  }
  if (isSharing) return parseSharing(value)
  if ('categories' in value) return parseCategories(value['categories'])
  if ('tags' in value) return parseLists('tags', value['tags'])
  if ('owner' in value) {
    const username = value['owner']
    const isName = typeof username === 'string' && username.trim() !== '' && username.length <= 128
    return isName ? { value: { kind: 'owner', username } } : { problems: ['owner has to be a username.'] }
  }
  return value['delete'] === true ? { value: { kind: 'delete' } } : { problems: ['delete has to be true.'] }
}

/** Above the number of an item's, so that its own check reports an excess. */
const pathRules = { max: 200, maxLength: 1_000 }
const rules = { categories: pathRules, tags: tagRules, groups: groupIdRules } as const
type ListName = keyof typeof rules

function parseCategories(value: unknown): Parsed<BulkChange> {
  if (!isObject(value) || !('set' in value)) return parseLists('categories', value)
  if (Object.keys(value).length > 1) return { problems: ['categories: set has to be alone.'] }
  return mapParsed(readList('categories', 'set', value['set']), (set) => ({ kind: 'setCategories', set }))
}

function parseLists(kind: 'categories' | 'tags', value: unknown): Parsed<BulkChange> {
  return mapParsed(readAddAndRemove(kind, value), (lists) => ({ kind, ...lists }))
}

function parseSharing({ access, groups }: Readonly<Record<string, unknown>>): Parsed<BulkChange> {
  const level = itemLevels.find((known) => known === access)
  if (access !== undefined && !level) return { problems: [`access has to be one of ${itemLevels.join(', ')}.`] }
  const lists = groups === undefined ? { value: { add: [], remove: [] } } : readAddAndRemove('groups', groups)
  return mapParsed(lists, (value) => ({ kind: 'sharing', level, ...value }))
}

interface Lists {
  readonly add: readonly string[]
  readonly remove: readonly string[]
}

function readAddAndRemove(name: ListName, value: unknown): Parsed<Lists> {
  const lists = isObject(value) && Object.keys(value).every((key) => key === 'add' || key === 'remove') ? value : {}
  const add = readList(name, 'add', lists['add'] ?? [])
  const remove = readList(name, 'remove', lists['remove'] ?? [])
  if ('problems' in add) return add
  if ('problems' in remove) return remove
  const isEmpty = add.value.length + remove.value.length === 0
  if (isEmpty) return { problems: [`${name} has to be lists add and remove of at most ${rules[name].max} texts each.`] }
  return { value: { add: add.value, remove: remove.value } }
}

/** The entries by the rules of the operation for one item. */
function readList(name: ListName, list: string, value: unknown): Parsed<readonly string[]> {
  if (!Array.isArray(value) || !value.every((text) => typeof text === 'string')) {
    return { problems: [`${name}: ${list} has to be a list of texts.`] }
  }
  const entries = trimEntries(value)
  const problem = findEntriesProblem(entries, rules[name])
  return problem === undefined ? { value: entries } : { problems: [`${name}: ${list} ${problem}`] }
}
