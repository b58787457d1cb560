import type { SchemaLimits } from '../../categories/limits.ts'
import type { Category } from '../../categories/schema.ts'
import { say } from '../../sentences/say.ts'
import { type FileReading, listProblems, type Note, type Place, type SchemaFileReading } from '../schema-file.ts'
import { shown, titleFromLabel } from '../title.ts'
import { findConcepts } from './concepts.ts'
import { type DescribedCategory, describe, type Manner } from './describe.ts'
import { childrenOf, type ForestNode, hasSchemesAsRoots, plantForest, refuseExcess } from './forest.ts'
import { Graph, isBlankNode, shownNode, type Triple } from './graph.ts'
import { chooseGroups, groupBelow } from './groups.ts'
import { arrange, type Hierarchy } from './hierarchy.ts'
import { noteOnRest, type ReadPredicates } from './left-out.ts'
import type { SkosOptions } from './options.ts'
import { chooseLanguages, chooseText, type Languages, labelsOf, matches } from './texts.ts'
import { localName, position } from './vocabulary.ts'

/** Notes that are sent; a schema of 200 categories has fewer, except one made to have more (chosen). */
const maxNotes = 1_000

/**
 * Reads a category schema from the triples of a SKOS file. What SKOS allows and a schema does not is dealt with as the
 * options say (contract §6.3).
 */
export function readSkos(triples: readonly Triple[], options: SkosOptions, limits: SchemaLimits): SchemaFileReading {
  const graph = new Graph(triples)
  const concepts = findConcepts(graph)
  const nodes = [...concepts.schemes, ...concepts.schemesOf.keys()]
  const labels = nodes.map((node) => labelsOf(graph, node))
  const languages = chooseLanguages(labels, options.languages, options.readerLanguages)
  const { counted, preferred } = languages
  const hasSeveral = counted.filter((one) => one.language !== '').length > 1
  const language = preferred.find((wanted) => counted.some((one) => matches(one.language, wanted.toLowerCase())))
  const facts: FileReading = { ...(language !== undefined && { language }), languages: counted.slice(0, maxLanguages) }
  const chosen = chooseGroups(concepts, options)
  if ('problems' in chosen) return { ...chosen, ...facts }
  const { groups, notes } = chosen.value
  const hierarchies: Hierarchy[] = []
  const problems: string[] = []
  for (const group of groups) {
    const arranged = arrange(group, concepts, options)
    if ('hierarchy' in arranged) hierarchies.push(arranged.hierarchy)
    else problems.push(...arranged.problems)
  }
  if (problems.length > 0) return { problems: listProblems(problems), ...facts }
  const schemesAsRoots = hasSchemesAsRoots(concepts, options, groups.length)
  const roots = plantForest(hierarchies, schemesAsRoots)
  const labelOf = (node: string) => chooseText(labelsOf(graph, node), languages)?.text
  const excess = refuseExcess(roots, limits, options, {
    nameOf: (node) => (isBlankNode(node) ? undefined : { id: node, label: shown(labelOf(node) ?? localName(node)) }),
    plant: ({ node, isScheme, hierarchy }) => {
      if (isScheme) return [{ node, isScheme, hierarchy }]
      const arranged = arrange(groupBelow(node, concepts), concepts, options)
      return 'hierarchy' in arranged ? [{ node, isScheme, hierarchy: arranged.hierarchy }] : []
    },
  })
  if (excess) return { ...excess, ...facts }
  const reading = readForest(graph, roots, { options, limits, languages, isOurs: concepts.isOurs })
  if (reading.problems.length > 0) return { problems: listProblems(reading.problems), ...facts }
  const withoutScheme = schemesAsRoots && groups.some(({ scheme, root }) => scheme === undefined && root === undefined)
  const general: Note[] = withoutScheme ? [{ message: say('skosWithoutScheme') }] : []
  if (!languages.isAsked && hasSeveral) general.push({ message: describeLanguages(languages) })
  const all = [...general, ...notes, ...reading.notes, ...noteOnRest(graph, concepts, reading.read)]
  const schemeTitle = groups.length === 1 && groups[0]!.scheme !== undefined ? labelOf(groups[0]!.scheme) : undefined
  return {
    value: {
      schema: { categorySchema: reading.categories },
      format: 'skos',
      rows: reading.rows,
      notes: cutNotes(all),
      places: reading.places,
      ...(concepts.isOurs && { formerPaths: findFormerPaths(reading.places, concepts.schemes) }),
      ...(schemeTitle !== undefined && { rootTitle: titleFromLabel(schemeTitle).trim() }),
      ...facts,
    },
  }
}

