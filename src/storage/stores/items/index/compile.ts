import { type Expression, type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import type {
  CategoryCondition,
  Condition,
  IndexedFields,
  SearchFields,
  TextBound,
} from '../../../../search/condition.ts'
import { isPostgres } from '../../../tables/catalog.ts'
import type { Rows } from '../../../tables/rows.ts'
import { listedIn } from '../../select.ts'
import { beginningToken, keywordToken, wordToken } from './document.ts'
import { both, either, formatMatch, type Match, type MatchParts, partsOfMatch, token } from './match.ts'

/** Table of the index for one noun, and the codes of its fields. */
export interface IndexedNoun<Fields extends SearchFields> {
  readonly index: string
  /** Table of SQLite with the words of the rows of `index`. */
  readonly words: string
  readonly text: Readonly<Record<Fields['text'], string>>
  readonly keywords: Readonly<Record<Fields['keyword'], string>>
  /** Columns. */
  readonly numbers: Readonly<Record<Fields['number'], string>>
}

/** Codes of the fields, by their names. */
export function codesOf<Of extends IndexedFields<never>>(fields: Of): { readonly [Name in keyof Of]: string } {
  const codes = Object.entries(fields).map(([name, [code]]) => [name, code])
  return Object.fromEntries(codes)
}

/** A compiled condition: `match` is decided by the index alone, `rest` is evaluated for each row that it finds. */
interface Compiled {
  readonly match: Match
  readonly rest: readonly Expression<SqlBool>[]
}

/** Returns the match for items with such categories. */
export type FindCategories = (condition: CategoryCondition) => Match

/** Token prefixes: own category, ancestor category, has any category. */
export const categoryCode = 'n'
export const belowCode = 'b'
export const categorizedCode = 'j'

/** Rows of the index, as part of a statement. */
export interface IndexedRows {
  readonly from: RawBuilder<unknown>
  readonly where: Expression<SqlBool>
}

/** Conditions that rows of the index have to match. */
export interface IndexQuery<Fields extends SearchFields> {
  readonly condition: Condition<Fields>
  readonly also: Match
  readonly findCategories: FindCategories
}

/** The rows of the noun's index that match, `also` among the conditions. */
export function matchingRows<Fields extends SearchFields>(
  db: Kysely<Rows>,
  noun: IndexedNoun<Fields>,
  { condition, also, findCategories }: IndexQuery<Fields>,
): IndexedRows {
  const { match, rest } = compile(db, noun, condition, findCategories)
  const [index, words] = [sql.table(noun.index), sql.table(noun.words)]
  // In the other order, every row would be looked up among the words.
  const from = isPostgres(db) ? index : sql`${words} cross join ${index} on ${index}.number = ${words}.rowid`
  // Visibility comes last: by itself, it matches most of all records.
  return { from, where: sql<SqlBool>`${sql.join([hasTokens(db, noun, both(match, also)), ...rest], sql` and `)}` }
}

/** Parts of the query for FTS5; undefined if nothing matches it, or if rows have to be read. */
export function partsOf<Fields extends SearchFields>(
  db: Kysely<Rows>,
  noun: IndexedNoun<Fields>,
  { condition, also, findCategories }: IndexQuery<Fields>,
): MatchParts | undefined {
  const { match, rest } = compile(db, noun, condition, findCategories)
  return rest.length > 0 ? undefined : partsOfMatch(both(match, also))
}

type TablesOfNoun = Pick<IndexedNoun<never>, 'index' | 'words'>

function hasTokens(db: Kysely<Rows>, { index, words }: TablesOfNoun, match: Match): Expression<SqlBool> {
  const text = formatMatch(match, isPostgres(db) ? 'tsquery' : 'fts5')
  if (text === undefined) return sql<SqlBool>`1 = 0`
  return isPostgres(db)
    ? sql<SqlBool>`${sql.table(index)}.tokens @@ ${text}::tsquery`
    : sql<SqlBool>`${sql.table(words)} match ${text}`
}

function compile<Fields extends SearchFields>(
  db: Kysely<Rows>,
  noun: IndexedNoun<Fields>,
  whole: Condition<Fields>,
  findCategories: FindCategories,
): Compiled {
  /** A single condition: decided by the index, or by SQL. */
  type Part = { readonly match: Match } | { readonly sql: Expression<SqlBool> }

  function compilePart(condition: Condition<Fields>): Part {
    switch (condition.kind) {
      case 'and':
      case 'or': {
        const { of } = condition as { readonly of: readonly Condition<Fields>[] }
        const parts = of.map(compilePart)
        const match: Match = {
          kind: condition.kind,
          of: parts.flatMap((part) => ('match' in part ? [part.match] : [])),
        }
        const others = parts.flatMap((part) => ('sql' in part ? [part.sql] : []))
        if (others.length === 0) return { match }
        const all = match.of.length === 0 ? others : [asked(match), ...others]
        return { sql: sql<SqlBool>`(${sql.join(all, condition.kind === 'and' ? sql` and ` : sql` or `)})` }
      }
      case 'not': {
        const part = compilePart((condition as { readonly of: Condition<Fields> }).of)
        return 'match' in part ? { match: { kind: 'not', of: part.match } } : { sql: sql<SqlBool>`not ${part.sql}` }
      }
      default:
        return compileLeaf(condition)
    }
  }

  function compileLeaf(condition: Condition<Fields>): Part {
    const leaf = condition as Condition
    switch (leaf.kind) {
      case 'all':
      case 'none':
        return { match: { kind: leaf.kind } }
      case 'words': {
        const { fields, words, isPrefix } = leaf
        const phrase = (code: string): Match => {
          return { kind: 'tokens', tokens: words.map((word) => wordToken(code, word)), isPrefix }
        }
        return { match: either(fields.map((field) => phrase(noun.text[field as Fields['text']]))) }
      }
      case 'key': {
        const code = noun.keywords[leaf.field as Fields['keyword']]
        const { value, isPrefix } = leaf
        return { match: isPrefix ? token(beginningToken(code, value), true) : token(keywordToken(code, value)) }
      }
      case 'pattern':
        return { sql: hasValue(isLike(noun.keywords[leaf.field as Fields['keyword']], leaf.pattern)) }
      case 'between':
        return { sql: hasValue(isBetween(noun.keywords[leaf.field as Fields['keyword']], leaf.min, leaf.max)) }
      case 'range': {
        const column = sql.ref(noun.numbers[leaf.field as Fields['number']])
        return { sql: sql<SqlBool>`coalesce(${column} between ${leaf.min} and ${leaf.max}, false)` }
      }
      case 'categorized':
      case 'category':
      case 'categoryTitle':
      case 'categoryWords':
        return { match: findCategories(leaf) }
      default:
        throw new Error(`Conditions of kind ${leaf.kind} are not single.`)
    }
  }

  /** A part decided by the index, inside one decided by SQL. */
  function asked(match: Match): Expression<SqlBool> {
    const found = hasTokens(db, noun, match)
    if (isPostgres(db)) return found
    return sql<SqlBool>`${sql.table(noun.index)}.number in (select rowid from ${sql.table(noun.words)} where ${found})`
  }

  function hasValue(condition: Expression<SqlBool>): Expression<SqlBool> {
    const values = listedIn(db, sql.ref(`${noun.index}.keywords`))
    return sql<SqlBool>`exists (select 1 from ${values} where ${condition})`
  }

  const parts = whole.kind === 'and' ? (whole as { readonly of: readonly Condition<Fields>[] }).of : [whole]
  const compiled = parts.map(compilePart)
  return {
    match: both(...compiled.flatMap((part) => ('match' in part ? [part.match] : []))),
    rest: compiled.flatMap((part) => ('sql' in part ? [part.sql] : [])),
  }
}

const value = sql.ref('listed.value')

/** Condition for a pattern with `*` and `?`. Values are folded: that SQLite compares ASCII letters in either case makes no difference. */
function isLike(code: string, pattern: string): Expression<SqlBool> {
  const like = pattern
    .replace(/[\\%_]/g, '\\$&')
    .replaceAll('*', '%')
    .replaceAll('?', '_')
  return sql<SqlBool>`${value} like ${code + like} escape '\\'`
}

/** Condition for bounds in the order of code points, in which both engines compare bytes. */
function isBetween(code: string, min: TextBound | undefined, max: TextBound | undefined): Expression<SqlBool> {
  const next = String.fromCharCode(code.charCodeAt(0) + 1)
  const from =
    min?.isInclusive === false ? sql`${value} > ${code + min.value}` : sql`${value} >= ${code + (min?.value ?? '')}`
  const to = max?.isInclusive ? sql`${value} <= ${code + max.value}` : sql`${value} < ${max ? code + max.value : next}`
  return sql<SqlBool>`${from} and ${to}`
}
