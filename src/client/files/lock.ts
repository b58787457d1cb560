import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { systemCode, untried } from '../failure.ts'
import { makePrivateFolder } from './file.ts'

/** Milliseconds between two looks at a lock (chosen). */
const delay = 20

/** Does work under a lock file; where another process holds it for so many looks, it is refused with the sentence. */
export async function withLock<T>(path: string, looks: number, held: string, work: () => Promise<T>): Promise<T> {
  makePrivateFolder(dirname(path))
  for (let look = 1; !isTaken(path); look += 1) {
    if (look >= looks) throw untried(`${held}; remove ${path} if none runs.`)
    await wait(delay)
  }
  try {
    return await work()
  } finally {
    rmSync(path, { force: true })
  }
}

/**
 * Whether the lock is ours now. One whose process is gone is removed first, under a lock of its own: of two processes that find it, the
 * later one would remove the new lock of the other.
 */
function isTaken(path: string): boolean {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw untried(`${dirname(path)} cannot be written.`)
  }
  const left = findLeft(path)
  const removal = `${path}.${left}`
  if (left === undefined || !isTaken(removal)) return false
  if (findLeft(path) === left) rmSync(path, { force: true })
  rmSync(removal, { force: true })
  return isTaken(path)
}

/** The process that has left the lock, by which it is named; undefined where one holds it, or it is there no more. */
function findLeft(path: string): string | undefined {
  let holder: string | undefined
  try {
    holder = readFileSync(path, 'utf8')
    process.kill(Number(holder), 0)
  } catch (error) {
    if (systemCode(error) === 'ESRCH') return holder
  }
  return undefined
}
