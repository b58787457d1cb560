import { type Bits, toBits } from './bitmaps.ts'

/** Bytes of all bitmaps (chosen): 256 of them where there are 1,000,000 items. */
const maxBytes = 32 * 2 ** 20

/** Changes that are remembered (chosen): a bitmap that was not used for longer is read again. */
const maxChanges = 10_000

/** Looks for a changed item and a token that take as long as reading all matches again: some, and one for so many matches (measured). */
const maxLooks = 50
const matchesOfLook = 200

interface Kept {
  bits: Bits
  /** Number of changes that it includes, since the first. */
  changes: number
  readonly count: number
  /** Tokens that an item is looked up for. */
  readonly tokens: number
}

/** Reads which of the numbers match this part of a query; without them, all that match. */
export type ReadMatches = (text: string, among?: readonly number[]) => Promise<Uint32Array>

/**
 * Items that match frequent parts of queries, as bitmaps. Each follows the changes of items when it is used, so it equals the
 * index in the snapshot of that search. The parts that were not used for longest are forgotten first.
 */
export class KeptMatches {
  readonly #kept = new Map<string, Kept>()
  #bytes = 0
  /** Numbers of changed items, the last of so many changes. */
  #changed: number[] = []
  #changes = 0

  change(numbers: readonly number[]): void {
    if (this.#kept.size === 0) return
    this.#changes += numbers.length
    for (const number of numbers) this.#changed.push(number)
    if (this.#changed.length > 2 * maxChanges) this.#changed = this.#changed.slice(-maxChanges)
  }

  /** The items that match now, if they are kept; not to be changed. */
  async find(text: string, read: ReadMatches): Promise<Bits | undefined> {
    const kept = this.#kept.get(text)
    if (!kept) return undefined
    const missing = this.#changes - kept.changes
    this.#forget(text, kept)
    const isFar = missing * kept.tokens > maxLooks + kept.count / matchesOfLook
    if (isFar || missing > this.#changed.length) return undefined
    if (missing > 0) {
      const numbers = [...new Set(this.#changed.slice(-missing))]
      const matching = await read(text, numbers)
      kept.bits = withRoom(kept.bits, Math.max(...numbers) + 1)
      for (const number of numbers) kept.bits[number >>> 5]! &= ~(1 << (number & 31))
      for (const number of matching) kept.bits[number >>> 5]! |= 1 << (number & 31)
      kept.changes = this.#changes
    }
    this.#put(text, kept)
    return kept.bits
  }

  /** Keeps what matches, of items with numbers below `length`. */
  keep(text: string, matching: Uint32Array, length: number): Bits {
    const [bits, tokens] = [toBits(matching, length), text.split('"').length >> 1]
    this.#put(text, { bits, changes: this.#changes, count: matching.length, tokens })
    return bits
  }

  #put(text: string, kept: Kept): void {
    this.#kept.set(text, kept)
    this.#bytes += kept.bits.byteLength
    for (const [other, { bits }] of this.#kept) {
      if (this.#bytes <= maxBytes) break
      this.#bytes -= bits.byteLength
      this.#kept.delete(other)
    }
  }

  #forget(text: string, kept: Kept): void {
    this.#kept.delete(text)
    this.#bytes -= kept.bits.byteLength
  }
}

function withRoom(bits: Bits, length: number): Bits {
  if (length <= bits.length * 32) return bits
  const longer = new Uint32Array((length >>> 5) + (length >>> 9) + 1)
  longer.set(bits)
  return longer
}
