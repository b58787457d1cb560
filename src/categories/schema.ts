import type { Parsed } from '../call/parsed.ts'
import { findJsonError } from '../json-syntax.ts'
import { findDuplicateMember, hasMoreValues, isObject } from '../json-text.ts'
import { isBlank } from '../plain-text.ts'
import { say } from '../sentences/say.ts'
import { portalLimits, type SchemaLimits, type SchemaSize } from './limits.ts'
import { measurePlainSchema } from './plain-schema.ts'

/** A category with its children. One that comes from a ready-made set may lack a title (observed). */
export interface Category {
  readonly title?: string
  readonly description?: string
  /** Name of the ready-made set that the category comes from (observed), stored as given. */
  readonly source?: string
  readonly categories?: readonly Category[]
}

/** The trees of a group or an organization; each element is the root of one (description §2). */
export interface CategorySchema {
  readonly categorySchema: readonly Category[]
}

/** The texts of description §7. */
export const notASchema = say('schemaInvalid')
export const treesOutOfBounds = say('schemaTooLarge')

/** JSON pointer of the trees. */
const root = '/categorySchema'

/** @NOTE chosen: enough for a person, and a bound for answers to hostile input. */
const maxViolations = 100

/** @NOTE chosen: more than 200 categories have, with several unknown members each; the cost of a verdict depends on it. */
const maxValues = 10_000

/** The text of a valid schema as it is stored and read back, and its size; or why the input is invalid. */
export type SchemaVerdict =
  | { readonly document: string; readonly size: SchemaSize }
  | {
      /** The sentences of the contract. */
      readonly violations: readonly string[]
      /** Each cause with its place, if the contract has one sentence for all of them (chosen). */
      readonly reasons?: readonly string[]
    }

/**
 * Rule that a schema or one of its texts violates, for those who have words of their own for it. `form`: its JSON has another
 * form; `more`: there are problems that are not listed.
 */
export type SchemaRule =
  | 'trees'
  | 'levels'
  | 'categories'
  | 'titleLong'
  | 'titleBlank'
  | 'titleReserved'
  | 'titleControl'
  | 'titleSurrogate'
  | 'sourceLong'
  | 'descriptionLong'
  | 'form'
  | 'more'

/** Why a schema is refused, and where. */
export interface SchemaProblem {
  readonly sentence: string
  /** JSON pointer of the category, or of its member (RFC 6901). */
  readonly pointer: string
  readonly rule: SchemaRule
  /** Character, length or number that violates the rule, and its limit. */
  readonly found?: string | number
  readonly max?: number
}

/** Validates a text, from JSON syntax to limits. Never throws. */
export function judgeSchema(text: string, limits: SchemaLimits): SchemaVerdict {
  const whole = text.startsWith('[') ? `{"categorySchema":${text}}` : text
  const plain = measurePlainSchema(whole, limits)
  if (plain) return { document: whole, size: plain }
  if (hasMoreValues(whole, maxValues)) {
    return malformed(
      `The document has more than ${maxValues} values; a category schema has at most ${limits.categories} categories.`,
    )
  }
  const parsed = parseSchema(text)
  if ('reasons' in parsed) return malformed(...parsed.reasons)
  const { violations, size } = findViolations(parsed.schema, limits)
  const document = violations.length === 0 ? JSON.stringify(parsed.schema) : undefined
  // A text that equals its document has no duplicate members.
  const duplicate = document === whole ? undefined : findDuplicateMember(whole)
  if (duplicate) {
    return malformed(`${duplicate.pointer || 'The document'} has the member ${quote(duplicate.name)} twice.`)
  }
  return document === undefined ? { violations: sentencesOf(violations) } : { document, size }
}

/** @NOTE chosen: deeper than any real schema; bounds recursion when it is written and rendered. */
const deepestUnfinished = 100

/**
 * The text of a schema that is not finished, as it is stored, and its size: it may be empty, violate limits and have blank
 * titles, but what is not a list of categories is refused with each cause.
 */
export function readUnfinishedSchema(text: string): Parsed<{ readonly document: string; readonly size: SchemaSize }> {
  if (hasMoreValues(text, maxValues)) return { problems: [`has more than ${maxValues} values.`] }
  const parsed = parseSchema(text)
  if ('reasons' in parsed) return { problems: parsed.reasons }
  if (isDeeperThan(parsed.schema.categorySchema, deepestUnfinished)) {
    return { problems: [`has more than ${deepestUnfinished} levels.`] }
  }
  return { value: { document: JSON.stringify(parsed.schema), size: measureSchema(parsed.schema) } }
}

/** Returns the problems that `judgeSchema` finds in trees, each sentence with its place; empty if they are valid. */
export function findProblems(trees: readonly unknown[], limits: SchemaLimits): readonly SchemaProblem[] {
  const copied = copyWithProblems(trees)
  return 'problems' in copied ? copied.problems : findViolations(copied.schema, limits).violations
}

