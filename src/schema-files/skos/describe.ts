import type { SchemaLimits } from '../../categories/limits.ts'
import type { Category } from '../../categories/schema.ts'
import { say } from '../../sentences/say.ts'
import { cutAtWord, maxLabelLength, shown, titleFromLabel } from '../title.ts'
import type { ForestNode } from './forest.ts'
import { type Graph, isBlankNode } from './graph.ts'
import type { ReadPredicates } from './left-out.ts'
import type { SkosOptions } from './options.ts'
import { type ChosenText, chooseText, definitionsOf, type Languages, labelsOf } from './texts.ts'
import { localName, rdfsLabel, skos, source, titles, xlPrefLabel } from './vocabulary.ts'

/** How the concepts of a file are read. */
export interface Manner {
  readonly options: SkosOptions
  readonly limits: SchemaLimits
  readonly languages: Languages
  readonly isOurs: boolean
}

/** A category without its children. */
export interface DescribedCategory {
  readonly category: Category
  readonly notes: readonly string[]
  readonly problems: readonly string[]
  readonly read: ReadPredicates
}

/** Describes a concept or a scheme as a category. */
export function describe(graph: Graph, { node }: ForestNode, manner: Manner): DescribedCategory {
  const label = chooseText(labelsOf(graph, node), manner.languages)
  const title = readTitle(graph, node, label, manner)
  const description = readDescription(graph, node, label, manner)
  const sourceRead = readSource(graph, node, manner)
  return {
    category: {
      ...(title.text !== undefined && { title: title.text }),
      ...(description.text !== undefined && { description: description.text }),
      ...(sourceRead.text !== undefined && { source: sourceRead.text }),
    },
    notes: [...title.notes, ...description.notes, ...sourceRead.notes],
    problems: [...title.problems, ...description.problems],
    read: new Map([...title.read, ...description.read, ...sourceRead.read]),
  }
}

interface Reading {
  readonly text?: string
  readonly notes: readonly string[]
  readonly problems: readonly string[]
  readonly read: ReadPredicates
}

const nothing: Reading = { notes: [], problems: [], read: new Map() }

function readTitle(graph: Graph, node: string, label: ChosenText | undefined, manner: Manner): Reading {
  const { options, languages, isOurs } = manner
  if (!label && isOurs && graph.literals(node, source).length > 0) return nothing
  const named = label?.text ?? (isBlankNode(node) ? '' : localName(node))
  if (named === '') return { ...nothing, problems: ['It has neither a label nor a URI with a name.'] }
  const notation = options.notation === 'prefix' ? graph.literals(node, skos.notation)[0]?.text : undefined
  const whole = notation === undefined ? named : `${notation} ${named}`
  if (whole.length > maxLabelLength) {
    return { ...nothing, problems: [`Its label has ${whole.length} characters; no title has as many.`] }
  }
  const text = isOurs ? titleFromLabel(whole) : titleFromLabel(whole).trim()
  const notes: string[] = []
  if (!label) notes.push(say('titleFromUri'))
  if (label) notes.push(...noteOnChoice('label', label, languages))
  if (text !== whole) {
    notes.push(say('labelCleaned', { label: shown(whole), title: shown(text) }))
  }
  const problems: string[] = []
  if (text === '') problems.push('Its label has only characters that a title may not have.')
  const labelPredicates = [skos.prefLabel, xlPrefLabel, rdfsLabel, ...titles]
  const read = new Map<string, number>(label ? readFirst(graph, node, labelPredicates) : [])
  if (notation !== undefined) read.set(skos.notation, 1)
  return { text, notes, problems, read }
}

/** The one value that was read of the first predicate that the node has. */
function readFirst(graph: Graph, node: string, predicates: readonly string[]): readonly [string, number][] {
  const given = new Map(graph.predicates(node))
  return predicates
    .filter((predicate) => given.has(predicate))
    .slice(0, 1)
    .map((predicate) => [predicate, 1])
}

function noteOnChoice(kind: 'label' | 'definition', { language, caveat }: ChosenText, { preferred }: Languages) {
  const tag = language === '' ? 'without a language' : `in ${shown(language)}`
  if (caveat === 'one of several') return [`It has several ${kind}s ${tag}; the first is read.`]
  if (caveat !== 'other language') return []
  return [say('otherLanguage', { kind, wanted: shown(preferred.join(', ')), read: tag })]
}

/** Line ends before an indented line, as formatted XML has them inside texts. */
const lineEnds = /[ \t]*(?:\r\n?|\n)[ \t]\s*/g

function readDescription(graph: Graph, node: string, label: ChosenText | undefined, manner: Manner): Reading {
  const { options, limits, languages, isOurs } = manner
  const definitions = definitionsOf(graph, node)
  const { isAsked } = languages
  const ofLabel = label && label.language !== '' ? [label.language] : languages.preferred
  const chosen = chooseText(definitions, isAsked ? languages : { ...languages, preferred: ofLabel })
  // Ours are read as they are, blank ones included.
  const text = isOurs && definitions.length === 1 ? definitions[0]!.text : chosen?.text.trim().replace(lineEnds, ' ')
  if (text === undefined) return nothing
  const read = new Map(readFirst(graph, node, [skos.definition, skos.scopeNote]))
  const isOther = chosen?.caveat === 'other language' && !isAsked
  const notes = chosen && !isOther ? noteOnChoice('definition', chosen, languages) : []
  const max = limits.descriptionLength
  if (text.length <= max) return { text, notes, problems: [], read }
  const length = `Its definition has ${text.length} characters; at most ${max} are allowed.`
  if (options.descriptions === 'refuse') return { ...nothing, problems: [length] }
  if (options.descriptions === 'drop') return { ...nothing, notes: [`${length} It is left out.`], read }
  return { text: cutAtWord(text, max), notes: [...notes, `${length} It is cut.`], problems: [], read }
}

function readSource(graph: Graph, node: string, { options, limits, isOurs }: Manner): Reading {
  const [own] = isOurs ? graph.literals(node, source) : []
  if (own) return { ...nothing, text: own.text, read: new Map([[source, 1]]) }
  if (!options.keepUris || isBlankNode(node)) return nothing
  if (node.length <= limits.sourceLength) return { ...nothing, text: node }
  return { ...nothing, notes: [`Its URI is longer than ${limits.sourceLength} characters, and is not kept.`] }
}
