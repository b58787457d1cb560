import { mkdirSync, readFileSync, realpathSync, renameSync, rmSync, type Stats, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { untried } from '../failure.ts'

/** Content of a file; undefined where there is none. A pipe or device is refused: it may have to be waited for. */
export function readContent(path: string, name = path): Buffer | undefined {
  let stats: Stats | undefined
  try {
    stats = statSync(path, { throwIfNoEntry: false })
    if (!stats || stats.isFile()) return stats && readFileSync(path)
  } catch {
    throw untried(`${name} cannot be read.`)
  }
  throw untried(stats.isDirectory() ? `${name} is a folder.` : `${name} is no regular file; - is standard input.`)
}

/** Text of a file; undefined where there is none. */
export function readText(path: string, name = path): string | undefined {
  return readContent(path, name)?.toString()
}

/** Value of a text; undefined where it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

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
  writeBeside(path, former ? realpathSync(path) : path, content, former ? former.mode & 0o777 : 0o666)
}

/** Writes a file as a whole, in a folder, that only this user may read. */
export function writePrivately(path: string, content: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  } catch {
    throw untried(`${dirname(path)} cannot be made.`)
  }
  writeBeside(path, path, content, 0o600)
}

function writeBeside(path: string, target: string, content: string | Uint8Array, mode: number): void {
  const draft = `${target}.${process.pid}.draft`
  try {
    writeFileSync(draft, content, { mode })
    renameSync(draft, target)
  } catch {
    rmSync(draft, { force: true })
    throw untried(`${path} cannot be written.`)
  }
}
