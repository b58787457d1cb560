/** The words, phrases, ranges and signs of a query, found in one pass over its characters. */

/** Text of a term, or a wildcard: `la*k?` is four pieces. Text is without the backslashes that escaped its characters. */
export type Piece = string | Wildcard
export interface Wildcard {
  /** Any characters, or one. */
  readonly wildcard: '*' | '?'
}

/** Operand of a comparison: a term, a phrase in quotation marks, or a range. */
export type Atom =
  | { readonly kind: 'term'; readonly pieces: readonly Piece[] }
  | { readonly kind: 'phrase'; readonly text: string }
  | { readonly kind: 'range'; readonly min: Bound | undefined; readonly max: Bound | undefined }

export interface Bound {
  readonly text: string
  readonly isInclusive: boolean
}

/** `at` is the place of the first character, from 1, in UTF-16 code units. */
export type Token = { readonly at: number } & (
  | Atom
  /** `*:*`, or a star alone. */
  | { readonly kind: 'everything' }
  /** The name in lower case, with the colon that follows it. */
  | { readonly kind: 'field'; readonly name: string }
  /** `&&` and `||` too. */
  | { readonly kind: 'AND' | 'OR' | 'NOT' }
  /** `and` in lower case, which is no operator in `q`. */
  | { readonly kind: 'lowerAnd' }
  /** `-`, `!` or `+` directly before what it applies to. */
  | { readonly kind: 'prefix'; readonly sign: '-' | '!' | '+' }
  | { readonly kind: '(' | ')' }
  | { readonly kind: 'boost' }
)

/** `q` has words anywhere and operators in capitals, `filter` has field:value and operators in any case. */
export type Language = 'q' | 'filter'

/** Maximum length in bytes of UTF-8 (documented for q). */
export const maxQueryLength = 10 * 1024
const maxAtoms = 1_024

/** The tokens of a text, or a sentence that names the place at which there is none. */
export function tokensOf(
  text: string,
  language: Language,
): { readonly tokens: readonly Token[] } | { readonly problem: string } {
  const tokens: Token[] = []
  let atoms = 0
  let next = 0
  while (true) {
    next = afterSeparators(text, next)
    if (next >= text.length) return { tokens }
    const found = tokenAt(text, next, tokens.at(-1), language)
    if ('problem' in found) return found
    const { token } = found
    tokens.push(token)
    if (isAtom(token) && ++atoms > maxAtoms) return { problem: `has more than ${maxAtoms} terms.` }
    next = found.end
  }
}

function isAtom({ kind }: Token): boolean {
  return kind === 'term' || kind === 'phrase' || kind === 'range' || kind === 'everything' || kind === 'lowerAnd'
}

type ScannedToken = { readonly token: Token; readonly end: number } | { readonly problem: string }

function tokenAt(text: string, start: number, before: Token | undefined, language: Language): ScannedToken {
  const at = start + 1
  const char = text.charAt(start)
  switch (char) {
    case '"':
      return phraseAt(text, start)
    case '[':
    case '{':
      return rangeAt(text, start, language)
    case '(':
    case ')':
      return { token: { at, kind: char }, end: at }
    case '^':
      return boostAt(text, start)
    case ']':
    case '}':
      return { problem: `${char} at character ${at} closes no range.` }
    case ':':
      if (isAuthority(text, start)) return wordAt(text, start, before, language)
      return { problem: `the colon at character ${at} follows no field; put text with colons in quotation marks.` }
    case '-':
    case '!':
    case '+':
      if (takesPrefix(before) && startsClause(text.charAt(at)))
        return { token: { at, kind: 'prefix', sign: char }, end: at }
      return wordAt(text, start, before, language)
    default:
      return wordAt(text, start, before, language)
  }
}

/** Whether a sign is a prefix: at most one stands before a clause, and none before a value; otherwise it is text. */
function takesPrefix(before: Token | undefined): boolean {
  return before?.kind !== 'prefix' && before?.kind !== 'NOT' && before?.kind !== 'field'
}

function startsClause(char: string): boolean {
  return char !== '' && !isSeparator(char) && !')]}:^'.includes(char)
}

/** A term, an operator, a field with its colon, or `*:*`. */
function wordAt(text: string, start: number, before: Token | undefined, language: Language): ScannedToken {
  const at = start + 1
  const { pieces, end, isEscaped } = scanWord(text, start)
  const source = text.slice(start, end)
  const isValue = before?.kind === 'field' && text.charAt(start - 1) === ':'
  if (text.charAt(end) === ':') {
    if (source === '*' && text.charAt(end + 1) === '*' && !isWordCharacter(text.charAt(end + 2))) {
      return { token: { at, kind: 'everything' }, end: end + 2 }
    }
    if (isFieldName(source)) return { token: { at, kind: 'field', name: source.toLowerCase() }, end: end + 1 }
  }
  const operator = isEscaped || isValue ? undefined : operatorOf(source, language)
  if (operator) return { token: { at, kind: operator }, end }
  if (source === 'and' && !isValue) return { token: { at, kind: 'lowerAnd' }, end }
  if (before?.kind !== 'field' && pieces.every((piece) => isStar(piece))) {
    return { token: { at, kind: 'everything' }, end }
  }
  return { token: { at, kind: 'term', pieces }, end }
}

