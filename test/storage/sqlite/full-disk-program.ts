/**
 * Writes to a database at /mnt until the disk is full, and again when there is room, and prints what became of it as
 * JSON. For the word `thread`, by a thread of its own.
 */

import { openConnection } from '../../../src/storage/sqlite/file.ts'
import { openSqlite } from '../../../src/storage/sqlite/sqlite.ts'
import { StorageUnavailable } from '../../../src/storage/storage.ts'
import { fillDisk, makeRoom } from '../../faults/small-disk.ts'
import { addLargeEntry } from './write-works.ts'

const disk = '/mnt'
const writeThread = new URL('./write-works-thread.ts', import.meta.url)
const isThreaded = process.argv.includes('thread')
const storage = await openSqlite(`${disk}/portal.db`, openConnection, isThreaded ? writeThread : undefined)

let acknowledged = 0

/** One that begins at once, and twenty that wait together. */
async function writeTogether(): Promise<readonly string[]> {
  const results = await Promise.allSettled(Array.from({ length: 21 }, () => storage.write(addLargeEntry, 1_000)))
  acknowledged += results.filter(({ status }) => status === 'fulfilled').length
  return results.slice(1).map((result) => (result.status === 'fulfilled' ? 'done' : nameOf(result.reason)))
}

function nameOf(reason: unknown): string {
  return reason instanceof StorageUnavailable ? reason.message : `a bug: ${reason}`
}

async function count(): Promise<number> {
  const { total } = await storage.read(({ audit }) => audit.list({ start: 1, num: 0 }))
  return total
}

fillDisk(disk)
let full = await writeTogether()
for (let tries = 0; tries < 400 && full.every((outcome) => outcome === 'done'); tries += 1) full = await writeTogether()
const whenFull = { outcomes: [...new Set(full)], lost: acknowledged - (await count()) }
makeRoom(disk)
const after = await writeTogether()
const withRoom = { outcomes: [...new Set(after)], lost: acknowledged - (await count()) }
await storage.close()
process.stdout.write(JSON.stringify({ whenFull, withRoom }))
