/** Cuts before the word that does not fit, with an ellipsis in its place. */
export function cutAtWord(text: string, max: number): string {
  if (text.length <= max) return text
  const start = text.slice(0, max - 1)
  const end = /\s/.test(text.charAt(max - 1)) ? start.length : start.search(/\s\S*$/)
  return `${(end > 0 ? start.slice(0, end) : start).trimEnd().replace(/[\uD800-\uDBFF]$/, '')}…`
}
