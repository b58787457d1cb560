/** Whether a value parsed from JSON is an object: neither an array nor null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A member that occurs twice in one object. */
export interface DuplicateMember {
  /** JSON pointer to the object. */
  readonly pointer: string
  readonly name: string
}

/** An open object or array. */
interface Open {
  /** Members so far; undefined for an array. */
  readonly names: Set<string> | undefined
  /** Name or position of the entry that is read now. */
  entry: string | number
}

/**
 * The first member that occurs twice in an object of the text. `JSON.parse` silently keeps the last one, and so would store
 * a schema that its author did not write.
 *
 * The text has to be valid JSON: then only quotes, brackets, commas and colons matter.
 */
export function findDuplicateMember(text: string): DuplicateMember | undefined {
  const open: Open[] = []
  let at = 0
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code <= space) {
      at += 1
      continue
    }
    const last = open.at(-1)
    if (code === quote) {
      const end = endOfString(text, at)
      if (last?.names && isFollowedByColon(text, end)) {
        const name = readString(text, at, end)
        if (last.names.has(name)) return { pointer: formatPointer(open.slice(0, -1)), name }
        last.names.add(name)
        last.entry = name
      }
      at = end
      continue
    }
    if (code === openBrace) open.push({ names: new Set(), entry: '' })
    else if (code === openBracket) open.push({ names: undefined, entry: 0 })
    else if (code === closeBrace || code === closeBracket) open.pop()
    else if (code === comma && typeof last?.entry === 'number') last.entry += 1
    at += 1
  }
  return undefined
}

export function hasDuplicateMember(text: string): boolean {
  return findDuplicateMember(text) !== undefined
}

/** Maximum number of entries of a pointer that are shown: a text may nest a million levels deep. */
const maxEntries = 20

function formatPointer(open: readonly Open[]): string {
  const entries = open
    .slice(0, maxEntries)
    .map(({ entry }) => `/${String(entry).replaceAll('~', '~0').replaceAll('/', '~1')}`)
  return entries.join('') + (open.length > maxEntries ? '/…' : '')
}

/**
 * Whether the text has more values than that, names of members not counted. Of a text that is not JSON, it is an estimate.
 *
 * @NOTE Texts of clients are asked before they are parsed: many small values cost a hundred times as much as one long text.
 */
export function hasMoreValues(text: string, max: number): boolean {
  // Each value but the first follows a comma or an opening bracket.
  let left = max
  if (text.length <= left) return false
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfString(text, at) - 1
    else if (code === comma || code === openBracket || code === openBrace) {
      left -= 1
      if (left === 0) return true
    }
  }
  return false
}

/** How many levels of objects and arrays the text has, 1 for an object of plain values. The text must be JSON. */
export function countLevels(text: string): number {
  let open = 0
  let max = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfString(text, at) - 1
    else if (code === openBrace || code === openBracket) max = Math.max(max, ++open)
    else if (code === closeBrace || code === closeBracket) open -= 1
  }
  return max
}

const space = 0x20
const quote = 0x22
const backslash = 0x5c
const colon = 0x3a
const comma = 0x2c
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d

/** Position after the closing quote of the string that opens at `start`; after the text if it is not closed. */
function endOfString(text: string, start: number): number {
  const end = text.indexOf('"', start + 1)
  if (end === -1) return text.length
  if (text.charCodeAt(end - 1) !== backslash) return end + 1
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) return at + 1
    if (code === backslash) at += 1
  }
  return text.length
}

function isFollowedByColon(text: string, at: number): boolean {
  let next = at
  while (text.charCodeAt(next) <= space) next += 1
  return text.charCodeAt(next) === colon
}

function readString(text: string, start: number, end: number): string {
  const raw = text.slice(start + 1, end - 1)
  return raw.includes('\\') ? JSON.parse(text.slice(start, end)) : raw
}

/** Members of `JSON` that TypeScript's library does not declare yet. */
const exact = JSON as unknown as {
  parse(text: string, revive: (name: string, value: unknown, context: { readonly source?: string }) => unknown): unknown
  rawJSON(text: string): object
}

/** Parses JSON so that `JSON.stringify` writes every number as it was, even one that a double cannot hold, as above 2^53. */
export function parseExactly(text: string): unknown {
  return exact.parse(text, (_, value, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source ? exact.rawJSON(source) : value,
  )
}
