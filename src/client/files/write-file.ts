import { realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { untried } from '../failure.ts'

/** Refuses, before anything is asked of a portal, a file that cannot be written. */
export function requireWritable(path: string | undefined): void {
  if (path === undefined) return
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw untried(`${path} is a folder.`)
  if (!statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory()) {
    throw untried(`There is no folder ${dirname(path)}.`)
  }
}

/** Writes a file as a whole, beside the former one first; through a symbolic link, and with the rights that were there. */
export function writeWhole(path: string, content: string | Uint8Array): void {
  const former = statSync(path, { throwIfNoEntry: false })
  const target = former ? realpathSync(path) : path
  const draft = `${target}.${process.pid}.draft`
  try {
    writeFileSync(draft, content, former ? { mode: former.mode & 0o777 } : {})
    renameSync(draft, target)
  } catch {
    rmSync(draft, { force: true })
    throw untried(`${path} cannot be written.`)
  }
}
