import type { Parsed } from '../call/parsed.ts'
import type { Compared, Field } from './comparison.ts'
import { allOf, anyOf, type Condition, negationOf, type SearchFields } from './condition.ts'
import { type Comparison, parseQuery, type Query } from './query.ts'
import type { Language } from './tokens.ts'

/** Searchable fields of one noun. */
export interface Noun<Fields extends SearchFields> {
  /** Fields by their names in lower case, aliases included. */
  readonly fields: Readonly<Record<string, Field<Fields>>>
  /** Terms without a field. */
  readonly bare: Field<Fields>
}

export interface Compiled<Fields extends SearchFields> {
  readonly condition: Condition<Fields>
  /** Whether a term without a field is compared. */
  readonly hasFreeText: boolean
}

/** Maximum problems that one answer lists. */
const maxProblems = 10

/** The condition that `q` and `filter` mean together; the name of the parameter stands before each problem. */
export function compile<Fields extends SearchFields>(
  { q = '', filter = '' }: { readonly q: string | undefined; readonly filter: string | undefined },
  noun: Noun<Fields>,
): Parsed<Compiled<Fields>> {
  const found = compileText(q, 'q', noun)
  const filtered = compileText(filter, 'filter', noun)
  const problems = [found, filtered].flatMap((part) => ('problems' in part ? part.problems : []))
  if (!('value' in found && 'value' in filtered)) return { problems }
  const { condition, hasFreeText } = found.value
  return { value: { condition: allOf([condition, filtered.value.condition]), hasFreeText } }
}

function compileText<Fields extends SearchFields>(
  text: string,
  language: Language,
  noun: Noun<Fields>,
): Parsed<Compiled<Fields>> {
  const name = language
  const parsed = parseQuery(text, language)
  if ('problem' in parsed) return { problems: [`${name}: ${parsed.problem}`] }
  const { condition, hasFreeText, problems, unknown } = conditionOf(parsed.query, text, language, noun)
  if (problems.length === 0) {
    const lookUps = condition ? countLookUps(condition) : 0
    if (lookUps > maxLookUps) return { problems: [`${name}: ${tooManyLookUps(lookUps)}`] }
    return { value: { condition: condition ?? { kind: 'all' }, hasFreeText } }
  }
  const first = problems.slice(0, maxProblems).map((problem) => `${name}: ${problem}`)
  if (problems.length > maxProblems) first.push(`${name}: ${problems.length - maxProblems} more mistakes.`)
  if (unknown) first.push(`${name}: fields are ${Object.keys(noun.fields).join(', ')}.`)
  return { problems: first }
}

function tooManyLookUps(count: number): string {
  return (
    `looks up ${count.toLocaleString('en')} words and values; at most ${maxLookUps.toLocaleString('en')} are allowed. ` +
    'A word counts once for each field that it is searched in, and with a wildcard eight times: give fewer of them, or fields.'
  )
}

interface Verdict<Fields extends SearchFields> {
  /** Undefined where everything in it is dropped. */
  readonly condition: Condition<Fields> | undefined
  /** Whether the condition consists of negations only. */
  readonly isNegative: boolean
}

function conditionOf<Fields extends SearchFields>(query: Query, text: string, language: Language, noun: Noun<Fields>) {
  const problems: string[] = []
  let hasFreeText = false
  let unknown = false

  function judge(part: Query): Verdict<Fields> {
    switch (part.kind) {
      case 'everything':
        return { condition: { kind: 'all' }, isNegative: false }
      case 'and':
      case 'or':
        return join(part.kind, part.of.map(judge))
      case 'not': {
        const { condition } = judge(part.of)
        return { condition: condition && negationOf(condition), isNegative: true }
      }
      default:
        return { condition: compare(part), isNegative: false }
    }
  }

  function compare(atom: Comparison): Condition<Fields> | undefined {
    const compared = compareAtom(atom)
    if ('problem' in compared) problems.push(compared.problem)
    if (!('condition' in compared)) return undefined
    hasFreeText ||= atom.field === undefined
    return compared.condition
  }

  function compareAtom(atom: Comparison): Compared<Fields> {
    const { field: name, at } = atom
    if (name === undefined) {
      // Further problems are only counted, so they need no text.
      if (language === 'filter') return { problem: problems.length < maxProblems ? withoutField(text, at) : '' }
      const compared = noun.bare(atom, language)
      return 'problem' in compared ? { problem: `the term at character ${at} ${compared.problem}` } : compared
    }
    const field = Object.hasOwn(noun.fields, name) ? noun.fields[name] : undefined
    if (!field) {
      unknown = true
      return { problem: `the field ${name} at character ${at} is not searched.` }
    }
    const compared = field(atom, language)
    return 'problem' in compared ? { problem: `${name} at character ${at} ${compared.problem}` } : compared
  }

  const { condition } = judge(query)
  return { condition, hasFreeText, problems, unknown }
}

