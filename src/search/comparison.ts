import { type Condition, negationOf, type SearchFields, type TextBound } from './condition.ts'
import { fold, wordsOf } from './folding.ts'
import type { Comparison } from './query.ts'
import type { Bound, Language, Piece } from './tokens.ts'

/**
 * Comparison of a field. One without letters or digits means nothing and is dropped, except in quotation marks
 * where whole values are compared: there it means that the field has no value.
 */
export type Field<Fields extends SearchFields> = (atom: Comparison, language: Language) => Compared<Fields>

export type Compared<Fields extends SearchFields> =
  | { readonly condition: Condition<Fields> }
  | { readonly dropped: true }
  /** Problem; the caller puts the field and its place before it. */
  | { readonly problem: string }

const dropped = { dropped: true } as const

/** Words of the field in `q`, its whole value in `filter`. */
export function textField<Fields extends SearchFields>(
  name: Fields['text'] & Fields['keyword'],
  isExact = false,
): Field<Fields> {
  return (atom, language) =>
    language === 'q' ? compareWords([name], atom) : compareWhole(name, atom, isExact ? 'none' : 'atEnd')
}

type Wildcards = 'none' | 'atEnd' | 'anywhere'

/** The whole value of the field. */
export function keywordField<Fields extends SearchFields>(
  name: Fields['keyword'],
  wildcards: Wildcards = 'anywhere',
): Field<Fields> {
  return (atom) => compareWhole(name, atom, wildcards)
}

/** Whole values that have ranges too, in the order of code points. */
export function orderedField<Fields extends SearchFields>(name: Fields['ordered'] & Fields['keyword']): Field<Fields> {
  return (atom) => {
    if (atom.kind !== 'range') return compareWhole(name, atom, 'anywhere')
    const { min, max } = atom
    if (!min && !max) return { condition: { kind: 'key', field: name, value: '', isPrefix: true } }
    return { condition: { kind: 'between', field: name, min: foldBound(min), max: foldBound(max) } }
  }
}

function foldBound(bound: Bound | undefined): TextBound | undefined {
  return bound && { value: fold(bound.text), isInclusive: bound.isInclusive }
}

/** Words in any of the fields. */
export function compareWords<Fields extends SearchFields>(
  fields: readonly (Fields['text'] & Fields['keyword'])[],
  atom: Comparison,
): Compared<Fields> {
  if (atom.kind === 'range') return { problem: 'has no ranges.' }
  if (atom.kind === 'phrase') return wordsIn(fields, wordsOf(atom.text), false)
  const { text, isPrefix, hasInnerWildcard } = readPieces(atom.pieces)
  if (hasInnerWildcard)
    return { problem: 'is compared word by word: give whole words, or the beginning of a word and *.' }
  if (text === '' && isPrefix) {
    const [field] = fields
    if (field !== undefined && fields.length === 1) return { condition: { kind: 'key', field, value: '', isPrefix } }
  }
  // Behind a sign, a star has no word to continue.
  return wordsIn(fields, wordsOf(text), isPrefix && /[\p{L}\p{N}]$/u.test(fold(text)))
}

function wordsIn<Fields extends SearchFields>(
  fields: readonly Fields['text'][],
  words: readonly string[],
  isPrefix: boolean,
): Compared<Fields> {
  return words.length === 0 ? dropped : { condition: { kind: 'words', fields, words, isPrefix } }
}

/** The text before the first wildcard that is not at the end, and which wildcards there are. */
function readPieces(pieces: readonly Piece[]): {
  readonly text: string
  readonly isPrefix: boolean
  readonly hasInnerWildcard: boolean
} {
  const last = pieces.at(-1)
  const isPrefix = typeof last === 'object' && last.wildcard === '*'
  const before = isPrefix ? pieces.slice(0, -1) : pieces
  const [text = ''] = before
  return {
    text: typeof text === 'string' ? text : '',
    isPrefix,
    hasInnerWildcard: before.length > 1 || typeof text === 'object',
  }
}

/** A term of 32 hexadecimal digits, which could be an id. */
export function findId(atom: Comparison): string | undefined {
  const [text] = atom.kind === 'term' && atom.pieces.length === 1 ? atom.pieces : []
  return typeof text === 'string' && /^[0-9a-f]{32}$/i.test(text) ? fold(text) : undefined
}

