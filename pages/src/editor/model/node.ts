import type { Category } from '../../../../src/categories/schema.ts'
import type { Origin } from '../../drafts/origin.ts'

/** A category while it is edited. It is immutable: an edit creates a new one, and untouched ones stay the same object. */
export interface Node {
  /** Identifies this category for as long as the page is open, whatever its title and place. */
  readonly key: string
  /** Undefined for one of a ready-made set that has no title. */
  readonly title: string | undefined
  /** Empty for none. */
  readonly description: string
  /** Name of the ready-made set that it comes from; not edited. */
  readonly source: string | undefined
  /** Origin in the schema that the draft is based on. */
  readonly origin: Origin
  readonly below: readonly Node[]
}

export type Trees = readonly Node[]

/** Makes unique keys for nodes. */
export type KeyMaker = () => string

/** Makes keys that are not among those that are used already. */
export function makeKeys(prefix = 'c', used: ReadonlySet<string> = new Set()): KeyMaker {
  let last = 0
  return () => {
    do last += 1
    while (used.has(`${prefix}${last}`))
    return `${prefix}${last}`
  }
}

export function makeNode(key: string, title: string): Node {
  return { key, title, description: '', source: undefined, origin: null, below: [] }
}

/** Nodes of a published schema: each has its own path as its origin. */
export function readPublished(categories: readonly Category[], makeKey: KeyMaker, above: string | null = ''): Trees {
  return categories.map((category) => {
    const origin = above === null || category.title === undefined ? null : `${above}/${category.title}`
    return nodeOf(category, makeKey(), origin, readPublished(category.categories ?? [], makeKey, origin))
  })
}

/** Nodes of a draft, with origins in the order of the document; of pasted categories, without origins. */
export function readNodes(categories: readonly Category[], makeKey: KeyMaker, origins: readonly Origin[] = []): Trees {
  let position = 0
  const read = (siblings: readonly Category[]): Trees =>
    siblings.map((category) => {
      const origin = origins[position] ?? null
      position += 1
      return nodeOf(category, makeKey(), origin, read(category.categories ?? []))
    })
  return read(categories)
}

function nodeOf({ title, description = '', source }: Category, key: string, origin: Origin, below: Trees): Node {
  return { key, title, description, source, origin, below }
}

/** Categories as they are sent: without empty fields, and in the usual order of members. */
export function toCategories(trees: Trees): readonly Category[] {
  return trees.map(({ title, description, source, below }) => ({
    ...(title === undefined ? {} : { title }),
    ...(description === '' ? {} : { description }),
    ...(source === undefined ? {} : { source }),
    ...(below.length === 0 ? {} : { categories: toCategories(below) }),
  }))
}

/** All nodes, parents first, in the order of the document. */
export function listNodes(trees: Trees): readonly Node[] {
  return trees.flatMap((node) => [node, ...listNodes(node.below)])
}

/** Whether two schemas are equal as they are sent. */
export function areEqual(one: readonly Category[], other: readonly Category[]): boolean {
  const textOf = (categories: readonly Category[]) => JSON.stringify(toCategories(readNodes(categories, () => '')))
  return textOf(one) === textOf(other)
}
