import type { Parameters } from '../api/call.ts'

/** What is to be imported: the file or text, with how it is to be read, as parameters of the import. */
export interface ImportSource {
  /** Its name, for the person. */
  readonly name: string
  readonly parameters: Parameters
}

/** Most bytes of a file that the server reads, with what is sent beside it. */
export const mostBytes = 1024 * 1024
