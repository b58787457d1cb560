import { statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { StorageSpace } from '../storage.ts'

/** Bytes of a database file and its log, and free bytes of their disk. */
export function measureFile(path: string): StorageSpace {
  const sizes = ['', '-wal', '-shm'].map((end) => statSync(`${path}${end}`, { throwIfNoEntry: false })?.size ?? 0)
  const { bavail, bsize } = statfsSync(dirname(path))
  return { used: sizes.reduce((sum, size) => sum + size), free: bavail * bsize }
}
