import type { Category, CategorySchema } from '../../categories/schema.ts'
import type { WrittenSchemaFile } from '../schema-file.ts'
import { formatJsonLd } from './json-ld.ts'
import { syntaxFacts, type WrittenSyntax } from './syntaxes.ts'
import { formatTurtle } from './turtle.ts'
import type { WrittenConcept, WrittenScheme } from './written-scheme.ts'

export interface SkosWriting {
  readonly syntax: WrittenSyntax
  /** URI of the category schema, which becomes that of the concept scheme. */
  readonly uri: string
  /** Label of the concept scheme. */
  readonly title: string
  /** Language tag of titles and descriptions; without one they have none. */
  readonly language?: string
}

/** The schema as one concept scheme, each root a top concept (contract §6.3). */
export function writeSkos(
  schema: CategorySchema,
  { syntax, uri, title, language }: SkosWriting,
): WrittenSchemaFile<string> {
  const concepts = listConcepts(schema, uri)
  const scheme: WrittenScheme = { uri, title: title.toWellFormed(), language, concepts }
  const { extension, contentType } = syntaxFacts[syntax]
  if (syntax === 'jsonld') return { content: formatJsonLd(scheme), extension, contentType }
  return { content: formatTurtle(scheme), extension, contentType: `${contentType}; charset=utf-8` }
}

/** Parents first, in the order of the document. */
function listConcepts({ categorySchema }: CategorySchema, schemeUri: string): readonly WrittenConcept[] {
  const taken = new Set([schemeUri])
  const concepts: WrittenConcept[] = []

  function nameOf(
    { title = '', source }: Category,
    parentPath: string,
  ): { readonly uri: string; readonly path: string } {
    const path = `${parentPath}/${encodeURIComponent(title.toWellFormed())}`
    const uri = source !== undefined && isUri(source) && !taken.has(source) ? source : firstFree(`${schemeUri}#${path}`)
    taken.add(uri)
    return { uri, path }
  }

  /** Siblings of one title have one path. */
  function firstFree(uri: string): string {
    if (!taken.has(uri)) return uri
    for (let number = 2; ; number += 1) {
      const numbered = `${uri};${number}`
      if (!taken.has(numbered)) return numbered
    }
  }

  function list(siblings: readonly Category[], broader: string | undefined, parentPath: string): readonly string[] {
    return siblings.map((category, index) => {
      const { uri, path } = nameOf(category, parentPath)
      const place =
        concepts.push({ uri, category: wellFormed(category), broader, narrower: [], position: index + 1 }) - 1
      const narrower = list(category.categories ?? [], uri, path)
      concepts[place] = { ...concepts[place]!, narrower }
      return uri
    })
  }

  list(categorySchema, undefined, '')
  return concepts
}

function wellFormed({ title, description, source }: Category): WrittenConcept['category'] {
  return {
    ...(title !== undefined && { title: title.toWellFormed() }),
    ...(description !== undefined && { description: description.toWellFormed() }),
    ...(source !== undefined && { source: source.toWellFormed() }),
  }
}

/** URIs that every parser of RDF takes; any other source is only a text. */
const uriCharacters = String.raw`(?:[\w\-.~:/?@!$&'()*+,;=]|%[\dA-Fa-f]{2})*`
const httpUri = new RegExp(
  String.raw`^https?://[\w-]+(?:\.[\w-]+)*(?::\d+)?(?:[/?]${uriCharacters})?(?:#${uriCharacters})?$`,
)
const urn = new RegExp(String.raw`^urn:[A-Za-z\d][A-Za-z\d-]{0,31}:[\w\-.~]${uriCharacters}$`)

function isUri(source: string): boolean {
  return httpUri.test(source) || urn.test(source)
}
