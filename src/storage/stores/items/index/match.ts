import { everyRecord } from './document.ts'

/** A query that the index answers alone. */
export type Match =
  | { readonly kind: 'all' | 'none' }
  /** Consecutive tokens; with `isPrefix`, the last is the beginning of one. */
  | { readonly kind: 'tokens'; readonly tokens: readonly string[]; readonly isPrefix: boolean }
  | { readonly kind: 'and' | 'or'; readonly of: readonly Match[] }
  | { readonly kind: 'not'; readonly of: Match }

export function token(text: string, isPrefix = false): Match {
  return { kind: 'tokens', tokens: [text], isPrefix }
}

export function both(...of: readonly Match[]): Match {
  return { kind: 'and', of }
}

export function either(of: readonly Match[]): Match {
  return { kind: 'or', of }
}

/** Query that every engine can express: `less` excludes matches of any of `without`. */
type Plain =
  | { readonly kind: 'all' | 'none' }
  | { readonly kind: 'tokens'; readonly tokens: readonly string[]; readonly isPrefix: boolean }
  | { readonly kind: 'and' | 'or'; readonly of: readonly Plain[]; readonly depth: number }
  | { readonly kind: 'less'; readonly from: Plain; readonly without: readonly Plain[] }

/** Syntax of the queries of an engine. */
interface Language {
  readonly tokens: (tokens: readonly string[], isPrefix: boolean) => string
  readonly and: string
  readonly or: string
  readonly less: string
}

const fts5: Language = {
  tokens: (tokens, isPrefix) => `"${tokens.join(' ')}"${isPrefix ? ' *' : ''}`,
  and: ' AND ',
  or: ' OR ',
  less: ' NOT ',
}

const tsquery: Language = {
  tokens: (tokens, isPrefix) => `${tokens.map((one) => `'${one}'`).join(' <-> ')}${isPrefix ? ':*' : ''}`,
  and: ' & ',
  or: ' | ',
  less: ' & !',
}

/** Formats the query for FTS5, or as a tsquery; undefined if nothing matches it. */
export function formatMatch(match: Match, engine: 'fts5' | 'tsquery'): string | undefined {
  const plain = simplify(match, false)
  return plain.kind === 'none' ? undefined : format(plain, engine === 'fts5' ? fts5 : tsquery)
}

/** Parts of a query for FTS5, which matches a record that each of `all` matches, and `without` does not; undefined if nothing can. */
export function partsOfMatch(match: Match): MatchParts | undefined {
  const plain = simplify(match, false)
  if (plain.kind === 'none') return undefined
  const from = plain.kind === 'less' ? plain.from : plain
  const all = (from.kind === 'and' ? from.of : [from]).map((part) => format(part, fts5))
  return { all, without: plain.kind === 'less' ? format(group('or', plain.without, 'none'), fts5) : undefined }
}

export interface MatchParts {
  /** At least one. */
  readonly all: readonly string[]
  readonly without: string | undefined
}

export function formatParts({ all, without }: MatchParts): string {
  const from = all.length === 1 ? all[0]! : `(${all.join(fts5.and)})`
  return without === undefined ? from : `(${from}${fts5.less}${without})`
}

function format(plain: Plain, language: Language): string {
  switch (plain.kind) {
    case 'all':
    case 'none':
      return language.tokens([everyRecord], false)
    case 'tokens':
      return language.tokens(plain.tokens, plain.isPrefix)
    case 'less': {
      const without = plain.without.map((one) => format(one, language)).join(language.or)
      return `(${format(plain.from, language)}${language.less}(${without}))`
    }
    default:
      return `(${plain.of.map((one) => format(one, language)).join(language[plain.kind])})`
  }
}

/**
 * Simplifies a query: negations end at tokens, and deep parts come first. The parser of FTS5 has room for 100 symbols, of which
 * nesting at the right takes three at each level, and at the left one.
 */
function simplify(match: Match, isNegated: boolean): Plain {
  switch (match.kind) {
    case 'all':
    case 'none':
      return { kind: (match.kind === 'all') === isNegated ? 'none' : 'all' }
    case 'not':
      return simplify(match.of, !isNegated)
    case 'tokens':
      return isNegated ? { kind: 'less', from: { kind: 'all' }, without: [match] } : match
    default:
      return join(
        (match.kind === 'and') === isNegated ? 'or' : 'and',
        match.of.map((one) => simplify(one, isNegated)),
      )
  }
}

function join(kind: 'and' | 'or', parts: readonly Plain[]): Plain {
  const [deciding, idle] = kind === 'and' ? (['none', 'all'] as const) : (['all', 'none'] as const)
  if (parts.some((part) => part.kind === deciding)) return { kind: deciding }
  const flat = parts.flatMap((part) => (part.kind === kind ? part.of : part.kind === idle ? [] : [part]))
  // Complements of everything are merged into one.
  const isComplement = (part: Plain) => part.kind === 'less' && part.from.kind === 'all'
  const complements = flat.filter(isComplement) as Extract<Plain, { kind: 'less' }>[]
  const others = flat.filter((part) => !isComplement(part))
  if (complements.length === 0) return group(kind, others, idle)
  const without = complements.map((part) => group('or', part.without, 'none'))
  if (kind === 'and') return { kind: 'less', from: group('and', others, 'all'), without }
  const rest: Plain = { kind: 'less', from: { kind: 'all' }, without: [group('and', without, 'all')] }
  return group('or', [...others, rest], 'none')
}

function group(kind: 'and' | 'or', of: readonly Plain[], idle: 'all' | 'none'): Plain {
  // Repeated parts are sent once.
  const different = [...new Map(of.map((part) => [JSON.stringify(part), part])).values()]
  if (different.length < 2) return different[0] ?? { kind: idle }
  const sorted = different.toSorted((one, other) => placeOf(one) - placeOf(other))
  return { kind, of: sorted, depth: 1 + Math.max(...sorted.map(depthOf)) }
}

/** Depth up to which parts keep their order: FTS5 goes through the rows of the first part, and looks them up in the others. */
const shallow = 2

function placeOf(plain: Plain): number {
  return -Math.max(shallow, depthOf(plain))
}

function depthOf(plain: Plain): number {
  if (plain.kind === 'less') return 1 + Math.max(depthOf(plain.from), ...plain.without.map(depthOf))
  return 'depth' in plain ? plain.depth : 0
}
