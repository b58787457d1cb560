import { copyTrees } from '../categories/schema.ts'
import { findJsonError } from '../json-syntax.ts'
import { countLevels, findDuplicateMember, hasMoreValues, isObject } from '../json-text.ts'
import { listProblems, type Note, type SchemaFileReading, type WrittenSchemaFile } from './schema-file.ts'

/** More than 200 categories have, with several unknown members each: the cost of reading depends on them (chosen). */
const maxValues = 10_000
/** More than a schema in a plan file has: what goes through this document may use the stack (chosen). */
const maxLevels = 64

/** Members by which a document contains another one: an answer in `data`, and the result of a plan file. */
const wrappers = ['data', 'result', 'document'] as const

/** Reads the object of the API, a bare array, an export, or one that is wrapped in `data` or in a plan file. */
export function readJson(text: string): SchemaFileReading {
  if (hasMoreValues(text, maxValues)) return refused(`The document has more than ${maxValues} values.`)
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    const { line, column, problem } = findJsonError(text)!
    return refused(`Not JSON at line ${line}, column ${column}: ${problem}.`)
  }
  if (countLevels(text) > maxLevels) return refused(`The document nests more than ${maxLevels} levels deep.`)
  const duplicate = findDuplicateMember(text)
  if (duplicate) {
    return refused(`${duplicate.pointer || 'The document'} has the member ${duplicate.name.toWellFormed()} twice.`)
  }
  const trees = findTrees(document)
  if (!trees) return refused('The document has no array categorySchema.')
  const copied = copyTrees(trees)
  if ('reasons' in copied) return refused(...copied.reasons)
  const { categories, dropped } = countDropped(trees)
  if (categories === 0) return refused('The document has no categories.')
  const { schema } = copied
  return { value: { schema, format: 'json', rows: categories, notes: notesOn(dropped), places: new Map() } }
}

function refused(...problems: readonly string[]): SchemaFileReading {
  return { problems: listProblems(problems) }
}

function findTrees(document: unknown): readonly unknown[] | undefined {
  let inner = document
  for (let depth = 0; depth <= wrappers.length; depth += 1) {
    if (Array.isArray(inner)) return inner
    if (!isObject(inner)) return undefined
    if (Object.hasOwn(inner, 'categorySchema')) {
      return Array.isArray(inner['categorySchema']) ? inner['categorySchema'] : undefined
    }
    const outer: Record<string, unknown> = inner
    const wrapper = wrappers.find((name) => Object.hasOwn(outer, name))
    if (!wrapper) return undefined
    inner = outer[wrapper]
  }
  return undefined
}

/** Members of categories that a schema does not have, by name, each with the pointer to its first category. */
type Dropped = ReadonlyMap<string, { readonly pointer: string; readonly count: number }>

function countDropped(trees: readonly unknown[]): { readonly categories: number; readonly dropped: Dropped } {
  const dropped = new Map<string, { pointer: string; count: number }>()
  let categories = 0
  const open = [{ siblings: trees, pointer: '/categorySchema' }]
  for (let next = open.pop(); next; next = open.pop()) {
    for (const [position, category] of next.siblings.entries()) {
      categories += 1
      if (!isObject(category)) continue
      const pointer = `${next.pointer}/${position}`
      for (const [name, value] of Object.entries(category)) {
        if (name === 'categories' && Array.isArray(value)) {
          open.push({ siblings: value, pointer: `${pointer}/categories` })
        } else if (typeof value !== 'string' || !textMembers.has(name)) {
          const known = dropped.get(name)
          if (known) known.count += 1
          else dropped.set(name, { pointer, count: 1 })
        }
      }
    }
  }
  return { categories, dropped }
}

const textMembers: ReadonlySet<string> = new Set(['title', 'description', 'source'])
/** Names that are shown, and characters of each. */
const maxNames = 20
const maxNameLength = 100

function notesOn(dropped: Dropped): readonly Note[] {
  const notes = [...dropped].slice(0, maxNames).map(([name, { pointer, count }]) => {
    const shown = name.slice(0, maxNameLength).toWellFormed()
    const times = count === 1 ? '' : `, first of ${count} times`
    return { message: `The member ${shown} at ${pointer} was left out${times}: a category has no such member.` }
  })
  const rest = dropped.size - maxNames
  return rest > 0 ? [...notes, { message: `${rest} further members were left out.` }] : notes
}

/** Writes the stored document as it is, or laid out in lines. */
export function writeJson(document: string, isIndented: boolean): WrittenSchemaFile<string> {
  const content = isIndented ? JSON.stringify(JSON.parse(document), null, 2) : document
  return { content, extension: 'json', contentType: 'application/json; charset=utf-8' }
}
