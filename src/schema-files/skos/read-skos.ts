import type { SchemaLimits } from '../../categories/limits.ts'
import type { Category } from '../../categories/schema.ts'
import { listProblems, type Note, type Place, type SchemaFileReading } from '../schema-file.ts'
import { findConcepts } from './concepts.ts'
import { type DescribedCategory, describe, type Manner } from './describe.ts'
import { childrenOf, type ForestNode, findExcess, hasSchemesAsRoots, plantForest } from './forest.ts'
import { Graph, shown, shownNode } from './graph.ts'
import { chooseGroups } from './groups.ts'
import { arrange, type Hierarchy } from './hierarchy.ts'
import { noteOnRest, type ReadPredicates } from './left-out.ts'
import type { SkosOptions } from './options.ts'
import { isBlankNode, type Triple } from './triples.ts'
import { position } from './vocabulary.ts'

/** Notes that are sent; a schema of 200 categories has fewer, except one made to have more (chosen). */
const maxNotes = 1_000

/**
 * Reads a category schema from the triples of a SKOS file. What SKOS allows and a schema does not is dealt with as the
 * options say (contract §6.3).
 */
export function readSkos(triples: readonly Triple[], options: SkosOptions, limits: SchemaLimits): SchemaFileReading {
  const graph = new Graph(triples)
  const concepts = findConcepts(graph)
  const chosen = chooseGroups(concepts, options, limits.trees)
  if ('problems' in chosen) return chosen
  const { groups, notes } = chosen.value
  const hierarchies: Hierarchy[] = []
  const problems: string[] = []
  for (const group of groups) {
    const arranged = arrange(group, concepts, options)
    if ('hierarchy' in arranged) hierarchies.push(arranged.hierarchy)
    else problems.push(...arranged.problems)
  }
  if (problems.length > 0) return { problems: listProblems(problems) }
  const schemesAsRoots = hasSchemesAsRoots(concepts, options)
  const roots = plantForest(hierarchies, schemesAsRoots)
  const excess = findExcess(roots, limits, options)
  if (excess.length > 0) return { problems: excess }
  const reading = readForest(graph, roots, { options, limits, isOurs: concepts.isOurs })
  if (reading.problems.length > 0) return { problems: listProblems(reading.problems) }
  const withoutScheme = schemesAsRoots && groups.some(({ scheme, root }) => scheme === undefined && root === undefined)
  const general: Note[] = withoutScheme
    ? [{ message: 'The file has no concept scheme; its top concepts are the trees.' }]
    : []
  if (reading.unaskedLanguages.size > 0) {
    const languages = [...reading.unaskedLanguages].sort().map(shown).join(', ')
    general.push({ message: `No language was asked for: where labels have several, these are read: ${languages}.` })
  }
  const all = [...general, ...notes, ...reading.notes, ...noteOnRest(graph, concepts, reading.read)]
  return {
    value: {
      schema: { categorySchema: reading.categories },
      format: 'skos',
      rows: reading.rows,
      notes: cutNotes(all),
      places: reading.places,
    },
  }
}

function cutNotes(notes: readonly Note[]): readonly Note[] {
  if (notes.length <= maxNotes) return notes
  return [...notes.slice(0, maxNotes), { message: `${notes.length - maxNotes} further notes are not listed.` }]
}

interface Reading {
  readonly categories: readonly Category[]
  readonly rows: number
  readonly notes: Note[]
  readonly problems: string[]
  readonly places: Map<string, Place>
  readonly read: Map<string, ReadPredicates>
  readonly unaskedLanguages: ReadonlySet<string>
}

/** Reads categories parents first; the forest has at most as many levels as a schema. */
function readForest(graph: Graph, roots: readonly ForestNode[], manner: Manner): Reading {
  const { options, limits } = manner
  const notes: Note[] = []
  const problems: string[] = []
  const places = new Map<string, Place>()
  const read = new Map<string, ReadPredicates>()
  const unaskedLanguages = new Set<string>()
  let rows = 0

  function readSiblings(nodes: readonly ForestNode[], pointer: string, level: number): readonly Category[] {
    const titles = new Map<string, string>()
    return sortByPosition(graph, nodes).map((forestNode, index) => {
      const { node } = forestNode
      const place = `${pointer}/${index}`
      const described = describe(graph, forestNode, manner)
      collect(node, place, described)
      noteOnHierarchy(forestNode)
      const { category } = described
      const { title } = category
      const earlier = title === undefined ? undefined : titles.get(title)
      if (earlier !== undefined) note(node, `Its title equals that of its sibling ${shownNode(earlier)}.`)
      else if (title !== undefined) titles.set(title, node)
      const children = childrenOf(forestNode)
      if (children.length === 0) return category
      if (level < limits.levels) {
        return { ...category, categories: readSiblings(children, `${place}/categories`, level + 1) }
      }
      note(node, `Its narrower concepts (${children.length}), and what is below them, are left out: depth=cut.`)
      return category
    })
  }

  function collect(node: string, place: string, described: DescribedCategory): void {
    rows += 1
    if (!isBlankNode(node)) places.set(place, { uri: node })
    read.set(node, described.read)
    if (described.unaskedLanguage !== undefined) unaskedLanguages.add(described.unaskedLanguage)
    for (const message of described.notes) note(node, message)
    problems.push(...described.problems.map((problem) => `${shownNode(node)}: ${problem}`))
  }

  function noteOnHierarchy({ node, hierarchy }: ForestNode): void {
    for (const message of hierarchy.notesOn.get(node) ?? []) note(node, message)
    const further = hierarchy.furtherBroader.get(node)
    if (!further) return
    const named = further.slice(0, maxNamed).map(shownNode).join(', ')
    const others = further.length > maxNamed ? `${named} and ${further.length - maxNamed} more` : named
    if (options.polyhierarchy === 'first')
      note(node, `It is only under its first broader concept, not under ${others}.`)
    else note(node, `It is also under ${others}: polyhierarchy=duplicate.`)
  }

  function note(node: string, message: string): void {
    notes.push(isBlankNode(node) ? { message: `${shownNode(node)}: ${message}` } : { uri: node, message })
  }

  const categories = readSiblings(roots, '/categorySchema', 1)
  return { categories, rows, notes, problems, places, read, unaskedLanguages }
}

/** Broader concepts that a note names. */
const maxNamed = 5

/** By `schema:position` where every sibling has one; else as the document has them. */
function sortByPosition(graph: Graph, siblings: readonly ForestNode[]): readonly ForestNode[] {
  const positions = new Map(siblings.map(({ node }) => [node, Number(graph.literals(node, position)[0]?.text)]))
  if ([...positions.values()].some(Number.isNaN)) return siblings
  return siblings.toSorted((one, other) => positions.get(one.node)! - positions.get(other.node)!)
}
