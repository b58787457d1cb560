import { usernameKey } from '../user.ts'

/** Names of a person who has left, and the name that replaces them. */
export interface Erased {
  /** Username, and further names that the operator gives: full name, mail address. */
  readonly names: readonly string[]
  readonly alias: string
}

export type RowKey = Readonly<Record<string, string | number | null>>

export interface ErasureReader {
  /** Number that no erasure has had. */
  findErasureNumber(): Promise<number>
}

/** Columns in which the program names people. */
export interface ErasureStore extends ErasureReader {
  /** Replaces names in rows of a table; entries of the log are indexed again. Resolves with the number of changed rows. */
  replaceNames(table: string, keys: readonly RowKey[], erased: Erased): Promise<number>
  /**
   * One of the last steps: removes words of former entries from the segments of the index of the log; when none is left, the digest
   * of the name from the erasure's own entry, and resolves with true.
   */
  putErasureEnd(entry: number, isFirst: boolean): Promise<boolean>
}

export function isName(text: unknown, { names }: Erased): boolean {
  return typeof text === 'string' && names.some((name) => usernameKey(name) === usernameKey(text))
}

/**
 * Replaces a text that is a name, usernames in a path (`/community/users/anna,bert/update`), or both in a JSON document.
 * A text with a name beside other words was written by a person.
 */
export function replaceNames(text: string, erased: Erased): string {
  if (isName(text, erased)) return erased.alias
  if (/^[[{]/.test(text)) return replaceInJson(text, erased)
  return text.replace(/(?<=\/users\/)[^/?]+/g, (list) =>
    list.replace(/[^, ]+/g, (one) => (isName(one, erased) ? erased.alias : one)),
  )
}

function replaceInJson(text: string, erased: Erased): string {
  try {
    return JSON.stringify(
      JSON.parse(text, (_, value) => (typeof value === 'string' ? replaceNames(value, erased) : value)),
    )
  } catch {
    // A damaged document, or a text that begins like one.
    return text
  }
}

/** Replaces names in a sentence that the program wrote. */
export function replaceWords(text: string, { names, alias }: Erased): string {
  return names.reduce((replaced, name) => replaced.replace(wordPattern(name), () => alias), text)
}

/** Whether a text has one of the names as a word. */
export function mentions(text: string, names: readonly string[]): boolean {
  return names.some((name) => wordPattern(name).test(text))
}

function wordPattern(name: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}_])${RegExp.escape(name)}(?![\\p{L}\\p{N}_])`, 'giu')
}
