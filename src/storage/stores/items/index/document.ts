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
  for (const value of values) {
    if (words.length > 0) words.push(undefined)
    for (const word of wordsOf(value)) words.push(wordToken(code, word))
    if (words.length > maxWords) break
  }
  if (words.length <= maxPerWord) return words
  const seen = new Map<string | undefined, number>()
  return words.slice(0, maxWords).map((word) => {
    const times = (seen.get(word) ?? 0) + 1
    seen.set(word, times)
    return times > maxPerWord ? undefined : word
  })
}

/** Document and keywords of a record: whole values of text fields are only tokens, except those in `compared`. */
export function indexed<Indexed>(
  record: Indexed,
  texts: IndexedFields<Indexed>,
  keywords: IndexedFields<Indexed>,
  compared: string,
): { readonly document: IndexDocument; readonly keywords: readonly string[] } {
  const all = Object.entries(keywords).map(([name, [code, valuesOf]]) => ({
    code,
    isWhole: !(name in texts) || name === compared,
    values: foldedValues(valuesOf(record)),
  }))
  return {
    document: {
      words: Object.values(texts).map(([code, valuesOf]) => fieldWords(code, valuesOf(record))),
      keywords: all.flatMap(({ code, values }) => values.map((value) => keywordToken(code, value))),
    },
    keywords: all.flatMap(({ code, isWhole, values }) => (isWhole ? values.map((value) => code + value) : [])),
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
  const begin = value.length <= maxPerValue ? value : cut(value)
  const encoded = plain.test(begin) ? begin : begin.replace(mapped, encodeCharacter)
  return begin.length === value.length ? encoded : `${encoded}\ue0fe${digestOf(value)}`
}

/** The first characters of a value; each has one or two code units. */
function cut(value: string): string {
  return Array.from(value.slice(0, 2 * maxPerValue))
    .slice(0, maxPerValue)
    .join('')
}

/** ASCII except digits and small letters, and the private use characters that encoding uses. */
const mapped = /[\0-/:-`{-\x7f\ue000-\ue0ff]/g
/** Values without these: ids, most tags. */
const plain = /^[0-9a-z]*$/

function encodeCharacter(character: string): string {
  const code = character.charCodeAt(0)
  return code < 0x80 ? String.fromCharCode(0xe000 + code) : `\ue0ff${character}`
}

/** Token of the beginning of a value, cut to the length that tokens have of it. */
export function beginningToken(code: string, beginning: string): string {
  return keywordToken(code, cut(beginning))
}

/** The document as text, with further tokens: SQLite indexes it, and digests are made from it. */
export function toText({ words, keywords }: IndexDocument, further: readonly string[] = []): string {
  let text = everyRecord
  for (const keyword of keywords) text += ` ${keyword}`
  text += ` ${gap}`
  for (const field of words) {
    for (const word of field) text += ` ${word ?? gap}`
    text += ` ${gap}`
  }
  for (const token of further) text += ` ${token}`
  return text
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
