import type { CategorySchema } from '../categories/schema.ts'
import { say } from '../sentences/say.ts'
import type { Layout, Role } from './csv/columns.ts'
import type { Row } from './csv/table.ts'

/**
 * Files that contain a category schema, read and written. Reading changes nothing in silence: what was changed or left out
 * has a note, and what cannot be kept is refused with its row or URI. Whether the result is a valid schema is judged after it.
 */

export const fileFormats = ['json', 'csv', 'xlsx', 'skos'] as const
export type FileFormat = (typeof fileFormats)[number]

/** Note for a reader of the file. Rows are counted from 1, as a spreadsheet shows them. */
export interface Note {
  readonly row?: number
  readonly uri?: string
  readonly message: string
}

/** Origin of a category in its file. */
export type Place = { readonly row: number } | { readonly uri: string }

export interface ReadSchemaFile {
  readonly schema: CategorySchema
  readonly format: FileFormat
  /** Rows of the file that became categories; in other formats, categories. */
  readonly rows: number
  readonly notes: readonly Note[]
  /** Guess about the file, to be shown first where it is refused. */
  readonly guess?: string
  /** Keyed by JSON pointer, `/categorySchema/0/categories/3`; empty for a format without rows and URIs. Plain, to be sent to another thread. */
  readonly places: ReadonlyMap<string, Place>
  /** Path that a category had when a file with identifiers was written, by JSON pointer. */
  readonly formerPaths?: ReadonlyMap<string, string>
  /** Title of a root for more trees than are allowed, if the file gives one. */
  readonly rootTitle?: string
}

/** How a file was read, so that a person can choose otherwise; also of a file that is refused. */
export interface FileReading {
  readonly table?: ReadTable
  /** Language of the labels that are preferred, and those that the file has. */
  readonly language?: string
  readonly languages?: readonly LanguageCount[]
}

/** `language` is empty for labels without one. */
export interface LanguageCount {
  readonly language: string
  readonly labels: number
}

/** A table as it was read. Rows and columns count from 1. */
export interface ReadTable {
  readonly layout: Layout
  /** Row of the heading; undefined where there is none. */
  readonly headingRow: number | undefined
  /** Name of the sheet that was read, and of all that the workbook has. */
  readonly sheet?: string
  readonly sheets?: readonly string[]
  readonly columns: readonly { readonly heading: string; readonly role: Role }[]
  /** The first rows, the last three, and some that are wrong. */
  readonly rows: readonly Row[]
  /** Rows of the table that have something in them. */
  readonly total: number
  readonly marks: readonly Mark[]
}

/** A row that is wrong, or a cell of it. */
export interface Mark {
  readonly row: number
  readonly column?: number
  readonly message: string
}

/** A part of a file that can be imported instead of the whole. */
export interface Branch {
  /** URI of a concept, or path of a category. */
  readonly id: string
  readonly label: string
  readonly levels: number
  readonly categories: number
}

export interface RefusedFile extends FileReading {
  /** One sentence each, with the row or the URI. */
  readonly problems: readonly string[]
  /** Branches that could be imported, where the whole is too deep or too large. */
  readonly branches?: readonly Branch[]
}

export type SchemaFileReading = { readonly value: ReadSchemaFile & FileReading } | RefusedFile

/** A file to be sent. */
export interface WrittenSchemaFile<Content extends string | Uint8Array = string | Uint8Array> {
  readonly content: Content
  /** The dot left out. */
  readonly extension: string
  readonly contentType: string
}

/** Maximum number of sentences of a refusal, enough for a person (chosen). */
const maxProblems = 100

/** The problems that are shown. */
export function listProblems(problems: readonly string[]): readonly string[] {
  return cut(problems, problems.length)
}

function cut(problems: readonly string[], count: number): readonly string[] {
  if (count <= maxProblems) return problems
  return [...problems.slice(0, maxProblems), say('furtherProblems', { count: count - maxProblems })]
}

/** Problems of many rows: those that will not be shown are counted, and their sentences never made. */
export class Problems {
  readonly #shown: string[] = []
  readonly #marks: Mark[] = []
  #count = 0

  /** `row` and `column` name the cell at fault, where there is one. */
  add(sentence: () => string, row?: number, column?: number): void {
    this.#count += 1
    if (this.#count > maxProblems) return
    const message = sentence()
    this.#shown.push(message)
    if (row !== undefined) this.#marks.push({ row, ...(column !== undefined && { column }), message })
  }

  get marks(): readonly Mark[] {
    return this.#marks
  }

  /** Bounded as by `listProblems`. */
  list(): readonly string[] {
    return cut(this.#shown, this.#count)
  }
}