/** A comparison with whole values: `"…"`, a term, or a term with the wildcards that the field has. */
export function compareWhole<Fields extends SearchFields>(
  field: Fields['keyword'],
  atom: Comparison,
  wildcards: Wildcards,
): Compared<Fields> {
  if (atom.kind === 'range') return { problem: 'has no ranges.' }
  if (atom.kind === 'phrase') return { condition: isValue(field, fold(atom.text)) }
  const { text, isPrefix, hasInnerWildcard } = readPieces(atom.pieces)
  if ((isPrefix || hasInnerWildcard) && wildcards === 'none') {
    return { problem: 'has no wildcards: give the whole value, in quotation marks if it has a * or ?.' }
  }
  if (hasInnerWildcard) {
    if (wildcards === 'atEnd') return { problem: 'has wildcards at the end of a value only.' }
    return comparePattern(field, atom.pieces)
  }
  const value = fold(text)
  if (isPrefix) return value === '' && text !== '' ? dropped : { condition: { kind: 'key', field, value, isPrefix } }
  return wordsOf(text).length === 0 ? dropped : { condition: { kind: 'key', field, value, isPrefix } }
}

/** Matches a value; an empty one matches records without any value, as the empty prefix matches all values. */
function isValue<Fields extends SearchFields>(field: Fields['keyword'], value: string): Condition<Fields> {
  if (value !== '') return { kind: 'key', field, value, isPrefix: false }
  return negationOf<Fields>({ kind: 'key', field, value, isPrefix: true })
}

function comparePattern<Fields extends SearchFields>(
  field: Fields['keyword'],
  pieces: readonly Piece[],
): Compared<Fields> {
  let pattern = ''
  for (const piece of pieces) {
    const text = typeof piece === 'string' ? fold(piece) : undefined
    if (text && /[*?]/.test(text)) return { problem: 'has a * or ? that is text beside one that is a wildcard.' }
    pattern += text ?? (piece as { wildcard: string }).wildcard
  }
  return { condition: { kind: 'pattern', field, pattern } }
}

interface Interval {
  readonly min: number
  readonly max: number
}

/** Whole numbers. */
export function numberField<Fields extends SearchFields>(field: Fields['number']): Field<Fields> {
  return (atom) => {
    const interval = readInterval(atom)
    if (!interval) return notNumbers
    const { min, max } = interval
    return { condition: min > max ? { kind: 'none' } : { kind: 'range', field, min, max } }
  }
}

/** A number that nothing here counts: 0 for each record. */
export function zeroField<Fields extends SearchFields>(): Field<Fields> {
  return (atom) => {
    const interval = readInterval(atom)
    if (!interval) return notNumbers
    return { condition: interval.min <= 0 && interval.max >= 0 ? { kind: 'all' } : { kind: 'none' } }
  }
}

const notNumbers = { problem: 'has numbers; give one, or a range of two.' } as const

function readInterval(atom: Comparison): Interval | undefined {
  if (atom.kind === 'range') {
    const min = atom.min ? readNumber(atom.min.text) : -Infinity
    const max = atom.max ? readNumber(atom.max.text) : Infinity
    if (min === undefined || max === undefined) return undefined
    return within(
      atom.min && !atom.min.isInclusive ? Math.floor(min) + 1 : Math.ceil(min),
      atom.max && !atom.max.isInclusive ? Math.ceil(max) - 1 : Math.floor(max),
    )
  }
  const text = atom.kind === 'phrase' ? atom.text : readLiteral(atom.pieces)
  if (text === undefined) return undefined
  if (text === '*') return within(-Infinity, Infinity)
  const value = readNumber(text)
  return value === undefined ? undefined : within(Math.ceil(value), Math.floor(value))
}

/** The text of a term without wildcards, or a star alone. */
function readLiteral(pieces: readonly Piece[]): string | undefined {
  const [piece] = pieces
  if (pieces.length !== 1 || piece === undefined) return undefined
  return typeof piece === 'string' ? piece : piece.wildcard
}

/** Interval of numbers; bounds that no record reaches leave it empty. */
function within(min: number, max: number): Interval {
  return { min: Math.max(min, Number.MIN_SAFE_INTEGER), max: Math.min(max, Number.MAX_SAFE_INTEGER) }
}

/** Leading zeros are allowed (documented). */
function readNumber(text: string): number | undefined {
  return /^-?\d{1,100}(?:\.\d{1,100})?$/.test(text) ? Number(text) : undefined
}

/** A field whose text is equal for all records. */
export function constantField<Fields extends SearchFields>(value: string): Field<Fields> {
  return (atom) => {
    const compared = compareWhole<Fields>('', atom, 'none')
    if (!('condition' in compared)) return compared
    const { condition } = compared
    return { condition: condition.kind === 'key' && condition.value === value ? { kind: 'all' } : { kind: 'none' } }
  }
}

/** A field that is known and stored nowhere: nothing matches. */
export function unstoredField<Fields extends SearchFields>(): Field<Fields> {
  return () => ({ condition: { kind: 'none' } })
}
