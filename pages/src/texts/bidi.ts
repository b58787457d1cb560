/**
 * Names and titles may be written from right to left, and may contain characters that reorder what is around them, or that are
 * not seen at all. One place keeps that apart from the words of the application: `formatMessage` for what is put into a
 * message, and `PageElement` for what stands by itself.
 */

/** Characters without a shape. Quick to find out: most texts have none. */
const shapeless = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu
/** A text of which nothing is seen. */
const nothingSeen = /^[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800\p{White_Space}]*$/u

/**
 * Characters that only mislead in a name: embeddings and overrides; blanks without a width, fillers and the like; joiners behind letters
 * that are never joined. Marks of direction, joiners of Arabic and Indic letters, and what belongs to an emoji are none of them.
 */
const misleading = new RegExp(
  [
    '[\\u202a-\\u202e]',
    '[\\u00ad\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u200b\\u2060-\\u2064\\u206a-\\u206f\\u2800\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb]',
    '(?<=^|[\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}\\p{Nd}])[\\u200c\\u200d]',
    // Tags in flags follow a black flag.
    '(?<!\\u{1f3f4}[\\u{e0020}-\\u{e007e}]*)[\\u{e0000}-\\u{e007f}]',
  ].join('|'),
  'gu',
)
const isolates = /[\u2066-\u2069]/gu
const opening = /[\u2066-\u2068]/u
const fromTheRight = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** Returns the text with a name, such as `[U+202E]`, in place of each character that is not seen and misleads. */
export function showControls(text: string): string {
  return replaceMisleading(text, (character) => `[${nameOf(character)}]`)
}

/** Names of the characters that `showControls` shows, such as `U+200B`, each once. */
export function listControls(text: string): readonly string[] {
  const names = new Set<string>()
  replaceMisleading(text, (character) => {
    names.add(nameOf(character))
    return ''
  })
  return [...names]
}

/**
 * A value within a message of a language: its direction has no effect outside of it, and the slash at the end of an address, or the
 * parenthesis at that of a name, belongs to it.
 */
export function isolate(value: string, direction: 'ltr' | 'rtl'): string {
  const shown = showControls(value)
  return direction === 'rtl' || fromTheRight.test(shown) ? `\u2068${shown}\u2069` : shown
}

/** Titles from the tree to a category in the reading direction of the language, each step by itself, whatever its script. */
export function joinTrail(titles: readonly string[], direction: 'ltr' | 'rtl'): string {
  const steps = titles.map((title) => isolate(title, direction)).join(' › ')
  if (direction === 'rtl' && steps !== '') return `\u2067${steps}\u2069`
  return fromTheRight.test(steps) ? `\u2066${steps}\u2069` : steps
}

function replaceMisleading(text: string, replace: (character: string) => string): string {
  if (text.search(shapeless) < 0) return text
  if (nothingSeen.test(text)) return text.replace(shapeless, replace)
  const shown = text.replace(misleading, replace)
  return areClosed(shown) ? shown : shown.replace(isolates, replace)
}

function nameOf(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
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
