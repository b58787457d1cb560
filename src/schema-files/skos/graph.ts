import { shown } from '../title.ts'

type Values = (string | Literal)[]

/** Triples by subject and predicate, in the order of the document. */
export class Graph {
  readonly triples: readonly Triple[]
  readonly #subjects = new Map<string, Map<string, Values>>()

  constructor(triples: readonly Triple[]) {
    this.triples = triples
    for (const { subject, predicate, object } of triples) {
      const predicates = this.#subjects.get(subject) ?? new Map<string, Values>()
      const values = predicates.get(predicate) ?? []
      values.push(object)
      predicates.set(predicate, values)
      this.#subjects.set(subject, predicates)
    }
  }

  /** Order in which they are described. */
  subjects(): Iterable<string> {
    return this.#subjects.keys()
  }

  /** Whether the file says anything of the node, besides naming it. */
  describes(node: string): boolean {
    return this.#subjects.has(node)
  }

  predicates(subject: string): Iterable<readonly [predicate: string, values: readonly (string | Literal)[]]> {
    return this.#subjects.get(subject) ?? []
  }

  nodes(subject: string, predicate: string): readonly string[] {
    return this.#values(subject, predicate).filter((value) => typeof value === 'string')
  }

  literals(subject: string, predicate: string): readonly Literal[] {
    return this.#values(subject, predicate).filter((value) => typeof value !== 'string')
  }

  /** Literals, and those of the nodes that stand in their place: labels of SKOS-XL, notes with `rdf:value`. */
  literalsThrough(subject: string, predicate: string, form: string): readonly Literal[] {
    return this.#values(subject, predicate).flatMap((value) =>
      typeof value === 'string' ? this.literals(value, form) : [value],
    )
  }

  #values(subject: string, predicate: string): Values {
    return this.#subjects.get(subject)?.get(predicate) ?? []
  }
}

/** A node in a sentence. */
export function shownNode(node: string): string {
  return isBlankNode(node) ? 'A node without a URI' : `<${shown(node)}>`
}

/** RDF as plain values, which can be sent to another thread. Graph names do not count. */

export interface Literal {
  readonly text: string
  /** Language tag in lower case; empty without one. */
  readonly language: string
}

export interface Triple {
  /** IRI, or a blank node, `_:name`. */
  readonly subject: string
  readonly predicate: string
  /** A text is an IRI or a blank node. */
  readonly object: string | Literal
}

export function isBlankNode(node: string): boolean {
  return node.startsWith('_:')
}
