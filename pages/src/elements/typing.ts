import { fold } from '../../../src/search/folding.ts'

/** How letters that are typed in a list or a tree lead to a row of it. Without DOM. */

/** Letters typed within this time of each other, in milliseconds, belong together (chosen). */
const typingPause = 700

export class Typing {
  #text = ''
  #at = 0

  /** The letters so far, with that of a key press; undefined for a key that is no letter. `timeStamp`: milliseconds. */
  add({ key, timeStamp }: { readonly key: string; readonly timeStamp: number }): string | undefined {
    if ([...key].length !== 1) return undefined
    const before = timeStamp - this.#at > typingPause ? '' : this.#text
    // A blank is part of what is typed, and nothing by itself.
    if (key === ' ' && before === '') return undefined
    this.#text = before + key
    this.#at = timeStamp
    return this.#text
  }
}

/**
 * The position of the row that typed letters lead to: the next one whose title begins with them, from the present row on, around
 * the end. One letter, or the same one again and again, leads to the next that begins with it.
 */
export function findTyped(titles: readonly string[], typed: string, present: number): number | undefined {
  const wanted = fold(typed)
  const letters = new Set(wanted)
  const [start, first] = letters.size === 1 ? [[...letters][0]!, present + 1] : [wanted, present]
  const order = titles.map((_, step) => (Math.max(first, 0) + step) % titles.length)
  return order.find((at) => fold(titles[at]!).startsWith(start))
}