function sentencesOf(problems: readonly SchemaProblem[]): readonly string[] {
  return problems.map(({ sentence }) => sentence)
}

/** The verdict on a missing parameter, or a text that is not a category schema. */
export function malformed(...reasons: readonly string[]): SchemaVerdict {
  return { violations: [notASchema], reasons }
}

const maxQuoteLength = 100

function quote(text: string): string {
  return text.length > maxQuoteLength ? `${text.slice(0, maxQuoteLength).toWellFormed()}…` : text.toWellFormed()
}

type ParsedSchema = { readonly schema: CategorySchema } | { readonly reasons: readonly string[] }

/**
 * Parses a JSON text: `{"categorySchema": [...]}`, or the bare array (chosen). Members that a category does not have are
 * dropped, the others keep their order; `__proto__` is treated like any other name.
 */
function parseSchema(text: string): ParsedSchema {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    const { line, column, problem } = findJsonError(text)!
    return { reasons: [`not JSON at line ${line}, column ${column}: ${problem}.`] }
  }
  if (Array.isArray(value)) return copyTrees(value)
  if (!isObject(value)) return { reasons: ['The document is not an object with the member categorySchema.'] }
  if (!Object.hasOwn(value, 'categorySchema')) return { reasons: ['The document has no member categorySchema.'] }
  const { categorySchema } = value
  if (!Array.isArray(categorySchema)) return { reasons: ['/categorySchema is not an array.'] }
  return copyTrees(categorySchema)
}

type MutableCategory = { -readonly [Member in keyof Category]: Category[Member] }

/** Siblings that are still to be copied. */
interface OpenLevel {
  readonly from: readonly unknown[]
  readonly to: Category[]
  readonly level: number
  readonly pointer: string
}

/** The last level on which every category has a pointer of its own: one more than schemas have. */
const deepestPlace = portalLimits.levels + 1

/** Copies trees as `parseSchema` does those of a text. */
export function copyTrees(trees: readonly unknown[]): ParsedSchema {
  const copied = copyWithProblems(trees)
  return 'problems' in copied ? { reasons: sentencesOf(copied.problems) } : copied
}

type CopiedSchema = { readonly schema: CategorySchema } | { readonly problems: readonly SchemaProblem[] }

/** Uses a stack of its own in place of recursion: the input may nest a million levels deep. */
function copyWithProblems(trees: readonly unknown[]): CopiedSchema {
  const roots: Category[] = []
  const found: SchemaProblem[] = []
  const open: OpenLevel[] = [{ from: trees, to: roots, level: 1, pointer: root }]
  for (let siblings = open.pop(); siblings; siblings = open.pop()) {
    const { from, to, level } = siblings
    // Too deep for a pointer of its own: a place names the last level that has one.
    const isBelow = level > deepestPlace
    for (const [position, node] of from.entries()) {
      const pointer = isBelow ? siblings.pointer : `${siblings.pointer}/${position}`
      const { category, children, problems } = copyCategory(node)
      if (isBelow && problems.length > 0) {
        found.push({ sentence: `A category below ${pointer} is malformed.`, pointer, rule: 'form' })
      } else {
        for (const { member, problem } of problems) {
          const place = `${pointer}${member}`
          found.push({ sentence: `${place} ${problem}.`, pointer: place, rule: 'form' })
        }
      }
      if (found.length > maxViolations) return { problems: listed(found) }
      to.push(category)
      if (children) {
        const { categories } = category as { readonly categories: Category[] }
        const below = isBelow ? pointer : `${pointer}/categories`
        open.push({ from: children, to: categories, level: level + 1, pointer: below })
      }
    }
  }
  return found.length > 0 ? { problems: found } : { schema: { categorySchema: roots } }
}

/** Copies a category without its children, which are returned beside it with its problems. */
function copyCategory(node: unknown) {
  const category: MutableCategory = {}
  if (!isObject(node)) return { category, children: undefined, problems: [{ member: '', problem: 'is not an object' }] }
  /** Problems of the category itself where `member` is empty. */
  const problems: { readonly member: string; readonly problem: string }[] = []
  let children: readonly unknown[] | undefined
  for (const member of Object.keys(node)) {
    const value = node[member]
    if (member === 'title' || member === 'description') {
      if (typeof value === 'string') category[member] = value
      else problems.push({ member: `/${member}`, problem: 'is not a string' })
    } else if (member === 'source' && typeof value === 'string') {
      category.source = value
    } else if (member === 'categories') {
      if (Array.isArray(value)) {
        children = value
        category.categories = []
      } else problems.push({ member: '/categories', problem: 'is not an array' })
    }
  }
  if (!Object.hasOwn(node, 'title') && category.source === undefined) {
    const withSource = Object.hasOwn(node, 'source') ? ', and its source is not a string' : ''
    problems.push({ member: '', problem: `has no title${withSource}` })
  }
  return { category, children, problems }
}

