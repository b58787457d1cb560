/**
 * Names and titles may be written from right to left, and may contain characters that reorder what is around them. One place
 * keeps that apart from the words of the application: `formatMessage` for what is put into a message, and `PageElement` for
 * what stands by itself.
 */

/** Embeddings and overrides, which only mislead in a name. */
const overrides = /[\u202a-\u202e]/gu
const isolates = /[\u2066-\u2069]/gu
/** Any of them. Quick to find out: most texts have none. */
const controls = new RegExp(`${overrides.source}|${isolates.source}`, 'u')
const opening = /[\u2066-\u2068]/u
const fromTheRight = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** The same text with a name, such as `[U+202E]`, in place of each character that would reorder what is around it. */
export function showControls(text: string): string {
  if (!controls.test(text)) return text
  const shown = text.replace(overrides, nameOf)
  return areClosed(shown) ? shown : shown.replace(isolates, nameOf)
}

/**
 * A value within a message of a language: its direction has no effect outside of it, and the slash at the end of an address, or the
 * parenthesis at that of a name, belongs to it.
 */
export function isolate(value: string, direction: 'ltr' | 'rtl'): string {
  const shown = showControls(value)
  return direction === 'rtl' || fromTheRight.test(shown) ? `\u2068${shown}\u2069` : shown
}

function nameOf(character: string): string {
  return `[U+${character.codePointAt(0)!.toString(16).toUpperCase()}]`
}

/** Whether each isolate ends within the text, and none ends that began outside of it. */
function areClosed(text: string): boolean {
  let depth = 0
  for (const [character] of text.matchAll(isolates)) {
    depth += opening.test(character) ? 1 : -1
    if (depth < 0) return false
  }
  return depth === 0
}
