import type { Query } from '../../../src/search/query.ts'
import type { Bound, Piece } from '../../../src/search/tokens.ts'

/** The text of a syntax tree, with brackets around everything that has parts. */
export function printQuery(query: Query): string {
  switch (query.kind) {
    case 'everything':
      return '*'
    case 'and':
      return query.of.map(printOperand).join(' AND ')
    case 'or':
      return query.of.map(printOperand).join(' OR ')
    case 'not':
      return `NOT ${printOperand(query.of)}`
    default:
      return `${query.field === undefined ? '' : `${query.field}:`}${printAtom(query)}`
  }
}

function printOperand(query: Query): string {
  return query.kind === 'and' || query.kind === 'or' || query.kind === 'not'
    ? `(${printQuery(query)})`
    : printQuery(query)
}

type Comparison = Extract<Query, { field: string | undefined }>

function printAtom(atom: Comparison): string {
  if (atom.kind === 'phrase') return quote(atom.text)
  if (atom.kind === 'term') return atom.pieces.map(printPiece).join('')
  return `${atom.min?.isInclusive === false ? '{' : '['}${printBound(atom.min)} TO ${printBound(atom.max)}${
    atom.max?.isInclusive === false ? '}' : ']'
  }`
}

/** Each character of a text is escaped, so that none is a sign. */
function printPiece(piece: Piece): string {
  return typeof piece === 'string' ? Array.from(piece, (character) => `\\${character}`).join('') : piece.wildcard
}

function printBound(bound: Bound | undefined): string {
  return bound ? quote(bound.text) : '*'
}

function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}

/** The tree without the places of its atoms. */
export function withoutPlaces(query: Query): Query {
  switch (query.kind) {
    case 'everything':
      return query
    case 'and':
    case 'or':
      return { kind: query.kind, of: query.of.map(withoutPlaces) }
    case 'not':
      return { kind: 'not', of: withoutPlaces(query.of) }
    default:
      return { ...query, at: 0 }
  }
}
