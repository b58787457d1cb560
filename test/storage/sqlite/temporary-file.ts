import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { preparedDatabase } from '../../support/databases/prepared-sqlite.ts'

/** Where there is a disk in memory, waiting for the disk costs nothing. */
const disk = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** Path of a database that does not exist yet, in a folder that goes with the test. */
export function temporaryFile(): string {
  const folder = realpathSync(mkdtempSync(join(disk, 'cartulary-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'cartulary.db')
}

/** Path of a database with every table and without rows, in such a folder. */
export async function preparedFile(): Promise<string> {
  const file = temporaryFile()
  writeFileSync(file, await preparedDatabase())
  return file
}
