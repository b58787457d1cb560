/** Types of the part of n3 that the tests use: it brings none of its own. */
declare module 'n3' {
  interface Term {
    readonly termType: string
    readonly value: string
    readonly language?: string
    readonly datatype?: { readonly value: string }
  }

  interface Quad {
    readonly subject: Term
    readonly predicate: Term
    readonly object: Term
  }

  export class Parser {
    parse(text: string): readonly Quad[]
  }
}
