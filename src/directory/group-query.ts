import type { Parsed } from '../parsed.ts'
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
const mostTerms = 10
/** In characters. Each term is searched in the text of each group, so both are bounded (chosen). */
const longestTerm = 100

/**
 * `owner:anna title:"land use" water` → three terms. Fields, quotes and AND are those of the public API's search;
 * OR, NOT, ranges and wildcards are refused rather than misread (chosen). Quoted text is taken literally. Brackets
 * around terms that must all match are ignored; clients' query builders write them (observed).
 */
export function parseGroupTerms(q: string): Parsed<readonly GroupTerm[]> {
  if (q.split('"').length % 2 === 0) return { problems: ['q: a quotation mark is not closed.'] }
  const terms: GroupTerm[] = []
  const problems: string[] = []
  for (const [, field, quoted, word = ''] of withoutBrackets(q).matchAll(term)) {
    if (!field && (word === 'AND' || word === '*')) continue
    const known = groupFields.find((name) => name === field?.toLowerCase())
    const text = quoted ?? readWord(word, known)
    if (text === undefined) {
      problems.push(`q: ${word} is not understood; give words and field:value pairs, all of which must match.`)
    } else if (field && !known) {
      problems.push(`q: the field ${field} is not searched; fields are ${groupFields.join(', ')}.`)
    } else if (text) {
      terms.push({ field: known, text })
    }
  }
  if (terms.some(({ text }) => text.length > longestTerm)) {
    problems.push(`q: a term is longer than ${longestTerm} characters.`)
  }
  if (terms.length > mostTerms) problems.push(`q: ${terms.length} terms; at most ${mostTerms} are allowed.`)
  return problems.length > 0 ? { problems } : { value: terms }
}

/** `(title:a) AND (b c)` → `title:a AND b c`. Unpaired brackets and those of a field are kept, to be refused. */
function withoutBrackets(q: string): string {
  let depth = 0
  let isPaired = true
  const opened = (bracket: string): string => {
    depth += bracket === '(' ? 1 : -1
    isPaired &&= depth >= 0
    return ' '
  }
  const parts = q.split(/("[^"]*")/)
  const flat = parts.map((part) => (part.startsWith('"') ? part : part.replace(/(?<=^|[\s(])\(|\)/g, opened)))
  return isPaired && depth === 0 ? flat.join('') : q
}

const isOperator = /^(OR|NOT)$|^[-+!]/
const hasSyntax = /[()[\]{}*]/

/** A word outside quotation marks; undefined if it has an operator or other syntax. */
function readWord(word: string, field: GroupField | undefined): string | undefined {
  // Titles and text are searched for substrings, so a star at either end changes nothing.
  const text = field === undefined || field === 'title' ? word.replace(/^\*|\*$/g, '') : word
  return (field === undefined && isOperator.test(text)) || hasSyntax.test(text) ? undefined : text
}
