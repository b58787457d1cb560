import type { Category } from '../../categories/schema.ts'

/** A schema as it is written, whatever the syntax. */

/** A category as a concept. Titles and descriptions are well-formed: RDF has no lone surrogates. */
export interface WrittenConcept {
  readonly uri: string
  readonly category: Pick<Category, 'title' | 'description' | 'source'>
  /** Undefined for a top concept. */
  readonly broader: string | undefined
  readonly narrower: readonly string[]
  /** Among its siblings, from 1. */
  readonly position: number
}

export interface WrittenScheme {
  readonly uri: string
  readonly title: string
  readonly language: string | undefined
  readonly concepts: readonly WrittenConcept[]
}
