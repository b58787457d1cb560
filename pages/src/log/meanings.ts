import { hasWord } from '../texts/words.ts'

/** Operations that the words of a search mean in the log, by their names on the page. Without DOM. */

/** An operation, and its name in the language of the person. */
type Named = readonly [id: string, name: string]

/** Maximum pairs that the API takes. */
const maxMeanings = 500

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
