import type { Graph } from './graph.ts'
import type { Literal } from './triples.ts'
import { deprecated, literalForm, rdfsLabel, rdfValue, skos, titles, xlPrefLabel } from './vocabulary.ts'

/** Labels and definitions of a node, and the choice among their languages. */

export interface ChosenText {
  readonly text: string
  /** Empty for a text without a language tag. */
  readonly language: string
  /** In what way it is not what the options ask for. */
  readonly caveat?: 'other language' | 'one of several'
}

/**
 * The first text of the first language that has one; then one without a tag; then that of the first tag by alphabet.
 * Undefined where every text is blank.
 */
export function chooseText(given: readonly Literal[], languages: readonly string[]): ChosenText | undefined {
  const literals = given.filter(({ text }) => text.trim() !== '')
  for (const wanted of languages) {
    const matching = literals.filter(({ language }) => matches(language, wanted.toLowerCase()))
    const exact = matching.filter(({ language }) => language === wanted.toLowerCase())
    const found = firstOf(exact.length > 0 ? exact : matching)
    if (found) return found
  }
  const untagged = firstOf(literals.filter(({ language }) => language === ''))
  if (untagged) return untagged
  const first = literals.map(({ language }) => language).sort()[0]
  const other = firstOf(literals.filter(({ language }) => language === first))
  if (!other) return undefined
  const isAsked = languages.length > 0
  return isAsked ? { ...other, caveat: 'other language' } : other
}

function firstOf(literals: readonly Literal[]): ChosenText | undefined {
  const [first] = literals
  if (!first) return undefined
  const isOneOfSeveral = literals.some(({ text, language }) => language === first.language && text !== first.text)
  return { ...first, ...(isOneOfSeveral && { caveat: 'one of several' }) }
}

/** Basic filtering of RFC 4647. */
function matches(language: string, wanted: string): boolean {
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

/** Cuts before the word that does not fit. */
export function cutAtWord(text: string, max: number): string {
  if (text.length <= max) return text
  const start = text.slice(0, max - 1)
  const end = /\s/.test(text.charAt(max - 1)) ? start.length : start.search(/\s\S*$/)
  return `${(end > 0 ? start.slice(0, end) : start).trimEnd().replace(/[\uD800-\uDBFF]$/, '')}…`
}
