import type { Answer } from './answer.ts'
import type { Operation } from './operation.ts'

/** What a page shows. */
export interface PageContent {
  readonly table: readonly Operation[]
  /** Path of the API, `/sharing/rest` behind the context. */
  readonly base: string
  readonly context: string
  /** Undefined for a path that no row knows. */
  readonly row: Operation | undefined
  readonly ids: Readonly<Record<string, string>>
  readonly path: string
  /** Absent with `envelope` absent too: the form of an operation that was not called. */
  readonly answer?: Answer
  readonly envelope?: object
}

export interface DirectoryFile {
  readonly name: string
  readonly contentType: string
  readonly text: string
}

export const directoryFiles: readonly DirectoryFile[] = []

export function formatDirectoryPage(content: PageContent): string {
  return `<!doctype html><title>${content.row?.title ?? ''}</title>`
}
