import { shown } from './shown.ts'

/** Runs of separators with the blanks around them, and the separator of categories in a list. */
const slashes = /[\s/]*\/[\s/]*/g
const commas = /\s*,[\s,]*/g
const controls = /\p{Cc}+/gu
const reserved = /[/,\p{Cc}]/u

/** Characters that a label may have before those go that a title may not have (chosen). */
export const maxLabelLength = 1_000

/**
 * A label as the title of a category: `/` becomes ` and `, commas and control characters a blank (contract §3). A label that
 * is a title already, or longer than any, stays as it is, with its blanks.
 */
export function titleFromLabel(label: string): string {
  const text = label.toWellFormed()
  // The time that blanks take grows with their square.
  if (text.length > maxLabelLength || !reserved.test(text)) return text
  const inner = text.replace(/^[\s/,]+|[\s/,]+$/g, '')
  const replaced = inner.replace(slashes, ' and ').replace(commas, ' ').replace(controls, ' ')
  return replaced.replace(/ {2,}/g, ' ').trim()
}

/** Note on a label that is not its title. */
export function describeCleaning(label: string, title: string): string {
  return `The label “${shown(label)}” became the title “${shown(title)}”: a title has neither / nor commas and control characters.`
}
