import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Where there is a disk in memory, waiting for the disk costs nothing. */
const disk = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** Path of a database that does not exist yet, in a folder that goes with the test. */
export function temporaryFile(): string {
  const folder = realpathSync(mkdtempSync(join(disk, 'cartulary-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'cartulary.db')
}
