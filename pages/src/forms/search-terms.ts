const operators = new Set(['AND', 'OR', 'NOT'])

/** Terms that find users by the beginnings of their names; no text where there is nothing to search for. */
export function searchTermsOf(words: string): string {
  return words.split(/\s+/).flatMap(termsOf).join(' ')
}

/** Search terms of a word: a prefix, or a quoted value if it has characters of the search syntax. Punctuation alone gives none. */
function termsOf(word: string): readonly string[] {
  if (/^[\p{L}\p{N}_][\p{L}\p{M}\p{N}_.-]*$/u.test(word) && !operators.has(word)) return [`${word}*`]
  const text = word.replace(/["\\]/g, ' ').trim()
  return /[\p{L}\p{N}]/u.test(text) ? [`"${text}"`] : []
}
