/**
 * Writes to a database at /mnt until the disk is full, and again when there is room, and prints what became of it as
 * JSON. For the word `thread`, by a thread of its own.
 */

import { openSqlite } from '../../../src/storage/sqlite/sqlite.ts'
import { StorageUnavailable } from '../../../src/storage/storage.ts'
import { fillDisk, makeRoom } from '../../faults/small-disk.ts'
import { queryFile, recordedIn } from '../../support/databases/recorded.ts'
import { runCommand, send } from './write-commands.ts'

const disk = '/mnt'
const file = `${disk}/portal.db`
const writeThread = { program: new URL('./write-commands-thread.mjs', import.meta.url), settings: undefined }
const isThreaded = process.argv.includes('thread')
const storage = await openSqlite(file, runCommand, isThreaded ? { writeThread } : {})

let acknowledged = 0

/** Sends one write that begins immediately, and twenty that wait together. */
async function writeTogether(): Promise<readonly string[]> {
  const results = await Promise.allSettled(Array.from({ length: 21 }, () => send(storage, 'addLargeEntry', 1_000)))
  acknowledged += results.filter(({ status }) => status === 'fulfilled').length
  return results.slice(1).map((result) => (result.status === 'fulfilled' ? 'done' : nameOf(result.reason)))
}

function nameOf(reason: unknown): string {
  return reason instanceof StorageUnavailable ? reason.message : `a bug: ${reason}`
}

async function count(): Promise<number> {
  return (await recordedIn(queryFile(file)).entries()).length
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
