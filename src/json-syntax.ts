/** A syntax error with its place. */
export interface JsonError {
  /** Counts from 1. */
  readonly line: number
  /** Counts from 1, in UTF-16 code units. */
  readonly column: number
  readonly problem: string
}

/** The first error of a text by the grammar of RFC 8259; undefined if it is JSON. */
export function findJsonError(text: string): JsonError | undefined {
  const found = findProblem(text)
  if (!found) return undefined
  return { ...placeOf(text, found.at), problem: found.problem }
}

/** Line ends are LF, CR, or both together. */
function placeOf(text: string, at: number): { readonly line: number; readonly column: number } {
  let line = 1
  let start = 0
  for (let before = 0; before < at; before += 1) {
    const code = text.charCodeAt(before)
    const endsLine =
      code === lineFeed || (code === carriageReturn && !(before + 1 < at && text.charCodeAt(before + 1) === lineFeed))
    if (!endsLine) continue
    line += 1
    start = before + 1
  }
  return { line, column: at - start + 1 }
}

const lineFeed = 0x0a
const carriageReturn = 0x0d

interface Problem {
  readonly at: number
  readonly problem: string
}

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])/y
const word = /true(?!\w)|false(?!\w)|null(?!\w)/y
const string = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y

/** The first error. Uses a stack of its own in place of recursion: a text may nest a million levels deep. */
function findProblem(text: string): Problem | undefined {
  const open: ('{' | '[')[] = []
  let at = skipSpace(text, 0)
  if (text.startsWith('\ufeff')) return { at: 0, problem: 'the text starts with a byte order mark' }
  if (at === text.length) return { at, problem: 'the text is empty' }
  while (true) {
    // A value, with the name of its member before it.
    if (open.at(-1) === '{') {
      const end = skip(string, text, at)
      if (end === undefined) return { at, problem: problemOf(text, at, 'a member name in double quotes') }
      at = skipSpace(text, end)
      if (text[at] !== ':') return { at, problem: `a colon is expected after the member name, not ${shown(text, at)}` }
      at = skipSpace(text, at + 1)
    }
    const bracket = text[at]
    if (bracket === '{' || bracket === '[') {
      open.push(bracket)
      at = skipSpace(text, at + 1)
      if (text[at] !== closing(bracket)) continue
    } else {
      const end = skip(string, text, at) ?? skip(number, text, at) ?? skip(word, text, at)
      if (end === undefined) return { at, problem: problemOf(text, at, 'a value') }
      at = skipSpace(text, end)
    }
    // The objects and arrays that end here, and what follows them.
    for (let last = open.at(-1); last && text[at] === closing(last); last = open.at(-1)) {
      open.pop()
      at = skipSpace(text, at + 1)
    }
    const last = open.at(-1)
    if (!last)
      return at === text.length
        ? undefined
        : { at, problem: `the text goes on behind its end, with ${shown(text, at)}` }
    if (text[at] !== ',') return { at, problem: `a comma or ${closing(last)} is expected, not ${shown(text, at)}` }
    const comma = at
    at = skipSpace(text, at + 1)
    if (text[at] === closing(last)) return { at: comma, problem: `nothing follows the comma before ${closing(last)}` }
  }
}

/** Position after spaces, tabs and line ends. */
function skipSpace(text: string, start: number): number {
  let at = start
  while (at < text.length && isSpace(text.charCodeAt(at))) at += 1
  return at
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === lineFeed || code === carriageReturn
}

/** Position after the match of the pattern at this position; undefined if it does not match. */
function skip(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}

function closing(bracket: '{' | '['): '}' | ']' {
  return bracket === '{' ? '}' : ']'
}

function problemOf(text: string, at: number, expected: string): string {
  if (text[at] === '"') return 'a text is not closed, or has a control character or a wrong escape in it'
  if (text[at] === "'") return `${expected} is expected; texts stand in double quotes, not in single ones`
  return `${expected} is expected, not ${shown(text, at)}`
}

/** A character in a form that can be printed. */
function shown(text: string, at: number): string {
  const point = text.codePointAt(at)
  if (point === undefined) return 'the end'
  const isPrintable = /[\p{L}\p{N}\p{P}\p{S}]/u.test(String.fromCodePoint(point))
  return isPrintable ? String.fromCodePoint(point) : `U+${point.toString(16).toUpperCase().padStart(4, '0')}`
}