/** Languages that a reading names (chosen). */
const maxLanguages = 200

function describeLanguages({ preferred, counted }: Languages): string {
  const named = counted
    .slice(0, maxLanguages)
    .map(({ language, labels }) => `${language === '' ? 'none' : shown(language)} ${labels}`)
  const read = preferred.length === 0 ? 'those without a language' : `those in ${shown(preferred.join(', '))}`
  return say('languageChosen', { languages: read, found: named.join(', ') })
}

/** The paths by which `writeSkos` names concepts whose categories have no URI. */
function findFormerPaths(places: ReadonlyMap<string, Place>, schemes: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const [pointer, place] of places) {
    const scheme = 'uri' in place ? schemes.find((one) => place.uri.startsWith(`${one}#/`)) : undefined
    if (scheme === undefined || !('uri' in place)) continue
    try {
      found.set(pointer, decodeURIComponent(place.uri.slice(scheme.length + 1)))
    } catch {}
  }
  return found
}

function cutNotes(notes: readonly Note[]): readonly Note[] {
  if (notes.length <= maxNotes) return notes
  return [...notes.slice(0, maxNotes), { message: say('furtherNotes', { count: notes.length - maxNotes }) }]
}

interface Reading {
  readonly categories: readonly Category[]
  readonly rows: number
  readonly notes: Note[]
  readonly problems: string[]
  readonly places: Map<string, Place>
  readonly read: Map<string, ReadPredicates>
}

/** Reads categories parents first; the forest has at most as many levels as a schema. */
function readForest(graph: Graph, roots: readonly ForestNode[], manner: Manner): Reading {
  const { options, limits } = manner
  const notes: Note[] = []
  const problems: string[] = []
  const places = new Map<string, Place>()
  const read = new Map<string, ReadPredicates>()
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
    for (const message of described.notes) note(node, message)
    problems.push(...described.problems.map((problem) => `${shownNode(node)}: ${problem}`))
  }

  function noteOnHierarchy({ node, hierarchy }: ForestNode): void {
    for (const message of hierarchy.notesOn.get(node) ?? []) note(node, message)
    const further = hierarchy.furtherBroader.get(node)
    if (!further) return
    const named = further.slice(0, maxNamed).map(shownNode).join(', ')
    const others = further.length > maxNamed ? `${named} and ${further.length - maxNamed} more` : named
    if (options.polyhierarchy === 'first') note(node, say('skosOfOneBroader', { others }))
    else note(node, `It is also under ${others}: polyhierarchy=duplicate.`)
  }

  function note(node: string, message: string): void {
    notes.push(isBlankNode(node) ? { message: `${shownNode(node)}: ${message}` } : { uri: node, message })
  }

  const categories = readSiblings(roots, '/categorySchema', 1)
  return { categories, rows, notes, problems, places, read }
}

/** Broader concepts that a note names. */
const maxNamed = 5

/** Sorts by `schema:position` where every sibling has one; else as the document has them. */
function sortByPosition(graph: Graph, siblings: readonly ForestNode[]): readonly ForestNode[] {
  const positions = new Map(siblings.map(({ node }) => [node, Number(graph.literals(node, position)[0]?.text)]))
  if ([...positions.values()].some(Number.isNaN)) return siblings
  return siblings.toSorted((one, other) => positions.get(one.node)! - positions.get(other.node)!)
}
