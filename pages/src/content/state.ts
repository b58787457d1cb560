import type { Parameters } from '../api/parameters.ts'
import { startOf } from '../elements/lists/page-parts.ts'

/** State of the content list, kept in its address. Without DOM. */
export interface ContentState {
  readonly q: string
  /** Group whose schema and items are shown; undefined for the organization. */
  readonly group: string | undefined
  /** A path, such as `/Region/World`. */
  readonly category: string | undefined
  /** Entries above the tree: items without a category, or unchanged for a long time. */
  readonly special: 'uncategorized' | 'stale' | undefined
  readonly whose: Whose
  readonly type: string
  readonly tag: string
  readonly owner: string
  readonly sort: SortName
  /** Position of the first entry, from 1. */
  readonly start: number
}

export const whoseItems = ['all', 'mine', 'organization', 'shared'] as const
type Whose = (typeof whoseItems)[number]

const sorts = {
  relevance: { sortField: 'relevance', sortOrder: 'asc' },
  modified: { sortField: 'modified', sortOrder: 'desc' },
  oldest: { sortField: 'modified', sortOrder: 'asc' },
  title: { sortField: 'title', sortOrder: 'asc' },
  owner: { sortField: 'owner', sortOrder: 'asc' },
  type: { sortField: 'type', sortOrder: 'asc' },
} as const
type SortName = keyof typeof sorts
export const sortNames = Object.keys(sorts) as readonly SortName[]

/** Days after which an unchanged item is stale (chosen). */
export const staleDays = 365

export function readState(query: URLSearchParams): ContentState {
  return {
    q: query.get('q') ?? '',
    group: query.get('group') || undefined,
    category: query.get('category') || undefined,
    special: (['uncategorized', 'stale'] as const).find((known) => known === query.get('show')),
    whose: whoseItems.find((known) => known === query.get('whose')) ?? 'all',
    type: query.get('type') ?? '',
    tag: query.get('tag') ?? '',
    owner: query.get('owner') ?? '',
    sort: sortNames.find((known) => known === query.get('sort')) ?? 'modified',
    start: startOf(query),
  }
}

/** Query of an address; defaults are left out. */
export function queryOf(state: ContentState): Readonly<Record<string, string | number | undefined>> {
  const { q, group, category, special, whose, type, tag, owner, sort, start } = state
  return {
    q,
    group,
    category,
    show: special,
    whose: whose === 'all' ? undefined : whose,
    type,
    tag,
    owner,
    sort: sort === 'modified' ? undefined : sort,
    start: start === 1 ? undefined : start,
  }
}

/** State with a change, back on its first page. */
export function changeState(state: ContentState, change: Partial<ContentState>): ContentState {
  return { ...state, start: 1, ...change }
}

interface Person {
  readonly username: string
  readonly portalId: string
}

/** Parameters of the search for this state. */
export function searchParameters(state: ContentState, { username, portalId }: Person, now: number): Parameters {
  const { q, category, special, whose, type, tag, owner } = state
  const filters = [
    whose === 'mine' && `owner:${quote(username)}`,
    whose === 'organization' && `orgid:${quote(portalId)}`,
    whose === 'shared' && 'access:"shared"',
    type && `type:${quote(type)}`,
    tag && `tags:${quote(tag)}`,
    owner && `owner:${quote(owner)}`,
    special === 'stale' && `modified:[0 TO ${now - staleDays * 86_400_000}]`,
  ].filter(Boolean)
  const categories = category ? JSON.stringify([category]) : undefined
  return {
    q: withBeginning(q) || undefined,
    filter: filters.join(' AND ') || undefined,
    categories,
    uncategorized: special === 'uncategorized' ? true : undefined,
  }
}

/**
 * A search in which the last word is a beginning, as it is being typed. Words that a person has quoted, given a field, or marked
 * otherwise stay as they are.
 */
export function withBeginning(words: string): string {
  return words.replace(/(^|\s)([\p{L}\p{N}][\p{L}\p{M}\p{N}_-]*)$/u, (all, before, word) =>
    /^(?:AND|OR|NOT)$/.test(word) || (words.match(/"/g)?.length ?? 0) % 2 === 1 ? all : `${before}${word}*`,
  )
}

export function sortParameters({ sort }: ContentState): Readonly<Record<string, string>> {
  return sorts[sort]
}

/** Quotes a value for the filter language. */
function quote(value: string): string {
  return `"${value.replace(/["\\]/g, '\\$&')}"`
}
