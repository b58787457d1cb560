import { fold } from '../../../src/search/folding.ts'

/** What words that a person searches for mean in the log: operations, by their names on the page. Without DOM. */

/** An operation, and its name in the language of the person. */
type Named = readonly [id: string, name: string]

/** Maximum pairs that the API takes. */
const maxMeanings = 500

/** Scripts without blanks between words. */
const withoutBlanks = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

/** Pairs of a word and an operation whose name has it, and the other words that any name has: `revoke:invalidateInvitation`. */
export function meaningsOf(q: string, operations: readonly Named[]): string {
  const words = q.split(/\s+/).filter((word) => word !== '' && !word.includes(','))
  const named = words
    .map((word) => ({ word, ids: new Set(operations.filter(([, name]) => hasWord(name, word)).map(([id]) => id)) }))
    .filter(({ ids }) => ids.size > 0)
  const ofAll = operations.map(([id]) => id).filter((id) => named.every(({ ids }) => ids.has(id)))
  return named
    .flatMap(({ word, ids }) => (ofAll.length > 0 ? ofAll : [...ids]).map((id) => `${word}:${id}`))
    .slice(0, maxMeanings)
    .join(',')
}

/** Whether a name has a word that begins like this. */
function hasWord(name: string, word: string): boolean {
  const [folded, wanted] = [fold(name), fold(word)]
  if (wanted === '') return false
  return withoutBlanks.test(wanted)
    ? folded.includes(wanted)
    : folded.split(/[^\p{L}\p{M}\p{N}]+/u).some((part) => part.startsWith(wanted))
}
