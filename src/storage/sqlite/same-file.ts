import { type BigIntStats, statSync } from 'node:fs'
import { StorageUnavailable } from '../storage.ts'

/**
 * A check that throws once the path no longer leads to the file that is there now. SQLite would go on writing to the file
 * that it has open, and those writes would be lost with it.
 */
export function requireSameFile(path: string): () => void {
  const opened = find(path)
  return () => {
    const present = find(path)
    if (opened && present && present.ino === opened.ino && present.dev === opened.dev) return
    throw new StorageUnavailable(
      `The database file ${path} was moved, removed or replaced; put it back or restart the server.`,
    )
  }
}

function find(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })
}
