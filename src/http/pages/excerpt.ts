import { isExactNumber } from '../../json-text.ts'

/** The part of a value that a page shows. */
export interface Excerpt {
  readonly value: unknown
  /** Whether anything was left out. */
  readonly isCut: boolean
}

/** Most that a page shows of an answer: characters, and for each value as much as its markup costs. */
const mostShown = 128 * 1024
const costOfValue = 16
/** Longest text, in characters: the files of the handshake are not cut. */
const longestText = 64 * 1024
/** Texts up to this length are never cut: names and ids. */
const shortText = 256
/** More members than any shape has; further ones were stored by a client. */
const mostMembers = 100
/** Entries of lists in an answer, with the objects in them, are above this depth; links of the page are made from them. */
const deepestLinked = 4

/**
 * The first part of a value, so that a page costs the same for an answer of any size: the lists end early, and long texts
 * end in an ellipsis. An object that is shown has all members of its shape.
 */
export function excerptOf(value: unknown): Excerpt {
  let left = mostShown
  let isCut = false

  function excerpt(given: unknown, depth: number): unknown {
    left -= costOfValue
    if (typeof given === 'string') return excerptOfText(given)
    if (typeof given !== 'object' || given === null || isExactNumber(given)) return given
    return Array.isArray(given) ? excerptOfList(given, depth) : excerptOfObject(given, depth)
  }

  function excerptOfText(text: string): string {
    const most = Math.max(shortText, Math.min(longestText, left))
    left -= Math.min(text.length, most)
    if (text.length <= most) return text
    isCut = true
    return `${text.slice(0, most).toWellFormed()}…`
  }

  function excerptOfList(list: readonly unknown[], depth: number): readonly unknown[] {
    const shown: unknown[] = []
    for (const entry of list) {
      if (left <= 0) {
        isCut = true
        break
      }
      shown.push(excerpt(entry, depth + 1))
    }
    return shown
  }

  function excerptOfObject(object: object, depth: number): object {
    const names = Object.keys(object)
    const most = left <= 0 && depth > deepestLinked ? 0 : mostMembers
    if (names.length > most) isCut = true
    const shown = names.slice(0, most).map((name) => {
      left -= name.length
      return [name, excerpt((object as Record<string, unknown>)[name], depth + 1)] as const
    })
    return Object.fromEntries(shown)
  }

  return { value: excerpt(value, 0), isCut }
}
