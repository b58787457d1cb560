import { setFlagsFromString } from 'node:v8'
import type { Term } from 'oxigraph'
import type { Parsed } from '../call/parsed.ts'
import { reasonOf } from '../errors.ts'
import type { Triple } from '../schema-files/skos/graph.ts'
import { quoteEntities } from '../schema-files/skos/guards.ts'
import { type SkosSyntax, syntaxFacts } from '../schema-files/skos/syntaxes.ts'

/** Contract §6.3. */
const maxTriples = 50_000
/** Characters of all triples: a prefix of 100 KB may stand in every one of them (chosen). */
const maxCharacters = 16 * 1024 * 1024
/** Pages of 64 KiB that the parser may use: 128 MiB (chosen). */
const maxPages = 2_048
/** Maximum length of an error that cites the file (chosen). */
const maxMessageLength = 300
/** Base of relative IRIs where the file does not give one (chosen). */
const baseIri = 'file:///'

/** After that it cannot be used again. */
const parserEnded = `The file cannot be read: the RDF parser failed on it, or needs more than ${maxPages / 16} MiB of memory.`

/** Parses RDF, or says what is wrong with it. Nothing is fetched. */
export async function parseRdf(text: string, syntax: SkosSyntax): Promise<Parsed<readonly Triple[]>> {
  // For the whole process, and before the parser is loaded. Nothing else that uses WebAssembly needs as much.
  setFlagsFromString(`--wasm-max-mem-pages=${maxPages}`)
  const { BlankNode, Literal: LiteralTerm, parse } = await import('oxigraph')
  const nodeOf = (term: Term) => (term instanceof BlankNode ? `_:${term.value}` : term.value)
  const objectOf = (term: Term): Triple['object'] =>
    term instanceof LiteralTerm ? { text: term.value, language: term.language.toLowerCase() } : nodeOf(term)
  const triples: Triple[] = []
  let characters = 0
  try {
    // An iterable is parsed step by step, so that it can be left.
    for (const { subject, predicate, object } of parse([syntax === 'rdfxml' ? quoteEntities(text) : text], {
      format: syntaxFacts[syntax].contentType,
      base_iri: baseIri,
    })) {
      const triple = { subject: nodeOf(subject), predicate: predicate.value, object: objectOf(object) }
      triples.push(triple)
      characters += lengthOf(triple)
      if (triples.length > maxTriples) return refused(`The file has more than ${maxTriples} triples.`)
      if (characters > maxCharacters) {
        return refused(`The triples of the file have more than ${maxCharacters} characters.`)
      }
    }
  } catch (error) {
    return refused(problemOf(error, syntax))
  }
  return { value: triples }
}

function refused(problem: string): Parsed<never> {
  return { problems: [problem] }
}

function lengthOf({ subject, predicate, object }: Triple): number {
  return subject.length + predicate.length + (typeof object === 'string' ? object : object.text).length
}

/** A trap of WebAssembly, or no stack left. */
function hasTrapped(error: unknown): boolean {
  return error instanceof Error && (error.name === 'RuntimeError' || error.name === 'RangeError')
}

function problemOf(error: unknown, syntax: SkosSyntax): string {
  if (hasTrapped(error)) return parserEnded
  const message = reasonOf(error)
  if (message.includes('remote context')) {
    return 'The file refers to a remote @context, which is not fetched: the context has to be in the file.'
  }
  if (syntax === 'rdfxml' && /namespaces are required/.test(message)) {
    return 'The file is XML, but not RDF/XML: give SKOS, CSV, JSON, or an Excel workbook (.xlsx).'
  }
  const shown = message.replace(/^Parser error at /, 'at ').replace(/\p{Cc}/gu, ' ')
  return `The file is not ${syntaxFacts[syntax].name}: ${shown.slice(0, maxMessageLength).toWellFormed()}.`
}
