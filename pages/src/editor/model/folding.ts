import { fold } from '../../../../src/search/folding.ts'

/** Search in titles and descriptions: ignores case and accents. */

/** A part of a text, by UTF-16 positions; the end is behind it. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** A folded text, and for each of its units the position in the original text. */
interface Folded {
  readonly text: string
  readonly from: readonly number[]
}

function foldWithPositions(text: string): Folded {
  let folded = ''
  const from: number[] = []
  let position = 0
  for (const sign of text) {
    const units = fold(sign)
    for (let unit = 0; unit < units.length; unit += 1) from.push(position)
    folded += units
    position += sign.length
  }
  return { text: folded, from: [...from, position] }
}

/** Ranges of the searched words in a text, in order; none for an empty search. */
export function findRanges(text: string, searched: string): readonly Range[] {
  const wanted = fold(searched.trim())
  if (wanted === '') return []
  const folded = foldWithPositions(text)
  const ranges: Range[] = []
  for (let at = folded.text.indexOf(wanted); at !== -1; at = folded.text.indexOf(wanted, at + wanted.length)) {
    const start = folded.from[at]!
    // The last character is included as a whole, with its combining marks.
    const last = folded.from[at + wanted.length - 1]!
    const end = folded.from.slice(at + wanted.length).find((position) => position > last) ?? text.length
    if (start >= (ranges.at(-1)?.end ?? 0)) ranges.push({ start, end })
  }
  return ranges
}
