import { findNearest } from '../spelling.ts'
import {
  type ChangeEvent,
  describeEvent,
  type EventName,
  type Noun,
  nouns,
  operationsOf,
  partsOfName,
} from './events.ts'

/** Which events a path covers. */
export interface Pattern {
  /** Undefined for every noun. */
  readonly noun?: Noun
  /** Undefined for every object. */
  readonly object?: string
  /** Undefined for every operation. */
  readonly operation?: string
}

/** A path that is understood; nothing causes those that are `unused` (documented paths of other servers). */
export type ReadPath = { readonly pattern: Pattern } | { readonly unused: string } | { readonly problem: string }

/** Operations of the public API that are another one here, or none (documented). */
const documentedWords: Readonly<Record<string, string | undefined>> = { move: 'reassign', publish: undefined }

/**
 * Understands a path: `/`, `/<noun>`, `/<noun>/<operation>`, `/<noun>/<id>`, `/<noun>/<id>/<operation>`, with `*` for any id. A word of
 * the table behind a noun is the operation, any other an id. Ids are taken without looking them up.
 */
export function readPath(path: string): ReadPath {
  if (path === '/') return { pattern: {} }
  const [first, word, ...rest] = path.split('/').slice(1)
  const noun = nouns.find((known) => known === first?.toLowerCase())
  if (
    !path.startsWith('/') ||
    !noun ||
    rest.length > 1 ||
    [word, ...rest].some((part) => part?.trim() === '' || part === '..')
  )
    return { problem: unknownPath(path) }
  if (word === undefined) return { pattern: { noun } }
  const isWhole = noun === 'organization'
  const [operation] = rest
  if (operation === undefined) {
    const known = findOperation(noun, word)
    if (known === null) return { unused: path }
    if (known) return { pattern: { noun, operation: known } }
    if (isWhole || looksLikeWord(noun, word)) return { problem: unknownPath(path) }
    return { pattern: word === '*' ? { noun } : { noun, object: word } }
  }
  const known = isWhole ? undefined : findOperation(noun, operation)
  if (known === null) return { unused: path }
  if (known === undefined) return { problem: unknownPath(path) }
  return { pattern: { noun, operation: known, ...(word !== '*' && { object: word }) } }
}

/** The operation as the table has it; null where the public API has it, and nothing causes it here. */
function findOperation(noun: Noun, word: string): string | null | undefined {
  const key = word.toLowerCase()
  const known = operationsOf(noun).find((operation) => operation.toLowerCase() === key)
  if (known !== undefined) return known
  if (noun !== 'items' || !Object.hasOwn(documentedWords, key)) return undefined
  return documentedWords[key] ?? null
}

/** Whether a word that is no operation is no id either: ids but those of users and roles have digits. */
function looksLikeWord(noun: Noun, word: string): boolean {
  return noun !== 'users' && noun !== 'roles' && word !== '*' && !/\d/.test(word)
}

function unknownPath(path: string): string {
  const all = nouns.flatMap((noun) => [`/${noun}`, ...operationsOf(noun).map((operation) => `/${noun}/${operation}`)])
  const near = findNearest(path, all)
  return `no event has the path ${path}${near === undefined ? '' : `; did you mean ${near}?`}`
}

/** Patterns of the paths of a hook. */
export function patternsOf(paths: readonly string[]): readonly Pattern[] {
  return paths.map(readPath).flatMap((read) => ('pattern' in read ? read.pattern : []))
}

/** Whether any of the patterns covers the event. */
export function covers(
  patterns: readonly Pattern[],
  { name, id, segment = id }: Pick<ChangeEvent, 'name' | 'id' | 'segment'>,
): boolean {
  return patterns.some(
    (pattern) => coversName(pattern, name) && (pattern.object === undefined || isObject(pattern.object, segment)),
  )
}

/** Whether any of the patterns may cover an event of this name, of whatever object. */
export function mayCover(patterns: readonly Pattern[], name: EventName): boolean {
  return patterns.some((pattern) => coversName(pattern, name))
}

function coversName(pattern: Pattern, name: EventName): boolean {
  const [noun, operation] = partsOfName(name)
  if (pattern.operation === undefined && describeEvent(noun, operation)?.isAskedFor) return false
  return (
    (pattern.noun === undefined || pattern.noun === noun) &&
    (pattern.operation === undefined || pattern.operation === operation)
  )
}

const isObject = (asked: string, segment: string) => asked.toLowerCase() === segment.toLowerCase()
