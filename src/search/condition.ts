/**
 * Condition of a search, equal for both engines. Every text in it is folded (`folding.ts`); fields are those of one noun,
 * and their kinds have been checked: `words` has text fields only, `key`, `pattern` and `between` keyword fields, `range`
 * numbers. A value that folds to nothing is no value. `and` and `or` have at least two operands, and `all` and `none` stand
 * alone.
 */
export type Condition<Fields extends SearchFields = SearchFields> =
  | { readonly kind: 'all' }
  | { readonly kind: 'none' }
  | { readonly kind: 'and' | 'or'; readonly of: readonly Condition<Fields>[] }
  | { readonly kind: 'not'; readonly of: Condition<Fields> }
  /** Consecutive words inside one value of one of the fields; with `isPrefix`, the last is the beginning of a word. */
  | {
      readonly kind: 'words'
      readonly fields: readonly Fields['text'][]
      readonly words: readonly string[]
      readonly isPrefix: boolean
    }
  /** A whole value of the field, or with `isPrefix` its beginning; the empty beginning is that of any value. */
  | { readonly kind: 'key'; readonly field: Fields['keyword']; readonly value: string; readonly isPrefix: boolean }
  /** A whole value with `*` (any characters) and `?` (one character) elsewhere than at its end; neither is ever literal. */
  | { readonly kind: 'pattern'; readonly field: Fields['keyword']; readonly pattern: string }
  /** A whole value from least to most, in the order of code points; undefined is no bound. */
  | {
      readonly kind: 'between'
      readonly field: Fields['ordered']
      readonly min: TextBound | undefined
      readonly max: TextBound | undefined
    }
  /** Safe integers from least to most, both inclusive. */
  | { readonly kind: 'range'; readonly field: Fields['number']; readonly min: number; readonly max: number }
  | Extract<CategoryCondition, Fields['category']>

export interface TextBound {
  readonly value: string
  readonly isInclusive: boolean
}

/** Names of the fields of one noun, by what can be compared with them. */
export interface SearchFields {
  readonly text: string
  readonly keyword: string
  /** Keywords that have ranges. */
  readonly ordered: string
  readonly number: string
  /** CategoryCondition for items, never for others. */
  readonly category: CategoryCondition
}

/** Fields in the index, in the order that it stores: the code of each, one letter, and its values of a record. */
export type IndexedFields<Indexed> = Readonly<
  Record<string, readonly [code: string, valuesOf: (record: Indexed) => readonly string[]]>
>

/** Categories of the organization, or of the group with this id. */
export type CategoryHolder = 'portal' | { readonly groupId: string }

export type CategoryCondition =
  /** A path or one below it; the path is folded, and begins with a slash. */
  | { readonly kind: 'category'; readonly holder: CategoryHolder; readonly path: string }
  /** A category with this folded title, at any level, or one below it. */
  | { readonly kind: 'categoryTitle'; readonly holder: CategoryHolder; readonly title: string }
  /** Consecutive words of one title on the path of a category. */
  | { readonly kind: 'categoryWords'; readonly holder: CategoryHolder; readonly words: readonly string[] }
  | { readonly kind: 'categorized'; readonly holder: CategoryHolder }

export function allOf<Fields extends SearchFields>(conditions: readonly Condition<Fields>[]): Condition<Fields> {
  return joined('and', conditions, 'none', 'all')
}

export function anyOf<Fields extends SearchFields>(conditions: readonly Condition<Fields>[]): Condition<Fields> {
  return joined('or', conditions, 'all', 'none')
}

/** Negation of a condition. */
export function negationOf<Fields extends SearchFields>(condition: Condition<Fields>): Condition<Fields> {
  switch (condition.kind) {
    case 'all':
      return { kind: 'none' }
    case 'none':
      return { kind: 'all' }
    case 'not':
      return (condition as { readonly of: Condition<Fields> }).of
    default:
      return { kind: 'not', of: condition }
  }
}

/** The condition with each comparison replaced. */
export function mapLeaves<Fields extends SearchFields>(
  condition: Condition<Fields>,
  replace: (leaf: Condition<Fields>) => Condition<Fields>,
): Condition<Fields> {
  switch (condition.kind) {
    case 'and':
    case 'or': {
      const { of } = condition as { readonly of: readonly Condition<Fields>[] }
      const replaced = of.map((operand) => mapLeaves(operand, replace))
      return condition.kind === 'and' ? allOf(replaced) : anyOf(replaced)
    }
    case 'not':
      return negationOf(mapLeaves((condition as { readonly of: Condition<Fields> }).of, replace))
    default:
      return replace(condition)
  }
}

/** Joins conditions into one: `deciding` decides the whole, `idle` is neutral, and equal kinds are not nested. */
function joined<Fields extends SearchFields>(
  kind: 'and' | 'or',
  conditions: readonly Condition<Fields>[],
  deciding: 'all' | 'none',
  idle: 'all' | 'none',
): Condition<Fields> {
  const of: Condition<Fields>[] = []
  for (const condition of conditions) {
    if (condition.kind === deciding) return condition
    if (condition.kind === kind) of.push(...(condition as { readonly of: readonly Condition<Fields>[] }).of)
    else if (condition.kind !== idle) of.push(condition)
  }
  if (of.length > 1) return { kind, of }
  return of[0] ?? { kind: idle }
}
