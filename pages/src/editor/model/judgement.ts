import type { SchemaLimits } from '../../../../src/categories/limits.ts'
import { findProblems } from '../../../../src/categories/schema.ts'
import { findTwins } from '../../../../src/categories/schema-warnings.ts'
import { isBlank } from '../../../../src/plain-text.ts'
import { listControls } from '../../texts/bidi.ts'
import { listNodes, type Node, type Trees, toCategories } from './node.ts'

/** Problems of a category, in the sentences of the server. */
export interface Verdict {
  readonly title: readonly string[]
  readonly description: readonly string[]
  /** Problems of its place and source, and warnings: another category has its path. */
  readonly others: readonly string[]
  /** Names of invisible characters in the title, such as `U+200B`; not an error. */
  readonly unseen: readonly string[]
}

export interface Judgement {
  /** Whether the server would accept the schema. */
  readonly isValid: boolean
  /** Problems of the schema as a whole. */
  readonly sentences: readonly string[]
  /** Verdicts by the keys of categories, in the order of the document. */
  readonly verdicts: ReadonlyMap<string, Verdict>
  /** Keys of the categories with errors, not only warnings. */
  readonly refused: ReadonlySet<string>
}

/** Judges trees by the rules of the server. */
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

/** Title of a category; empty if it has a wrong type. */
function textOf(title: unknown): string {
  return typeof title === 'string' ? title : ''
}

/** Category and text that a pointer names, such as `/categorySchema/0/categories/1/title`. */
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

/** Categories that share a path, which items cannot distinguish. */
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
  // Blank titles are reported separately.
  return [...byPath].flatMap(([path, nodes]) =>
    nodes.length > 1 && !nodes.every(({ title }) => title !== undefined && isBlank(title))
      ? nodes.map((node) => ({ node, sentence: findTwins(nodes.map(() => path))[0]! }))
      : [],
  )
}

/** Whether the schema has neither problems nor warnings. */
export function isFaultless({ sentences, verdicts }: Judgement): boolean {
  return sentences.length === 0 && verdicts.size === 0
}

/** First category with an error, in the order of the document. */
export function firstRefused(trees: Trees, { refused }: Judgement): Node | undefined {
  return listNodes(trees).find(({ key }) => refused.has(key))
}
