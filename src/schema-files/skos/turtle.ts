import { marker, namespaces, type Prefix } from './vocabulary.ts'
import type { WrittenConcept, WrittenScheme } from './written-scheme.ts'

/** Writes Turtle 1.1. */
export function formatTurtle(scheme: WrittenScheme): string {
  const prefixes = used.map((prefix) => `@prefix ${prefix}: <${namespaces[prefix]}> .\n`)
  const tops = scheme.concepts.filter(({ broader }) => broader === undefined)
  const head = formatResource(scheme.uri, [
    'a skos:ConceptScheme',
    `skos:prefLabel ${formatLiteral(scheme.title, scheme.language)}`,
    `dc:type ${formatLiteral(marker.text)}`,
    ...(tops.length > 0 ? [`skos:hasTopConcept ${formatList(tops.map(({ uri }) => uri))}`] : []),
  ])
  return [prefixes.join(''), head, ...scheme.concepts.map((concept) => formatConcept(concept, scheme))].join('\n')
}

const used = ['skos', 'dc', 'dcterms', 'schema'] as const satisfies readonly Prefix[]

function formatConcept({ uri, category, broader, narrower, position }: WrittenConcept, scheme: WrittenScheme): string {
  const { title, description, source } = category
  return formatResource(uri, [
    'a skos:Concept',
    `skos:inScheme <${scheme.uri}>`,
    ...(title === undefined ? [] : [`skos:prefLabel ${formatLiteral(title, scheme.language)}`]),
    ...(description === undefined ? [] : [`skos:definition ${formatLiteral(description, scheme.language)}`]),
    ...(source === undefined ? [] : [`dcterms:source ${formatLiteral(source)}`]),
    broader === undefined ? `skos:topConceptOf <${scheme.uri}>` : `skos:broader <${broader}>`,
    ...(narrower.length > 0 ? [`skos:narrower ${formatList(narrower)}`] : []),
    `schema:position ${position}`,
  ])
}

function formatResource(uri: string, properties: readonly string[]): string {
  return `<${uri}> ${properties.join(' ;\n  ')} .\n`
}

function formatList(uris: readonly string[]): string {
  return uris.map((uri) => `<${uri}>`).join(', ')
}

function formatLiteral(text: string, language?: string): string {
  const escaped = text.replace(/["\\\p{Cc}\u2028\u2029\uFEFF\uFFFE\uFFFF]/gu, escapeCharacter)
  return language === undefined ? `"${escaped}"` : `"${escaped}"@${language}`
}

const escapes: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

function escapeCharacter(character: string): string {
  return escapes[character] ?? `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
}
