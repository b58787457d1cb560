import type { SchemaLimits } from './limits.ts'

/**
 * Whether a text is a schema within the limits, written just as it is stored: without white space, escapes and other
 * members, those of a category in the order that clients send. A no says nothing, as a good schema may be written
 * otherwise.
 *
 * @NOTE Nearly all schemas are plain, and this look takes less than half of the time of parsing and writing JSON.
 */
export function isPlainSchema(text: string, limits: SchemaLimits): boolean {
  if (!text.startsWith(opening) || !text.isWellFormed()) return false
  const category = categoryPattern(limits)
  let trees = 0
  let categories = 0
  let level = 1
  category.lastIndex = opening.length
  while (category.test(text)) {
    let at = category.lastIndex
    categories += 1
    if (level === 1) trees += 1
    if (trees > limits.trees || categories > limits.categories || level > limits.levels) return false
    if (text.charCodeAt(at - 1) === openBracket) {
      level += 1
      continue
    }
    for (; level > 0 && text.startsWith(closing, at); at += closing.length) level -= 1
    if (level === 0) return at === text.length
    if (text.charCodeAt(at) !== comma) return false
    category.lastIndex = at + 1
  }
  return false
}

const opening = '{"categorySchema":['
/** Of a list and the object that it is in. */
const closing = ']}'
const openBracket = 0x5b
const comma = 0x2c

const patterns = new WeakMap<SchemaLimits, RegExp>()

/** One category up to its end, or up to the first of its children. */
function categoryPattern(limits: SchemaLimits): RegExp {
  const known = patterns.get(limits)
  if (known) return known
  const { titleLength, descriptionLength, sourceLength } = limits
  const title = `"title":"(?!\\s{0,${titleLength}}")[^"\\\\/,\\x00-\\x1f\\x7f-\\x9f]{1,${titleLength}}"`
  const textUpTo = (length: number) => `"[^"\\\\\\x00-\\x1f]{0,${length}}"`
  const description = `(?:,"description":${textUpTo(descriptionLength)})?`
  const source = `(?:,"source":${textUpTo(sourceLength)})?`
  const end = '(?:\\}|,"categories":\\[(?:\\]\\})?)'
  const pattern = new RegExp(`\\{${title}${description}${source}${end}`, 'y')
  patterns.set(limits, pattern)
  return pattern
}
