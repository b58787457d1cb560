import type { LanguageCount } from '../schema-file.ts'
import type { Graph, Literal } from './graph.ts'
import { deprecated, literalForm, rdfsLabel, rdfValue, skos, titles, xlPrefLabel } from './vocabulary.ts'

/** Labels and definitions of a node, and the choice among their languages. */

export interface ChosenText {
  readonly text: string
  /** Empty for a text without a language tag. */
  readonly language: string
  /** Difference from what the options ask for. */
  readonly caveat?: 'other language' | 'one of several'
}

/** Languages by which texts are chosen. */
export interface Languages {
  /** Preferred languages, as asked for or found to fit the reader and the file. */
  readonly preferred: readonly string[]
  readonly isAsked: boolean
  /** All languages of the file, the one of most labels first. */
  readonly counted: readonly LanguageCount[]
}

/**
 * Chooses the language of a file: those that are asked for; else the first that fits the reader and that the file has, then
 * English, then that of most labels (chosen).
 */
export function chooseLanguages(
  labels: Iterable<readonly Literal[]>,
  asked: readonly string[],
  ofReader: readonly string[],
): Languages {
  const counts = new Map<string, number>()
  for (const literals of labels) {
    for (const language of new Set(literals.map((literal) => literal.language))) {
      counts.set(language, (counts.get(language) ?? 0) + 1)
    }
  }
  const counted = [...counts]
    .map(([language, count]) => ({ language, labels: count }))
    .sort((one, other) => other.labels - one.labels || (one.language < other.language ? -1 : 1))
  if (asked.length > 0) return { preferred: asked, isAsked: true, counted }
  const tagged = counted.filter(({ language }) => language !== '')
  for (const wanted of [...ofReader, 'en'].map((one) => one.toLowerCase())) {
    const base = wanted.replace(/-.*$/, '')
    const found = [wanted, base].find((one) => tagged.some(({ language }) => matches(language, one)))
    if (found !== undefined) return { preferred: [found], isAsked: false, counted }
  }
  const [first] = tagged
  return { preferred: first ? [first.language] : [], isAsked: false, counted }
}

/**
 * The first text of the first language that has one; then one without a tag; then that of the language with most labels.
 * Undefined where every text is blank.
 */
export function chooseText(
  given: readonly Literal[],
  { preferred, isAsked, counted }: Languages,
): ChosenText | undefined {
  const literals = given.filter(({ text }) => text.trim() !== '')
  for (const wanted of preferred.map((one) => one.toLowerCase())) {
    const matching = literals.filter(({ language }) => matches(language, wanted))
    const exact = matching.filter(({ language }) => language === wanted)
    const found = firstOf(exact.length > 0 ? exact : matching)
    if (found) return found
  }
  const untagged = firstOf(literals.filter(({ language }) => language === ''))
  if (untagged) return untagged
  const rankOf = (tag: string) => {
    const rank = counted.findIndex(({ language }) => language === tag)
    return rank === -1 ? counted.length : rank
  }
  const [first] = literals.map(({ language }) => language).sort((one, another) => rankOf(one) - rankOf(another))
  const other = firstOf(literals.filter(({ language }) => language === first))
  if (!other) return undefined
  return isAsked ? { ...other, caveat: 'other language' } : other
}

function firstOf(literals: readonly Literal[]): ChosenText | undefined {
  const [first] = literals
  if (!first) return undefined
  const isOneOfSeveral = literals.some(({ text, language }) => language === first.language && text !== first.text)
  return { ...first, ...(isOneOfSeveral && { caveat: 'one of several' }) }
}

/** Basic filtering of RFC 4647. */
export function matches(language: string, wanted: string): boolean {
  return language === wanted || language.startsWith(`${wanted}-`)
}

/** Preferred labels, also those of SKOS-XL; without one, other names of the node. */
export function labelsOf(graph: Graph, node: string): readonly Literal[] {
  const preferred = [...graph.literals(node, skos.prefLabel), ...graph.literalsThrough(node, xlPrefLabel, literalForm)]
  if (preferred.length > 0) return preferred
  return [rdfsLabel, ...titles].flatMap((predicate) => graph.literals(node, predicate))
}

/** The definitions, or the scope notes of a node without one. */
export function definitionsOf(graph: Graph, node: string): readonly Literal[] {
  const definitions = graph.literalsThrough(node, skos.definition, rdfValue)
  return definitions.length > 0 ? definitions : graph.literalsThrough(node, skos.scopeNote, rdfValue)
}

export function isDeprecated(graph: Graph, node: string): boolean {
  return graph.literals(node, deprecated).some(({ text }) => text === 'true' || text === '1')
}
