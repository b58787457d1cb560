import type { Parameters } from '../api/parameters.ts'

/** Source of an import: the file or text, with its format, as parameters of the import. */
export interface ImportSource {
  /** Name shown to the person. */
  readonly name: string
  readonly parameters: Parameters
}

/** Maximum size of a file that the server reads, in bytes, with the other parameters. */
export const maxBytes = 1024 * 1024
