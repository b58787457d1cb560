import { eachTerm, term } from './filter.ts'
import type { IndexedBlock, IndexedTerm, LogBlock } from './store.ts'

/** What the index has of a block: each term of each organization with the entries that have it. */
export function indexBlock({ block, firstNumber, entries }: LogBlock): IndexedBlock {
  const terms = new Map<string, Terms>()
  let [firstAt, lastAt] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const entry of entries) {
    const { portalId, number, at } = entry
    firstAt = Math.min(firstAt, at)
    lastAt = Math.max(lastAt, at)
    // Entries without an organization are in no log.
    if (portalId === undefined) continue
    const ofPortal = terms.get(portalId) ?? new Terms(portalId)
    terms.set(portalId, ofPortal)
    eachTerm(entry, (kind, text) => ofPortal.add(kind, text, number - firstNumber))
  }
  return { block, firstAt, lastAt, size: entries.length, terms: [...terms.values()].flatMap((one) => one.list()) }
}

type Indexed = IndexedTerm & { readonly positions: number[] }

/** Terms of one organization. Nearly all texts come again: each is made a term once. */
class Terms {
  readonly #portalId: string
  readonly #terms = new Map<string, Indexed>()
  /** By the kind and the text of the term. */
  readonly #known = new Map<string, Map<string, Indexed>>()

  constructor(portalId: string) {
    this.#portalId = portalId
  }

  add(kind: string, text: string, position: number): void {
    const { positions } = this.#find(kind, text)
    if (positions.at(-1) !== position) positions.push(position)
  }

  list(): readonly IndexedTerm[] {
    return [...this.#terms.values()]
  }

  #find(kind: string, text: string): Indexed {
    const ofKind = this.#known.get(kind) ?? new Map<string, Indexed>()
    const known = ofKind.get(text)
    if (known) return known
    const name = term(kind, text)
    const found = this.#terms.get(name) ?? { portalId: this.#portalId, term: name, positions: [] }
    this.#terms.set(name, found)
    this.#known.set(kind, ofKind.set(text, found))
    return found
  }
}
