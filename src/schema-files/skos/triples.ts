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
