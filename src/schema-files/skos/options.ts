/** How SKOS is read. Where the values are listed, the first is the default. */

export const skosChoices = {
  /** Whether the tops of a scheme are trees, or categories below its label; by default, what fits the file. */
  roots: ['scheme', 'topConcepts'],
  depth: ['refuse', 'cut'],
  cycles: ['refuse', 'break'],
  polyhierarchy: ['first', 'duplicate', 'refuse'],
  descriptions: ['cut', 'drop', 'refuse'],
  notation: ['drop', 'prefix'],
} as const

type Choices = { readonly [Name in keyof typeof skosChoices]: (typeof skosChoices)[Name][number] }

export interface SkosOptions extends Omit<Choices, 'roots'> {
  /** A file that this product has written has its top concepts as trees without it, any other its schemes. */
  readonly roots?: Choices['roots']
  /** Languages of labels and definitions that are asked for, the preferred first; `de` matches `de-AT` too. */
  readonly languages: readonly string[]
  /** Languages of the reader, the preferred first, where none is asked for. */
  readonly readerLanguages: readonly string[]
  /** Whether a root will be put above all trees. */
  readonly hasRoot: boolean
  /** Categories that a branch may have, for a file of which one has to be chosen. */
  readonly room: number
  /** URI of the only scheme that is read. */
  readonly scheme?: string
  /** URI of the concept or scheme that becomes the only tree. */
  readonly root?: string
  /** Whether the URI of a concept becomes the `source` of its category. */
  readonly keepUris: boolean
}

export const defaultSkosOptions: SkosOptions = {
  depth: 'refuse',
  cycles: 'refuse',
  polyhierarchy: 'first',
  descriptions: 'cut',
  notation: 'drop',
  languages: [],
  readerLanguages: [],
  hasRoot: false,
  room: Number.POSITIVE_INFINITY,
  keepUris: false,
}
