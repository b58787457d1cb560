import { hash } from 'node:crypto'
import type { IndexedFields } from '../../../../search/condition.ts'
import { fold, wordsOf } from '../../../../search/folding.ts'

/**
 * A record as the index has it, equal for both engines: words with positions, and keywords, which are whole values and the
 * tokens that decide visibility. Words of different fields are different tokens.
 */
export interface IndexDocument {
  readonly words: readonly FieldWords[]
  readonly keywords: readonly string[]
}

/** The words of one field, one after the other, as tokens; undefined is a gap, over which no phrase extends. */
type FieldWords = readonly (string | undefined)[]

/** Token of every record. */
export const everyRecord = 'z'

/** Token of a gap. */
export const gap = 'x'

export function wordToken(code: string, word: string): string {
  return `w${code}${word}`
}

/** Token of a whole value. The token of a prefix of the value is a prefix of the token. */
export function keywordToken(code: string, value: string): string {
  return `k${code}${encode(value)}`
}

/**
 * PostgreSQL keeps positions up to 16,383, and 256 of each lexeme. The index stops within these limits on both engines, so that
 * they find the same: words after the first 10,000 of a field, and after 256 equal ones, are not found (chosen).
 */
const maxWords = 10_000
const maxPerWord = 256

/** Words of the values, with a gap between two values. */
function fieldWords(code: string, values: readonly string[]): FieldWords {
  const words: (string | undefined)[] = []
  const seen = new Map<string, number>()
  for (const value of values) {
    if (words.length > 0) words.push(undefined)
    for (const word of wordsOf(value)) {
      const times = (seen.get(word) ?? 0) + 1
      seen.set(word, times)
      words.push(times > maxPerWord ? undefined : wordToken(code, word))
    }
    if (words.length > maxWords) break
  }
  return words.slice(0, maxWords)
}

/** Tokens of whole values, each once. Values that fold to nothing are left out. */
function fieldKeywords(code: string, values: readonly string[]): readonly string[] {
  return foldedValues(values).map((value) => keywordToken(code, value))
}

/** Document and keywords of a record: whole values of text fields are only tokens, except those in `compared`. */
export function indexed<Indexed>(
  record: Indexed,
  texts: IndexedFields<Indexed>,
  keywords: IndexedFields<Indexed>,
  compared: string,
): { readonly document: IndexDocument; readonly keywords: readonly string[] } {
  const all = Object.entries(keywords)
  const whole = all.filter(([name]) => !(name in texts) || name === compared)
  return {
    document: {
      words: Object.values(texts).map(([code, valuesOf]) => fieldWords(code, valuesOf(record))),
      keywords: all.flatMap(([, [code, valuesOf]]) => fieldKeywords(code, valuesOf(record))),
    },
    keywords: whole.flatMap(([, [code, valuesOf]]) => foldedValues(valuesOf(record)).map((value) => code + value)),
  }
}

/** Folded values, each once, without empty ones. */
function foldedValues(values: readonly string[]): readonly string[] {
  return [...new Set(values.map(fold))].filter((value) => value !== '')
}

/** Maximum characters of a value in its token; a longer value is cut, and its digest added. */
const maxPerValue = 200

/**
 * Encodes a value: the tokenizer of SQLite splits tokens at ASCII punctuation and folds ASCII letters, so all of these are mapped
 * into the private use area. Characters that are in that area already are escaped.
 */
function encode(value: string): string {
  // A value has at most as many characters as code units.
  const characters = value.length <= maxPerValue ? undefined : Array.from(value)
  const isWhole = characters === undefined || characters.length <= maxPerValue
  const begin = isWhole ? value : characters.slice(0, maxPerValue).join('')
  const encoded = begin.replace(mapped, encodeCharacter)
  return isWhole ? encoded : `${encoded}\ue0fe${digestOf(value)}`
}

/** ASCII except digits and small letters, and the private use characters that encoding uses. */
const mapped = /[\0-/:-`{-\x7f\ue000-\ue0ff]/g

function encodeCharacter(character: string): string {
  const code = character.charCodeAt(0)
  return code < 0x80 ? String.fromCharCode(0xe000 + code) : `\ue0ff${character}`
}

/** Token of the beginning of a value, cut to the length that tokens have of it. */
export function beginningToken(code: string, beginning: string): string {
  return keywordToken(code, Array.from(beginning).slice(0, maxPerValue).join(''))
}

/** The document as text, with further tokens: SQLite indexes it, and digests are made from it. */
export function toText({ words, keywords }: IndexDocument, further: readonly string[] = []): string {
  const fields = words.flatMap((field) => [...field.map((word) => word ?? gap), gap])
  return [everyRecord, ...keywords, gap, ...fields, ...further].join(' ')
}

/** The document as PostgreSQL's tsvector, with further tokens. */
export function toTsvector({ words, keywords }: IndexDocument, further: readonly string[] = []): string {
  const positions = new Map<string, number[]>()
  for (const field of words) {
    for (const [at, word] of field.entries()) {
      if (word === undefined) continue
      const known = positions.get(word)
      if (known) known.push(at + 1)
      else positions.set(word, [at + 1])
    }
  }
  const lexemes = [...positions].map(([word, places]) => `'${word}':${places.join(',')}`)
  // Tokens need no escaping: quotes and backslashes are encoded.
  return [everyRecord, ...keywords, ...further]
    .map((token) => `'${token}'`)
    .concat(lexemes)
    .join(' ')
}

/** 64 bits in hex. */
export function digestOf(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 16)
}