function isStar(piece: Piece): boolean {
  return typeof piece !== 'string' && piece.wildcard === '*'
}

function operatorOf(source: string, language: Language): 'AND' | 'OR' | 'NOT' | undefined {
  const word = language === 'filter' && source.length <= 3 ? source.toUpperCase() : source
  if (word === '&&') return 'AND'
  if (word === '||') return 'OR'
  return word === 'AND' || word === 'OR' || word === 'NOT' ? word : undefined
}

function isFieldName(source: string): boolean {
  return source.length <= 64 && /^[A-Za-z][A-Za-z0-9_.]*$/.test(source)
}

interface Word {
  readonly pieces: readonly Piece[]
  readonly end: number
  readonly isEscaped: boolean
}

function scanWord(text: string, start: number): Word {
  const pieces: Piece[] = []
  let literal = ''
  let from = start
  let end = start
  let isEscaped = false
  const take = (): void => {
    literal += text.slice(from, end)
  }
  const put = (wildcard: '*' | '?'): void => {
    take()
    if (literal !== '') pieces.push(literal)
    literal = ''
    // Consecutive stars count as one.
    if (wildcard === '?' || !pieces.length || !isStar(pieces.at(-1)!)) pieces.push({ wildcard })
    from = end + 1
  }
  for (let char = text.charAt(end); ; char = text.charAt(end)) {
    if (char === '\\' && end + 1 < text.length) {
      take()
      isEscaped = true
      from = end + 1
      end += 1
    } else if (char === '*' || char === '?') put(char)
    else if (!isWordCharacter(char) && !isAuthority(text, end)) break
    end += 1
  }
  take()
  if (literal !== '') pieces.push(literal)
  return { pieces, end, isEscaped }
}

/** A colon that two slashes follow is text, as in addresses. */
function isAuthority(text: string, at: number): boolean {
  return text.charAt(at) === ':' && text.charAt(at + 1) === '/' && text.charAt(at + 2) === '/'
}

function isWordCharacter(char: string): boolean {
  return char !== '' && !'"()[]{}:^'.includes(char) && !isSeparator(char)
}

const blank = /\s/

function isSeparator(char: string): boolean {
  return char === ',' || blank.test(char)
}

function afterSeparators(text: string, start: number): number {
  let next = start
  while (next < text.length && isSeparator(text.charAt(next))) next += 1
  return next
}

function afterBlanks(text: string, start: number): number {
  let next = start
  while (next < text.length && blank.test(text.charAt(next))) next += 1
  return next
}

function phraseAt(text: string, start: number): ScannedToken {
  const at = start + 1
  const phrase = scanPhrase(text, start)
  if (!phrase) return { problem: `the quotation mark at character ${at} is not closed.` }
  return { token: { at, kind: 'phrase', text: phrase.text }, end: phrase.end }
}

function scanPhrase(text: string, start: number): { readonly text: string; readonly end: number } | undefined {
  let phrase = ''
  let from = start + 1
  let end = from
  for (; end < text.length; end += 1) {
    const char = text.charAt(end)
    if (char === '"') return { text: phrase + text.slice(from, end), end: end + 1 }
    if (char === '\\') {
      phrase += text.slice(from, end)
      from = end + 1
      end += 1
    }
  }
  return undefined
}

/** `[a TO b]`, `{a TO b}` and mixtures. */
function rangeAt(text: string, start: number, language: Language): ScannedToken {
  const at = start + 1
  const malformed = { problem: `the range at character ${at} is not of the form [least TO most].` }
  const min = boundAt(text, afterBlanks(text, at))
  if (!min) return malformed
  const to = afterBlanks(text, min.end)
  const word = text.slice(to, to + 2)
  const next = afterBlanks(text, to + 2)
  if ((language === 'filter' ? word.toUpperCase() : word) !== 'TO' || next === to + 2) return malformed
  const max = boundAt(text, next)
  if (!max) return malformed
  const end = afterBlanks(text, max.end)
  const closing = text.charAt(end)
  if (closing !== ']' && closing !== '}') return malformed
  return {
    token: {
      at,
      kind: 'range',
      min: boundOf(min.text, text.charAt(start) === '['),
      max: boundOf(max.text, closing === ']'),
    },
    end: end + 1,
  }
}

function boundOf(text: string | undefined, isInclusive: boolean): Bound | undefined {
  return text === undefined ? undefined : { text, isInclusive }
}

/** A bound: a star, which has no text, a phrase, or a word without wildcards. */
function boundAt(text: string, start: number): { readonly text: string | undefined; readonly end: number } | undefined {
  if (text.charAt(start) === '"') return scanPhrase(text, start)
  const { pieces, end } = scanWord(text, start)
  const [piece] = pieces
  if (pieces.length !== 1 || piece === undefined) return undefined
  if (typeof piece === 'string') return { text: piece, end }
  return piece.wildcard === '*' ? { text: undefined, end } : undefined
}

/** `^` and a number, directly after what it boosts. */
function boostAt(text: string, start: number): ScannedToken {
  const at = start + 1
  const { end } = scanWord(text, at)
  const isNumber = end - at <= 20 && /^\d+(?:\.\d+)?$/.test(text.slice(at, end))
  if (!isNumber) return { problem: `^ at character ${at} is not followed by a number.` }
  return { token: { at, kind: 'boost' }, end }
}
