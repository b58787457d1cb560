import type { SchemaLimits } from '../../../src/categories/limits.ts'
import type { SchemaVerdict } from '../../../src/categories/schema.ts'
import { hasTwins, type JsonValue, readJson } from './json-members.ts'

/** The verdict on a text once more, by plain recursion and for small texts only. */
export function judgeAgain(text: string, limits: SchemaLimits): SchemaVerdict {
  const trees = readTrees(text)
  if (!trees) return { violations: ['Invalid category schema.'] }
  if (trees.length < 1 || trees.length > limits.trees) {
    return { violations: ['Category schema exceeds max tree size or empty.'] }
  }
  const violations: string[] = []
  const total = countAll(trees)
  if (total > limits.categories) {
    violations.push(
      `Category schema at /categorySchema has ${total} categories; at most ${limits.categories} are allowed.`,
    )
  }
  findIn(trees, '/categorySchema', 1)
  if (violations.length > 100) violations.splice(100, Number.POSITIVE_INFINITY, 'Further violations are not listed.')
  if (violations.length > 0) return { violations }
  return { document: `{"categorySchema":${JSON.stringify(trees)}}`, size: { trees: trees.length, categories: total } }

  function findIn(siblings: readonly Tree[], pointer: string, level: number): void {
    siblings.forEach((tree, index) => {
      const place = `${pointer}/${index}`
      if (level === limits.levels + 1) {
        violations.push(`Category at ${place} is on level ${level}; at most ${limits.levels} levels are allowed.`)
      }
      for (const sentence of titleSentences(tree.title, limits)) violations.push(`Title at ${place}/title ${sentence}`)
      const length = tree.description?.length ?? 0
      if (length > limits.descriptionLength) {
        violations.push(
          `Description at ${place}/description has ${length} characters; at most ${limits.descriptionLength} are allowed.`,
        )
      }
      if (level <= limits.levels) findIn(tree.categories ?? [], `${place}/categories`, level + 1)
    })
  }
}

/** Spaces, and characters of which Unicode says that nothing is shown in their place; and the braille pattern without dots. */
const unseen = new RegExp(
  [
    '[\\s\\u2800]',
    '[\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u3164]',
    '[\\ufe00-\\ufe0f\\uffa0\\ufff0-\\ufffb\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}]',
  ].join('|'),
  'gu',
)

/** Whether a title is blank. */
export function showsNothing(title: string): boolean {
  return title.replace(unseen, '') === ''
}

/** Problems of a title, in the words of the service. */
export function titleSentences(title: string | undefined, limits: SchemaLimits): readonly string[] {
  if (title === undefined) return []
  const units = Array.from({ length: title.length }, (_, index) => title.charCodeAt(index))
  const sentences: string[] = []
  if (units.length > limits.titleLength) {
    sentences.push(`has ${units.length} characters; at most ${limits.titleLength} are allowed.`)
  }
  if (showsNothing(title)) sentences.push('is blank.')
  const reserved = [...title].find((character) => character === '/' || character === ',')
  if (reserved) sentences.push(`has the reserved character ${reserved}.`)
  if (units.some((unit) => unit < 0x20 || (unit >= 0x7f && unit <= 0x9f))) sentences.push('has a control character.')
  if ([...title].some((character) => /^[\ud800-\udfff]$/.test(character))) sentences.push('has a lone surrogate.')
  return sentences
}

interface Tree {
  title?: string
  description?: string
  source?: string
  categories?: Tree[]
}

function readTrees(text: string): readonly Tree[] | undefined {
  const value = readJson(text)
  if (!value || hasTwins(value)) return undefined
  return toTrees(value.kind === 'object' ? value.members.find(([name]) => name === 'categorySchema')?.[1] : value)
}

function toTrees(value: JsonValue | undefined): Tree[] | undefined {
  if (value?.kind !== 'array') return undefined
  const trees = value.elements.map(toTree)
  return trees.every((tree) => tree !== undefined) ? trees : undefined
}

function toTree(value: JsonValue): Tree | undefined {
  if (value.kind !== 'object') return undefined
  const tree: Tree = {}
  for (const [name, inner] of value.members) {
    if (name === 'title' || name === 'description') {
      if (inner.kind !== 'string') return undefined
      tree[name] = inner.text
    }
    if (name === 'source' && inner.kind === 'string') tree.source = inner.text
    if (name === 'categories') {
      const children = toTrees(inner)
      if (!children) return undefined
      tree.categories = children
    }
  }
  return 'title' in tree || 'source' in tree ? tree : undefined
}

function countAll(trees: readonly Tree[]): number {
  return trees.reduce((total, { categories = [] }) => total + 1 + countAll(categories), 0)
}