/** One sentence for each violation, with its place as a JSON pointer (contract §3). */
function findViolations(schema: CategorySchema, limits: SchemaLimits) {
  const roots = schema.categorySchema
  const trees = roots.length
  if (trees === 0 || trees > limits.trees) {
    return {
      violations: [
        { sentence: treesOutOfBounds, pointer: root, rule: 'trees' as const, found: trees, max: limits.trees },
      ],
      size: { trees, categories: 0 },
    }
  }
  const violations: SchemaProblem[] = []
  const firstTooDeep = limits.levels + 1
  const total = visitCategories(roots, firstTooDeep, (category, pointer, level) => {
    if (violations.length > maxViolations) return
    if (level === firstTooDeep) {
      const sentence = `Category at ${pointer} is on level ${level}; at most ${limits.levels} levels are allowed.`
      violations.push({ sentence, pointer, rule: 'levels', found: level, max: limits.levels })
    }
    violations.push(...findTextViolations(category, pointer, limits))
  })
  if (total > limits.categories) {
    const sentence = `Category schema at ${root} has ${total} categories; at most ${limits.categories} are allowed.`
    violations.unshift({ sentence, pointer: root, rule: 'categories', found: total, max: limits.categories })
  }
  return { violations: listed(violations), size: { trees, categories: total } }
}

/** Level by level: the input may nest thousands of levels deep. */
function isDeeperThan(roots: readonly Category[], levels: number): boolean {
  let siblings = roots
  for (let level = 0; level < levels && siblings.length > 0; level += 1) {
    siblings = siblings.flatMap(({ categories = [] }) => categories)
  }
  return siblings.length > 0
}

/** The size of a stored schema. */
export function measureSchema({ categorySchema }: CategorySchema): SchemaSize {
  return { trees: categorySchema.length, categories: visitCategories(categorySchema, 0, () => {}) }
}

function listed(problems: readonly SchemaProblem[]): readonly SchemaProblem[] {
  if (problems.length <= maxViolations) return problems
  return [
    ...problems.slice(0, maxViolations),
    { sentence: 'Further violations are not listed.', pointer: root, rule: 'more' },
  ]
}

/**
 * Visits every category down to the given level, parents first, in the order of the document. Returns the number of
 * categories on all levels.
 */
function visitCategories(
  roots: readonly Category[],
  deepest: number,
  visit: (category: Category, pointer: string, level: number) => void,
): number {
  let total = 0
  const open = [{ siblings: roots, next: 0, pointer: root }]
  for (let level = open.at(-1); level; level = open.at(-1)) {
    const category = level.siblings[level.next]
    if (!category) {
      open.pop()
      continue
    }
    const isVisited = open.length <= deepest
    const pointer = isVisited ? `${level.pointer}/${level.next}` : ''
    level.next += 1
    total += 1
    if (isVisited) visit(category, pointer, open.length)
    if (category.categories) open.push({ siblings: category.categories, next: 0, pointer: `${pointer}/categories` })
  }
  return total
}

function findTextViolations(category: Category, place: string, limits: SchemaLimits): readonly SchemaProblem[] {
  const violations: SchemaProblem[] = []
  const add = (
    member: 'title' | 'source' | 'description',
    problem: string,
    violated: Pick<SchemaProblem, 'rule' | 'found' | 'max'>,
  ) => {
    const pointer = `${place}/${member}`
    const name = `${member[0]!.toUpperCase()}${member.slice(1)}`
    violations.push({ sentence: `${name} at ${pointer} ${problem}.`, pointer, ...violated })
  }
  const addTooLong = (member: 'title' | 'source' | 'description', length: number, max: number) => {
    if (length <= max) return
    add(member, `has ${length} characters; at most ${max} are allowed`, { rule: `${member}Long`, found: length, max })
  }
  const { title, description, source } = category
  if (title !== undefined) {
    addTooLong('title', title.length, limits.titleLength)
    if (isBlank(title)) add('title', 'is blank', { rule: 'titleBlank' })
    const reserved = /[/,]/.exec(title)
    if (reserved)
      add('title', `has the reserved character ${reserved[0]}`, { rule: 'titleReserved', found: reserved[0] })
    if (/[\p{Cc}]/u.test(title)) add('title', 'has a control character', { rule: 'titleControl' })
    if (!title.isWellFormed()) add('title', 'has a lone surrogate', { rule: 'titleSurrogate' })
  }
  if (source !== undefined) addTooLong('source', source.length, limits.sourceLength)
  if (description !== undefined) addTooLong('description', description.length, limits.descriptionLength)
  return violations
}
