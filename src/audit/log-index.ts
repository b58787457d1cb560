import { termsOf } from './filter.ts'
import type { IndexedBlock, IndexedTerm, LogBlock } from './store.ts'

/** What the index has of a block: each term of each organization with the entries that have it. */
export function indexBlock({ block, firstNumber, entries }: LogBlock): IndexedBlock {
  const terms = new Map<string, IndexedTerm & { readonly positions: number[] }>()
  for (const entry of entries) {
    const { portalId, number } = entry
    // Entries without an organization are in no log.
    if (portalId === undefined) continue
    for (const term of termsOf(entry)) {
      const key = `${portalId} ${term}`
      const known = terms.get(key) ?? { portalId, term, positions: [] }
      known.positions.push(number - firstNumber)
      terms.set(key, known)
    }
  }
  const times = entries.map(({ at }) => at)
  const [firstAt, lastAt] = [Math.min(...times), Math.max(...times)]
  return { block, firstAt, lastAt, size: entries.length, terms: [...terms.values()] }
}