/** A word that is no operator, and ends before a blank, a comma, a bracket or the end. */
const word = String.raw`(?!(?:and|or|not|&&|\|\|)(?![^\s,)]))[^\s,"()[\]{}:]+(?![^\s,)])`
/** A field and a value with blanks, which needs quotation marks. */
const unquoted = new RegExp(String.raw`(?<![\w.])([a-z][\w.]{0,63}):((?:${word}\s+)+${word})`, 'gi')

/** Problem of a term without a field; where it belongs to an unquoted value, it shows the quotation marks that are missing. */
function withoutField(text: string, at: number): string {
  const [found = ''] = /^(?:"[^"]*"|\[[^\]]*\]|[^\s,"()]+)/.exec(text.slice(at - 1)) ?? []
  const value = text.matchAll(unquoted).find(({ index, 0: { length } }) => index < at && at <= index + length)
  const cure = value
    ? `a value with blanks needs quotation marks: ${value[1]}:"${cut(value[2]!)}".`
    : 'give field:value.'
  return `${cut(found)} at character ${at} has no field; ${cure}`
}

const maxShownLength = 100

function cut(text: string): string {
  return (text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text).toWellFormed()
}

/**
 * An OR of negatives only means that none of them may match (observed: clients write the negation of several values so).
 * Dropped clauses are ignored.
 */
function join<Fields extends SearchFields>(kind: 'and' | 'or', verdicts: readonly Verdict<Fields>[]): Verdict<Fields> {
  const kept = verdicts.filter(({ condition }) => condition !== undefined)
  const conditions = kept.map(({ condition }) => condition!)
  const isNegative = kept.every((verdict) => verdict.isNegative)
  if (conditions.length === 0) return { condition: undefined, isNegative: false }
  return { condition: kind === 'and' || isNegative ? allOf(conditions) : anyOf(conditions), isNegative }
}

/**
 * Index look-ups of a query, limited so that no query takes seconds: both engines compare each record that they find with all
 * look-ups, and can be interrupted only between records.
 */

/** Maximum, above what real queries have: hundreds of ids and types, or 170 words without a field (chosen). */
export const maxLookUps = 1_024

/** Look-ups of a prefix, which stands for any number of values, and of a pattern or range, which is evaluated for each record. */
const lookUpsOfWildcard = 8

/** Counts look-ups; repeated ones count once. */
function countLookUps<Fields extends SearchFields>(condition: Condition<Fields>): number {
  const counts = new Map<string, number>()
  const waiting: Condition[] = [condition as Condition]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (next.kind === 'and' || next.kind === 'or') waiting.push(...next.of)
    else if (next.kind === 'not') waiting.push(next.of)
    else counts.set(JSON.stringify(next), lookUpsOf(next))
  }
  return [...counts.values()].reduce((sum, count) => sum + count, 0)
}

function lookUpsOf(leaf: Condition): number {
  switch (leaf.kind) {
    case 'words':
      return leaf.fields.length * (leaf.words.length - 1 + (leaf.isPrefix ? lookUpsOfWildcard : 1))
    case 'key':
      return leaf.isPrefix ? lookUpsOfWildcard : 1
    case 'pattern':
    case 'between':
      return lookUpsOfWildcard
    default:
      return 1
  }
}
