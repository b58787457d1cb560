import { say } from '../sentences/say.ts'

/** Runs of separators with the blanks around them, and the separator of categories in a list. */
const slashes = /(\s*)\/[\s/]*/g
const commas = /\s*,[\s,]*/g
const controls = /\p{Cc}+/gu
const reserved = /[/,\p{Cc}]/u

/** Characters that a label may have before those go that a title may not have (chosen). */
export const maxLabelLength = 1_000

/**
 * A label as the title of a category: `/` becomes `∕`, which looks like it in every language, commas and control characters a blank (chosen). A label that
 * is a title already, or longer than any, stays as it is, with its blanks.
 */
export function titleFromLabel(label: string): string {
  const text = label.toWellFormed()
  // The time that blanks take grows with their square.
  if (text.length > maxLabelLength || !reserved.test(text)) return text
  const inner = text.replace(/^[\s/,]+|[\s/,]+$/g, '')
  const replaced = inner.replace(slashes, '$1∕$1').replace(commas, ' ').replace(controls, ' ')
  return replaced.replace(/ {2,}/g, ' ').trim()
}

/** Note on a label that is not its title. */
export function describeCleaning(label: string, title: string): string {
  return say('titleCleaned', { label: shown(label), title: shown(title) })
}

/** A text of a file in a sentence, without control characters; a long one is cut (chosen). */
export function shown(text: string, maxLength = 200): string {
  const clean = text.toWellFormed().replace(/\p{Cc}/gu, ' ')
  return clean.length > maxLength ? `${clean.slice(0, maxLength).toWellFormed()}…` : clean
}

/** Cuts before the word that does not fit, with an ellipsis in its place. */
export function cutAtWord(text: string, max: number): string {
  if (text.length <= max) return text
  const start = text.slice(0, max - 1)
  const end = /\s/.test(text.charAt(max - 1)) ? start.length : start.search(/\s\S*$/)
  return `${(end > 0 ? start.slice(0, end) : start).trimEnd().replace(/[\uD800-\uDBFF]$/, '')}…`
}
