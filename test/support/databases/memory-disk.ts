import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** A folder for the databases of tests, gone after the last of them. */
    memoryDisk: string
  }
}

/** One folder for all tests. */
export default function openMemoryDisk({ provide }: TestProject): () => void {
  const folder = mkdtempSync(join(findMemoryDisk(2 * 1024 ** 3), 'cartulary-tests-'))
  provide('memoryDisk', folder)
  return () => rmSync(folder, { recursive: true, force: true })
}

/** Where there is a disk in memory with enough room, waiting for the disk costs nothing. */
export function findMemoryDisk(enoughBytes: number): string {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    return bavail * bsize > enoughBytes ? '/dev/shm' : tmpdir()
  } catch {
    return tmpdir()
  }
}
