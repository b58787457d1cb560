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

/** Whether the lock is ours now. One whose process, which is named in it, is gone, is removed first. */
function isTaken(path: string): boolean {
  removeLeft(path)
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false
    throw untried(`${dirname(path)} cannot be written.`)
  }
}

function removeLeft(path: string): void {
  try {
    process.kill(Number(readFileSync(path, 'utf8')), 0)
  } catch (error) {
    if (systemCode(error) === 'ESRCH') rmSync(path, { force: true })
  }
}
