import type { SchemaLimits } from '../../../../src/categories/limits.ts'
import { findProblems, type SchemaProblem, type SchemaRule } from '../../../../src/categories/schema.ts'
import { findTwins } from '../../../../src/categories/schema-warnings.ts'
import { isBlank } from '../../../../src/plain-text.ts'
import { listControls } from '../../texts/bidi.ts'
import { listNodes, type Node, type Trees, toCategories } from './node.ts'

/** A rule that is violated, and what it has to say. `twins`: as many categories have one path; only a warning. */
export type Finding = Omit<SchemaProblem, 'pointer' | 'rule'> & { readonly rule: SchemaRule | 'twins' }

/** Problems of a category, by the rules of the server. */
export interface Verdict {
  readonly title: readonly Finding[]
  readonly description: readonly Finding[]
  /** Problems of its place and source, and warnings: another category has its path. */
  readonly others: readonly Finding[]
  /** Names of invisible characters in the title, such as `U+200B`; not an error. */
  readonly unseen: readonly string[]
}

export interface Judgement {
  /** Whether the server would accept the schema. */
  readonly isValid: boolean
  /** Problems of the schema as a whole. */
  readonly general: readonly Finding[]
  /** Verdicts by the keys of categories, in the order of the document. */
  readonly verdicts: ReadonlyMap<string, Verdict>
  /** Keys of the categories with errors, not only warnings. */
  readonly refused: ReadonlySet<string>
}

/** Judges trees by the rules of the server. */
export function judgeTrees(trees: Trees, limits: SchemaLimits): Judgement {
  const problems = findProblems(toCategories(trees), limits)
  const general: Finding[] = []
  const verdicts = new Map<string, { title: Finding[]; description: Finding[]; others: Finding[]; unseen: string[] }>()
  const verdictOn = ({ key }: Node) => {
    const known = verdicts.get(key)
    if (known) return known
    const made = { title: [], description: [], others: [], unseen: [] }
    verdicts.set(key, made)
    return made
  }
  for (const { pointer, ...finding } of problems) {
    const { node, member } = findMeant(trees, pointer)
    if (node) verdictOn(node)[member].push(finding)
    else general.push(finding)
  }
  const refused = new Set(verdicts.keys())
  for (const { node, ...finding } of listTwins(trees)) verdictOn(node).others.push(finding)
  for (const node of listNodes(trees)) {
    const unseen = typeof node.title === 'string' ? listControls(node.title) : []
    if (unseen.length > 0) verdictOn(node).unseen.push(...unseen)
  }
  return { isValid: problems.length === 0, general, verdicts, refused }
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
function listTwins(trees: Trees): readonly (Finding & { readonly node: Node })[] {
  const placesOf = (siblings: Trees, above: string): readonly { node: Node; path: string }[] =>
    siblings.flatMap((node) => {
      if (node.title === undefined) return []
      const path = `${above}/${node.title}`
      return [{ node, path }, ...placesOf(node.below, path)]
    })
  const byPath = Map.groupBy(placesOf(trees, ''), ({ path }) => path)
  // Blank titles are reported separately.
  const twins = [...byPath.values()].filter((places) => places.length > 1 && !isBlank(places[0]!.node.title!))
  return twins.flatMap((places) => {
    const [sentence] = findTwins(places.map(({ path }) => path))
    return places.map(({ node }) => ({ node, sentence: sentence!, rule: 'twins' as const, found: places.length }))
  })
}

/** Whether the schema has neither problems nor warnings. */
export function isFaultless({ general, verdicts }: Judgement): boolean {
  return general.length === 0 && verdicts.size === 0
}

/** First category with an error, in the order of the document. */
export function firstRefused(trees: Trees, { refused }: Judgement): Node | undefined {
  return listNodes(trees).find(({ key }) => refused.has(key))
}
