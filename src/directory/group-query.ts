import type { Parsed } from '../input.ts'
import type { SortOrder } from './group.ts'

/** One condition of a group search; all of them must hold. */
export interface GroupTerm {
  /** `undefined`: the title, the tags, the snippet or the description contains the words. */
  readonly field: GroupField | undefined
  readonly text: string
}

export const groupFields = ['id', 'title', 'owner', 'tags', 'access', 'orgid'] as const
export type GroupField = (typeof groupFields)[number]

export const groupSortFields = ['title', 'owner', 'created', 'modified'] as const
export type GroupSortField = (typeof groupSortFields)[number]

export interface GroupQuery {
  readonly terms: readonly GroupTerm[]
  readonly sortField: GroupSortField
  readonly sortOrder: SortOrder
}

const term = /(?:([A-Za-z]+):)?(?:"([^"]*)"|([^\s"]+))/g
const mostTerms = 20

/**
 * `owner:anna title:"land use" water` → three terms. Fields, quotes and AND are those of the public API's search;
 * OR, NOT, brackets and ranges are refused rather than misread (chosen).
 */
export function parseGroupTerms(q: string): Parsed<readonly GroupTerm[]> {
  const terms: GroupTerm[] = []
  const problems: string[] = []
  for (const [, field, quoted, word] of q.matchAll(term)) {
    const text = quoted ?? word ?? ''
    if (!field && word === 'AND') continue
    if (!field && word === '*') continue
    if (!field && (word === 'OR' || word === 'NOT' || /^[-+([{]/.test(text))) {
      problems.push(`q: ${text} is not understood; give words and field:value pairs, all of which must match.`)
      continue
    }
    const known = groupFields.find((name) => name === field?.toLowerCase())
    if (field && !known) problems.push(`q: the field ${field} is not searched; fields are ${groupFields.join(', ')}.`)
    else if (text) terms.push({ field: known, text })
  }
  if (terms.length > mostTerms) problems.push(`q: ${terms.length} terms; at most ${mostTerms} are allowed.`)
  return problems.length > 0 ? { problems } : { value: terms }
}
