import { hasDuplicateMember, isObject } from '../json-text.ts'
import type { SchemaLimits } from './limits.ts'
import { isPlainSchema } from './plain-schema.ts'

/** A category, with its children. A node that comes from a ready-made set may lack a title (observed). */
export interface Category {
  readonly title?: string
  readonly description?: string
  /** Name of the ready-made set that the node comes from (observed), kept verbatim. */
  readonly source?: string
  readonly categories?: readonly Category[]
}

/** The trees of a group or an organization; each element is the root of one (description §2). */
export interface CategorySchema {
  readonly categorySchema: readonly Category[]
}

/** The texts of description §7. */
export const notASchema = 'Invalid category schema.'
export const treesOutOfBounds = 'Category schema exceeds max tree size or empty.'

/** @NOTE chosen: so many sentences help a person; more would only make a hostile answer long. */
const mostViolations = 100

/** A schema that may be assigned, as the text that is stored and read back; or why it may not. */
export type SchemaVerdict = { readonly document: string } | { readonly violations: readonly string[] }

/** The whole judgement on a client's text, from syntax to limits. Total: any text has a verdict. */
export function judgeSchema(text: string | undefined, limits: SchemaLimits): SchemaVerdict {
  if (text === undefined) return { violations: [notASchema] }
  const whole = text.startsWith('[') ? `{"categorySchema":${text}}` : text
  if (isPlainSchema(whole, limits)) return { document: whole }
  const schema = parseSchema(text)
  if (!schema) return { violations: [notASchema] }
  const violations = findViolations(schema, limits)
  const document = violations.length === 0 ? JSON.stringify(schema) : undefined
  // A text that is its own document has no member twice.
  if (document !== whole && hasDuplicateMember(text)) return { violations: [notASchema] }
  return document === undefined ? { violations } : { document }
}

/**
 * The schema in a JSON text: `{"categorySchema": [...]}`, or the bare array (chosen). Undefined for what is not one.
 * Only members of a category survive, in the order in which they were sent; `__proto__` is data like any other.
 */
function parseSchema(text: string): CategorySchema | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  const trees = Array.isArray(value) ? value : isObject(value) ? ownMember(value, 'categorySchema') : undefined
  if (!Array.isArray(trees)) return undefined
  const categorySchema = copyCategories(trees)
  return categorySchema && { categorySchema }
}

type MutableCategory = { -readonly [Member in keyof Category]: Category[Member] }

/** Copies depth by depth with a list of its own in place of recursion: the input may nest a million levels deep. */
function copyCategories(trees: readonly unknown[]): readonly Category[] | undefined {
  const roots: Category[] = []
  const open: { readonly from: readonly unknown[]; readonly to: Category[] }[] = [{ from: trees, to: roots }]
  for (let level = open.pop(); level; level = open.pop()) {
    for (const node of level.from) {
      if (!isObject(node)) return undefined
      const copy: MutableCategory = {}
      for (const member of Object.keys(node)) {
        const value = node[member]
        if (member === 'title' || member === 'description') {
          if (typeof value !== 'string') return undefined
          copy[member] = value
        } else if (member === 'source' && typeof value === 'string') {
          copy.source = value
        } else if (member === 'categories') {
          if (!Array.isArray(value)) return undefined
          const children: Category[] = []
          copy.categories = children
          open.push({ from: value, to: children })
        }
      }
      if (copy.title === undefined && copy.source === undefined) return undefined
      level.to.push(copy)
    }
  }
  return roots
}

/** A member that the text itself has; a text with `__proto__` gains nothing by it. */
function ownMember(object: Record<string, unknown>, member: string): unknown {
  return Object.hasOwn(object, member) ? object[member] : undefined
}

/** One sentence for each broken rule, with its place as a JSON pointer (contract §3). No sentences: none is broken. */
function findViolations(schema: CategorySchema, limits: SchemaLimits): readonly string[] {
  const roots = schema.categorySchema
  if (roots.length === 0 || roots.length > limits.trees) return [treesOutOfBounds]
  const violations: string[] = []
  const firstTooDeep = limits.levels + 1
  const total = visitCategories(roots, firstTooDeep, (category, pointer, level) => {
    if (violations.length > mostViolations) return
    if (level === firstTooDeep) {
      violations.push(`Category at ${pointer} is on level ${level}; at most ${limits.levels} levels are allowed.`)
    }
    violations.push(...findTextViolations(category, pointer, limits))
  })
  if (total > limits.categories) {
    violations.unshift(
      `Category schema at /categorySchema has ${total} categories; at most ${limits.categories} are allowed.`,
    )
  }
  if (violations.length <= mostViolations) return violations
  return [...violations.slice(0, mostViolations), 'Further violations are not listed.']
}

/**
 * Visits every category down to the deepest level asked for, parents first, in the order of the document.
 * Answers how many there are on all levels.
 */
function visitCategories(
  roots: readonly Category[],
  deepest: number,
  visit: (category: Category, pointer: string, level: number) => void,
): number {
  let total = 0
  const open = [{ siblings: roots, next: 0, pointer: '/categorySchema' }]
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

function findTextViolations(category: Category, pointer: string, limits: SchemaLimits): readonly string[] {
  const violations: string[] = []
  const { title, description, source } = category
  if (title !== undefined) {
    const place = `Title at ${pointer}/title`
    if (title.length > limits.titleLength) {
      violations.push(`${place} has ${title.length} characters; at most ${limits.titleLength} are allowed.`)
    }
    if (title.trim() === '') violations.push(`${place} is blank.`)
    const reserved = /[/,]/.exec(title)
    if (reserved) violations.push(`${place} has the reserved character ${reserved[0]}.`)
    if (/[\p{Cc}]/u.test(title)) violations.push(`${place} has a control character.`)
    if (!title.isWellFormed()) violations.push(`${place} has a lone surrogate.`)
  }
  if (source !== undefined && source.length > limits.sourceLength) {
    violations.push(
      `Source at ${pointer}/source has ${source.length} characters; at most ${limits.sourceLength} are allowed.`,
    )
  }
  if (description !== undefined && description.length > limits.descriptionLength) {
    violations.push(
      `Description at ${pointer}/description has ${description.length} characters; at most ${limits.descriptionLength} are allowed.`,
    )
  }
  return violations
}
