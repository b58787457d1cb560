import { copyFileSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { temporaryFile } from '../storage/sqlite/temporary-file.ts'
import { copiedDatabase, createDatabase } from '../support/databases/test-database.ts'
import { isReplicated } from '../support/portal/portal.ts'

export type Engine = 'SQLite' | 'PostgreSQL'

/** Engine of this run. */
export const ownEngine: Engine = isReplicated ? 'PostgreSQL' : 'SQLite'

/** Path of a SQLite file that several tests copy; it is gone after the last of them. */
export function originalFile(): string {
  return join(mkdtempSync(join(inject('memoryDisk'), 'original-')), 'maps.db')
}

/** A copy of a database that no server uses; it goes with the test, or is kept for others to copy. Returns its URL. */
export async function copyOf(original: string, { isKept = false } = {}): Promise<string> {
  if (!original.startsWith('file:')) {
    return isKept ? createDatabase(new URL(original).pathname.slice(1)) : copiedDatabase(original)
  }
  const file = isKept ? originalFile() : temporaryFile()
  copyFileSync(original.slice('file:'.length), file)
  return `file:${file}`
}
