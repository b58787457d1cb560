/** What the page of an operation is filled in with, read as the caller from a resource with ids of the same names. */
export interface FormSource {
  /** Id of the row of the resource. */
  readonly from: string
  readonly query?: Readonly<Record<string, string>>
  /** Whether members of the value fill in the parameters that have their names. */
  readonly isSameNamed?: true
  /** Texts by the names of parameters, or of parts of one. */
  texts?(value: SourceValue): Readonly<Record<string, string>>
  /** What may be given, by the names of parameters. */
  choices?(value: SourceValue): Readonly<Record<string, readonly FormChoice[]>>
}

// biome-ignore lint/suspicious/noExplicitAny: the shape is that of another row.
export type SourceValue = any

export interface FormChoice {
  readonly value: string
  /** What people call it. */
  readonly label: string
  /** What a form has for it, where the parameter has parts. */
  readonly field?: PartField
}

/** A box to tick, a text to type, or a list to choose from. */
export type PartField =
  | 'box'
  | 'text'
  | 'email'
  | 'password'
  | {
      readonly options: readonly FormChoice[]
      /** What the list says where nothing is chosen. */
      readonly none: string
    }

/** The resource of the same properties, for an operation that changes them. */
export function sameNamed(from: string): readonly FormSource[] {
  return [{ from, isSameNamed: true }]
}
