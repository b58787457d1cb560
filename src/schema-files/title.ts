/** Runs of separators with the blanks around them, and the separator of categories in a list. */
const slashes = /[\s/]*\/[\s/]*/g
const commas = /\s*,[\s,]*/g
const controls = /\p{Cc}+/gu
const reserved = /[/,\p{Cc}]/u

/**
 * A label as the title of a category: `/` becomes ` and `, commas and control characters a blank (contract §3). A label that
 * is a title already stays as it is, with its blanks. For labels of some hundred characters at most.
 */
export function titleFromLabel(label: string): string {
  const text = label.toWellFormed()
  if (!reserved.test(text)) return text
  const inner = text.replace(/^[\s/,]+|[\s/,]+$/g, '')
  const replaced = inner.replace(slashes, ' and ').replace(commas, ' ').replace(controls, ' ')
  return replaced.replace(/ {2,}/g, ' ').trim()
}
