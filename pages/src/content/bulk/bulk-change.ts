import type { Parameters } from '../../api/parameters.ts'

/** A change of many items. Without DOM. */

/** Items that a change is for: some by their ids, or all that a search finds. */
export type Target =
  | { readonly kind: 'items'; readonly titles: ReadonlyMap<string, string> }
  | { readonly kind: 'search'; readonly total: number; readonly parameters: Parameters }

export const bulkActions = ['categories', 'sharing', 'tags', 'owner', 'delete'] as const
export type BulkAction = (typeof bulkActions)[number]

interface AddAndRemove {
  readonly add: readonly string[]
  readonly remove: readonly string[]
}

/** A change as the API has it: one of these, or `access` and `groups` together. */
export interface BulkChange {
  readonly categories?: AddAndRemove
  readonly tags?: AddAndRemove
  readonly access?: 'private' | 'org' | 'public'
  readonly groups?: AddAndRemove
  readonly owner?: string
  readonly delete?: true
}

/** Maximum number of items of one change (documented). */
export const maxItems = 10_000

export function countOf(target: Target): number {
  return target.kind === 'items' ? target.titles.size : target.total
}

/** Parameters of `changeItems`. `group`: whose categories are meant, undefined for the organization. */
export function parametersOf(target: Target, change: BulkChange, group: string | undefined): Parameters {
  return {
    ...(target.kind === 'items' ? { items: [...target.titles.keys()].join(',') } : target.parameters),
    group,
    change: JSON.stringify(change),
  }
}

/** Lists of what is added or removed, as the mode says. */
export function listsOf(mode: 'add' | 'remove', values: readonly string[]): AddAndRemove {
  return mode === 'add' ? { add: values, remove: [] } : { add: [], remove: values }
}

/** Texts between commas, each once. */
export function splitTags(text: string): readonly string[] {
  const tags = text.split(',').map((tag) => tag.trim())
  return [...new Set(tags.filter((tag) => tag !== ''))]
}
