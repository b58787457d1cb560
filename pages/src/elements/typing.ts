import { fold } from '../../../src/search/folding.ts'

/** Selection of a row in a list or a tree by typing its first letters. Without DOM. */

/** Maximum time between letters that belong together, in milliseconds (chosen). */
const typingPause = 700

export class Typing {
  #text = ''
  #at = 0

  /** Adds the letter of a key press and returns all so far; undefined for a key that is not a letter. `timeStamp`: milliseconds. */
  add({ key, timeStamp }: { readonly key: string; readonly timeStamp: number }): string | undefined {
    if ([...key].length !== 1) return undefined
    const before = timeStamp - this.#at > typingPause ? '' : this.#text
    // A blank extends typed text, and is ignored alone.
    if (key === ' ' && before === '') return undefined
    this.#text = before + key
    this.#at = timeStamp
    return this.#text
  }
}

/**
 * Position of the next row whose title begins with the typed letters, from the present row on, around
 * the end. One letter, or the same one repeatedly, selects the next row that begins with it.
 */
export function findTyped(titles: readonly string[], typed: string, present: number): number | undefined {
  const wanted = fold(typed)
  const letters = new Set(wanted)
  const [start, first] = letters.size === 1 ? [[...letters][0]!, present + 1] : [wanted, present]
  const order = titles.map((_, step) => (Math.max(first, 0) + step) % titles.length)
  return order.find((at) => fold(titles[at]!).startsWith(start))
}
