import type { Parsed } from '../../call/parsed.ts'
import { isObject } from '../../json-text.ts'
import { type ItemLevel, itemLevels, itemLimits } from '../item.ts'

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
  if ('tags' in value) return parseLists('tags', value['tags'], itemLimits.tags)
  if ('owner' in value) {
    const username = value['owner']
    const isName = typeof username === 'string' && username.trim() !== '' && username.length <= 128
    return isName ? { value: { kind: 'owner', username } } : { problems: ['owner has to be a username.'] }
  }
  return value['delete'] === true ? { value: { kind: 'delete' } } : { problems: ['delete has to be true.'] }
}

function parseCategories(value: unknown): Parsed<BulkChange> {
  if (!isObject(value) || !('set' in value)) return parseLists('categories', value, itemLimits.categories)
  const set = readList(value['set'], itemLimits.categories)
  if (!set || Object.keys(value).length > 1) {
    return { problems: [`categories: set has to be a list of at most ${itemLimits.categories} paths, and alone.`] }
  }
  return { value: { kind: 'setCategories', set } }
}

function parseLists(kind: 'categories' | 'tags', value: unknown, max: number): Parsed<BulkChange> {
  const lists = readAddAndRemove(value, max)
  if (!lists) return { problems: [`${kind} has to be lists add and remove of at most ${max} texts each.`] }
  return { value: { kind, ...lists } }
}

function parseSharing({ access, groups }: Readonly<Record<string, unknown>>): Parsed<BulkChange> {
  const level = itemLevels.find((known) => known === access)
  if (access !== undefined && !level) return { problems: [`access has to be one of ${itemLevels.join(', ')}.`] }
  const max = itemLimits.groupsInOneCall
  const lists = groups === undefined ? { add: [], remove: [] } : readAddAndRemove(groups, max)
  if (!lists) return { problems: [`groups has to be lists add and remove of at most ${max} ids each.`] }
  return { value: { kind: 'sharing', level, ...lists } }
}

function readAddAndRemove(value: unknown, max: number) {
  if (!isObject(value) || !Object.keys(value).every((name) => name === 'add' || name === 'remove')) return undefined
  const [add, remove] = [readList(value['add'] ?? [], max), readList(value['remove'] ?? [], max)]
  return add && remove && add.length + remove.length > 0 ? { add, remove } : undefined
}

/** The texts, each once. */
function readList(value: unknown, max: number): readonly string[] | undefined {
  const isList = Array.isArray(value) && value.length <= max && value.every((text) => typeof text === 'string')
  return isList ? [...new Set(value)] : undefined
}
