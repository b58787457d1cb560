import { say } from '../sentences/say.ts'
import { type Atom, type Language, maxQueryLength, type Token, tokensOf } from './tokens.ts'

/** The syntax tree of a query. `and` and `or` have at least two operands. */
export type Query =
  | { readonly kind: 'everything' }
  | { readonly kind: 'and' | 'or'; readonly of: readonly Query[] }
  | { readonly kind: 'not'; readonly of: Query }
  | Comparison

/** An atom with the field that it is compared with, undefined without one; `at` is the place where both begin. */
export type Comparison = Atom & { readonly field: string | undefined; readonly at: number }

const deepest = 32

/**
 * Parses `q` or `filter` (content §5.2); blank text matches everything. Returns one sentence that names the place where the text
 * is not understood. Each character and each token is read a bounded number of times.
 */
export function parseQuery(text: string, language: Language): { readonly query: Query } | { readonly problem: string } {
  const bytes = Buffer.byteLength(text)
  if (bytes > maxQueryLength) return { problem: say('textTooLong', { bytes, max: maxQueryLength }) }
  const found = tokensOf(text, language)
  if ('problem' in found) return found
  const { tokens } = found
  if (tokens.length === 0) return { query: { kind: 'everything' } }
  const parsed = orAt({ tokens, next: 0 }, 0, undefined)
  if (parsed instanceof Unexpected) return { problem: parsed.sentence }
  return { query: parsed }
}

/** The place in the tokens that is parsed next. */
interface Cursor {
  readonly tokens: readonly Token[]
  next: number
}

class Unexpected {
  readonly sentence: string
  constructor(sentence: string) {
    this.sentence = sentence
  }
}

/** Parses up to the end, or to the closing bracket, which exists if `depth` is not 0. */
function orAt(cursor: Cursor, depth: number, field: string | undefined): Query | Unexpected {
  const of: Query[] = []
  while (true) {
    const operand = andAt(cursor, depth, field)
    if (operand instanceof Unexpected) return operand
    of.push(operand)
    const token = cursor.tokens[cursor.next]
    if (token?.kind === 'OR') {
      cursor.next += 1
      continue
    }
    if (token?.kind === ')' && depth === 0)
      return new Unexpected(`the bracket at character ${token.at} closes nothing.`)
    return of.length === 1 ? operand : { kind: 'or', of }
  }
}

function andAt(cursor: Cursor, depth: number, field: string | undefined): Query | Unexpected {
  const of: Query[] = []
  while (true) {
    const operand = unaryAt(cursor, depth, field)
    if (operand instanceof Unexpected) return operand
    of.push(operand)
    const { tokens } = cursor
    const token = tokens[cursor.next]
    if (!token || token.kind === 'OR' || token.kind === ')') return of.length === 1 ? operand : { kind: 'and', of }
    // Between two clauses, `and` in lower case is dropped (observed).
    if (token.kind === 'AND' || (token.kind === 'lowerAnd' && startsClause(tokens[cursor.next + 1]))) cursor.next += 1
  }
}

function startsClause(token: Token | undefined): boolean {
  return token !== undefined && !['AND', 'OR', ')', 'boost'].includes(token.kind)
}

function unaryAt(cursor: Cursor, depth: number, field: string | undefined): Query | Unexpected {
  const token = cursor.tokens[cursor.next]
  if (token?.kind !== 'NOT' && token?.kind !== 'prefix') return clauseAt(cursor, depth, field)
  cursor.next += 1
  const clause = clauseAt(cursor, depth, field)
  if (clause instanceof Unexpected || (token.kind === 'prefix' && token.sign === '+')) return clause
  return { kind: 'not', of: clause }
}

function clauseAt(cursor: Cursor, depth: number, outer: string | undefined): Query | Unexpected {
  const token = cursor.tokens[cursor.next]
  let field = outer
  let at: number | undefined
  if (token?.kind === 'field') {
    cursor.next += 1
    field = token.name
    const value = cursor.tokens[cursor.next]
    if (!value || !startsAtom(value)) return new Unexpected(`${field} at character ${token.at} has no value.`)
    // Inside brackets, each atom has its own place.
    at = value.kind === '(' ? undefined : token.at
  }
  const atom = atomAt(cursor, depth, field, at)
  if (cursor.tokens[cursor.next]?.kind === 'boost') cursor.next += 1
  return atom
}

function startsAtom({ kind }: Token): boolean {
  return ['term', 'phrase', 'range', 'lowerAnd', '('].includes(kind)
}

function atomAt(
  cursor: Cursor,
  depth: number,
  field: string | undefined,
  place: number | undefined,
): Query | Unexpected {
  const token = cursor.tokens[cursor.next]
  if (!token) return new Unexpected(endOf(cursor))
  const { at } = token
  switch (token.kind) {
    case '(':
      return groupAt(cursor, depth, field)
    case 'everything':
      cursor.next += 1
      return { kind: 'everything' }
    case 'lowerAnd':
      cursor.next += 1
      return { kind: 'term', pieces: ['and'], field, at: place ?? at }
    case 'term':
    case 'phrase':
    case 'range':
      cursor.next += 1
      return { ...token, field, at: place ?? at }
    case 'boost':
      return new Unexpected(`^ at character ${at} follows nothing.`)
    case ')':
      return new Unexpected(depth === 0 ? `the bracket at character ${at} closes nothing.` : emptyBefore(cursor))
    default:
      return new Unexpected(`${nameOf(token)} at character ${at} stands where a term is needed.`)
  }
}

function emptyBefore({ tokens, next }: Cursor): string {
  const before = tokens[next - 1]!
  if (before.kind === '(') return `the bracket at character ${before.at} has nothing in it.`
  return `${nameOf(before)} at character ${before.at} is followed by nothing.`
}

function endOf({ tokens }: Cursor): string {
  const last = tokens.at(-1)!
  if (last.kind === '(') return `the bracket at character ${last.at} is not closed.`
  return `${nameOf(last)} at character ${last.at} is followed by nothing.`
}

function nameOf(token: Token): string {
  if (token.kind === 'prefix') return token.sign
  return token.kind === 'field' ? token.name : token.kind
}

function groupAt(cursor: Cursor, depth: number, field: string | undefined): Query | Unexpected {
  const { at } = cursor.tokens[cursor.next]!
  if (depth === deepest) return new Unexpected(`the bracket at character ${at} is deeper than ${deepest} brackets.`)
  cursor.next += 1
  const group = orAt(cursor, depth + 1, field)
  if (group instanceof Unexpected) return group
  if (cursor.tokens[cursor.next]?.kind !== ')') return new Unexpected(`the bracket at character ${at} is not closed.`)
  cursor.next += 1
  return group
}
