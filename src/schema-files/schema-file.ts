import type { Parsed } from '../call/parsed.ts'
import type { CategorySchema } from '../categories/schema.ts'

/**
 * Files that contain a category schema, read and written. Reading changes nothing in silence: what was changed or left out
 * has a note, and what cannot be kept is refused with its row or URI. Whether the result is a valid schema is judged after it.
 */

export const fileFormats = ['json', 'csv', 'skos'] as const
export type FileFormat = (typeof fileFormats)[number]

/** Note for a reader of the file. Rows are counted from 1, as a spreadsheet shows them. */
export interface Note {
  readonly row?: number
  readonly uri?: string
  readonly message: string
}

/** Where in its file a category comes from. */
export type Place = { readonly row: number } | { readonly uri: string }

export interface ReadSchemaFile {
  readonly schema: CategorySchema
  readonly format: FileFormat
  /** Rows of the file that became categories; in other formats, categories. */
  readonly rows: number
  readonly notes: readonly Note[]
  /** Guess about the file, to be shown first where it is refused. */
  readonly guess?: string
  /** By JSON pointer, `/categorySchema/0/categories/3`; empty for a format without rows and URIs. Plain, to be sent to another thread. */
  readonly places: ReadonlyMap<string, Place>
}

/** Mistakes in the file are one sentence each, with the row or the URI. */
export type SchemaFileReading = Parsed<ReadSchemaFile>

/** A file to be sent. */
export interface WrittenSchemaFile {
  readonly text: string
  /** Without the dot. */
  readonly extension: string
  readonly contentType: string
}

/** Most sentences of a refusal, enough for a person (chosen). */
const maxProblems = 100

/** The problems that are shown. */
export function listProblems(problems: readonly string[]): readonly string[] {
  return cut(problems, problems.length)
}

function cut(problems: readonly string[], count: number): readonly string[] {
  if (count <= maxProblems) return problems
  return [...problems.slice(0, maxProblems), `${count - maxProblems} further problems are not listed.`]
}

/** Problems of many rows: those that will not be shown are counted, and their sentences never made. */
export class Problems {
  readonly #shown: string[] = []
  #count = 0

  add(sentence: () => string): void {
    this.#count += 1
    if (this.#count <= maxProblems) this.#shown.push(sentence())
  }

  /** As `listProblems`. */
  list(): readonly string[] {
    return cut(this.#shown, this.#count)
  }
}
