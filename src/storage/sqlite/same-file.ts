import { type BigIntStats, statSync } from 'node:fs'
import { StorageUnavailable } from '../storage.ts'

/**
 * Answers what throws as soon as another file is at the path, or none: what SQLite goes on writing to the one that it
 * has open, nobody would find again.
 */
export function requireSameFile(path: string): () => void {
  const opened = find(path)
  return () => {
    const present = find(path)
    if (opened && present && present.ino === opened.ino && present.dev === opened.dev) return
    throw new StorageUnavailable(`The database ${path} was moved, removed or replaced; put it back, or start again.`)
  }
}

function find(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })
}
