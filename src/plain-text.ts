import { say } from './sentences/say.ts'

/** Invisible characters beside spaces: ignorable characters, marks of annotations, and the braille pattern without dots. */
const unseen = '\\p{Default_Ignorable_Code_Point}\\ufff9-\\ufffb\\u2800'

const blank = new RegExp(`^[\\s${unseen}]*$`, 'u')
const anyUnseen = new RegExp(`[${unseen}]`, 'gu')

/** Whether a text shows nothing. */
export function isBlank(text: string): boolean {
  return blank.test(text)
}

/** The text without what is not seen; spaces stay. */
export function withoutUnseen(text: string): string {
  return text.replace(anyUnseen, '')
}

/** The text as it is seen: without what is not, with one space for blanks, and none around it. */
export function asSeen(text: string): string {
  return withoutUnseen(text).replace(/\s+/g, ' ').trim()
}

const controlCharacter = say('hasControl')
const forbiddenCharacter = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/

/** The length of a text that has more than so many UTF-16 code units, as a problem. */
export function findLengthProblem(text: string, maxLength: number): string | undefined {
  return text.length > maxLength ? say('tooLong', { length: text.length, max: maxLength }) : undefined
}

/** The problem of a text of one or several lines: control characters other than tab and line ends are refused (chosen). */
export function findTextProblem(text: string, maxLength: number): string | undefined {
  const problem = findLengthProblem(text, maxLength)
  if (problem) return problem
  if (!text.isWellFormed()) return say('loneSurrogate')
  return forbiddenCharacter.test(text) ? controlCharacter : undefined
}

/** How many entries a list may have, and the UTF-16 code units of each. */
export interface EntryRules {
  readonly max: number
  readonly maxLength: number
}

/** The entries of a list without blank and repeated ones. */
export function trimEntries(listed: readonly string[]): readonly string[] {
  return [...new Set(listed.map((entry) => entry.trim()).filter((entry) => entry !== ''))]
}

/** The problem of a list of such entries. */
export function findEntriesProblem(entries: readonly string[], { max, maxLength }: EntryRules): string | undefined {
  if (entries.length > max) return say('tooManyEntries', { count: entries.length, max })
  if (entries.some((entry) => entry.trim() === '')) return say('entryBlank')
  const problem = entries.map((entry) => findTextProblem(entry, maxLength)).find((found) => found !== undefined)
  return problem === undefined ? undefined : say('entryWrong', { problem })
}

/** The problem of a name or a title, which has no control character at all (chosen), unless it is blank. */
export function findNameProblem(text: string, maxLength: number): string | undefined {
  const hasControl = !isBlank(text) && /\p{Cc}/u.test(text)
  return findTextProblem(text, maxLength) ?? (hasControl ? controlCharacter : undefined)
}

const directionControl = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/

/** Whether a text has a character that changes the direction of what is around it. */
export function hasDirectionControl(text: string): boolean {
  return directionControl.test(text)
}
