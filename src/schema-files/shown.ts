/** A text of a file in a sentence, without control characters; a long one is cut (chosen). */
export function shown(text: string, maxLength = 200): string {
  const clean = text.toWellFormed().replace(/\p{Cc}/gu, ' ')
  return clean.length > maxLength ? `${clean.slice(0, maxLength).toWellFormed()}…` : clean
}
