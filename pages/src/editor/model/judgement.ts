import type { SchemaLimits } from '../../../../src/categories/limits.ts'
import { findProblems } from '../../../../src/categories/schema.ts'
import { findTwins } from '../../../../src/categories/schema-warnings.ts'
import { isBlank } from '../../../../src/plain-text.ts'
import { listControls } from '../../texts/bidi.ts'
import { listNodes, type Node, type Trees, toCategories } from './node.ts'

/** What is wrong with a category, in the sentences of the server. */
export interface Verdict {
  readonly title: readonly string[]
  readonly description: readonly string[]
  /** About its place, its source, and what is no error: another category has its path. */
  readonly others: readonly string[]
  /** Names of characters in the title that are not seen, such as `U+200B`; no error. */
  readonly unseen: readonly string[]
}

export interface Judgement {
  /** Whether the server would accept the schema. */
  readonly isValid: boolean
  /** About the schema as a whole. */
  readonly sentences: readonly string[]
  /** By the keys of categories, in the order of the document. */
  readonly verdicts: ReadonlyMap<string, Verdict>
  /** Keys of the categories with errors, not only warnings. */
  readonly refused: ReadonlySet<string>
}

/** Judges trees as the server will: by its own rules. */
export function judgeTrees(trees: Trees, limits: SchemaLimits): Judgement {
  const problems = findProblems(toCategories(trees), limits)
  const sentences: string[] = []
  const verdicts = new Map<string, { title: string[]; description: string[]; others: string[]; unseen: string[] }>()
  const verdictOn = ({ key }: Node) => {
    const known = verdicts.get(key)
    if (known) return known
    const made = { title: [], description: [], others: [], unseen: [] }
    verdicts.set(key, made)
    return made
  }
  for (const { sentence, pointer } of problems) {
    const { node, member } = findMeant(trees, pointer)
    if (node) verdictOn(node)[member].push(sentence)
    else sentences.push(sentence)
  }
  const refused = new Set(verdicts.keys())
  for (const { node, sentence } of listTwins(trees)) verdictOn(node).others.push(sentence)
  for (const node of listNodes(trees)) {
    const unseen = listControls(textOf(node.title))
    if (unseen.length > 0) verdictOn(node).unseen.push(...unseen)
  }
  return { isValid: problems.length === 0, sentences, verdicts, refused }
}

/** A title of a wrong type has none. */
function textOf(title: unknown): string {
  return typeof title === 'string' ? title : ''
}

/** The category that a pointer leads to, such as `/categorySchema/0/categories/1/title`, and which of its texts is meant. */
function findMeant(trees: Trees, pointer: string) {
  const steps = pointer.split('/').slice(2)
  let siblings = trees
  let node: Node | undefined
  for (const step of steps.filter((step) => /^\d+$/.test(step))) {
    node = siblings[Number(step)]
    siblings = node?.below ?? []
  }
  const end = steps.at(-1)
  return { node, member: end === 'title' || end === 'description' ? end : 'others' } as const
}

/** Categories that have a path in common, which items cannot tell apart. */
function listTwins(trees: Trees): readonly { readonly node: Node; readonly sentence: string }[] {
  const byPath = new Map<string, Node[]>()
  const visit = (siblings: Trees, above: string) => {
    for (const node of siblings) {
      if (node.title === undefined) continue
      const path = `${above}/${node.title}`
      byPath.set(path, [...(byPath.get(path) ?? []), node])
      visit(node.below, path)
    }
  }
  visit(trees, '')
  // A title that is not written yet is blank, which has a sentence of its own.
  return [...byPath].flatMap(([path, nodes]) =>
    nodes.length > 1 && !nodes.every(({ title }) => title !== undefined && isBlank(title))
      ? nodes.map((node) => ({ node, sentence: findTwins(nodes.map(() => path))[0]! }))
      : [],
  )
}

/** Whether there is nothing to say of any category. */
export function isFaultless({ sentences, verdicts }: Judgement): boolean {
  return sentences.length === 0 && verdicts.size === 0
}

/** The first category with an error, in the order of the document, to lead the person to it. */
export function firstRefused(trees: Trees, { refused }: Judgement): Node | undefined {
  return listNodes(trees).find(({ key }) => refused.has(key))
}
