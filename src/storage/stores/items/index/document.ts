import { hash } from 'node:crypto'
import { fold, wordsOf } from '../../../../search/folding.ts'

/**
 * A record as the index has it, the same for both engines: words with positions, and keywords, which are whole values and what
 * decides who sees the record. Words of different fields are different tokens.
 */
export interface IndexDocument {
  readonly words: readonly FieldWords[]
  readonly keywords: readonly string[]
}

/** The words of one field, one after the other, as tokens; undefined is a gap, over which no phrase extends. */
type FieldWords = readonly (string | undefined)[]

/** What every record has. */
export const everyRecord = 'z'

/** What stands in a gap. */
export const gap = 'x'

export function wordToken(code: string, word: string): string {
  return `w${code}${word}`
}

/** Token of a whole value. The token of its beginning is a beginning of it. */
export function keywordToken(code: string, value: string): string {
  return `k${code}${encode(value)}`
}

/**
 * PostgreSQL keeps positions up to 16,383, and 256 of each lexeme. The index ends before on both engines, so that they find the
 * same: words after the first 10,000 of a field, and after the 256th of the same, are not found (chosen).
 */
const mostWords = 10_000
const mostOfOneWord = 256

/** Words of the values, with a gap between two values. */
export function fieldWords(code: string, values: readonly string[]): FieldWords {
  const words: (string | undefined)[] = []
  const seen = new Map<string, number>()
  for (const value of values) {
    if (words.length > 0) words.push(undefined)
    for (const word of wordsOf(value)) {
      const times = (seen.get(word) ?? 0) + 1
      seen.set(word, times)
      words.push(times > mostOfOneWord ? undefined : wordToken(code, word))
    }
    if (words.length > mostWords) break
  }
  return words.slice(0, mostWords)
}

/** Tokens of whole values, each once. What folds to nothing is no value. */
export function fieldKeywords(code: string, values: readonly string[]): readonly string[] {
  return foldedValues(values).map((value) => keywordToken(code, value))
}

/** Folded values, each once, without empty ones. */
export function foldedValues(values: readonly string[]): readonly string[] {
  return [...new Set(values.map(fold))].filter((value) => value !== '')
}

/** Most characters of a value in its token; what follows is hashed. */
const mostOfValue = 200

/**
 * The tokenizer of SQLite parts tokens at ASCII punctuation and folds ASCII letters, so that all of these are mapped into the
 * private use area. Characters that are there already are escaped.
 */
function encode(value: string): string {
  // There are no more characters than code units.
  const characters = value.length <= mostOfValue ? undefined : Array.from(value)
  const isWhole = characters === undefined || characters.length <= mostOfValue
  const begin = isWhole ? value : characters.slice(0, mostOfValue).join('')
  const encoded = begin.replace(mapped, encodeCharacter)
  return isWhole ? encoded : `${encoded}\ue0fe${digestOf(value)}`
}

/** ASCII but for digits and small letters, and what is private already. */
const mapped = /[\0-/:-`{-\x7f\ue000-\ue0ff]/g

function encodeCharacter(character: string): string {
  const code = character.charCodeAt(0)
  return code < 0x80 ? String.fromCharCode(0xe000 + code) : `\ue0ff${character}`
}

/** Encoded beginning of a value: of the same length as in a token, at most. */
export function beginningToken(code: string, beginning: string): string {
  return keywordToken(code, Array.from(beginning).slice(0, mostOfValue).join(''))
}

/** The document as text, by which two of them are compared, and which SQLite indexes, with further tokens. */
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
  // Without quotes and backslashes, which are encoded.
  return [everyRecord, ...keywords, ...further]
    .map((token) => `'${token}'`)
    .concat(lexemes)
    .join(' ')
}

/** 64 bits in hex. */
export function digestOf(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 16)
}
