import {
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { systemCode, untried } from '../failure.ts'

/** Content of a file, or of a pipe until its end; undefined where there is none. */
export async function readContent(path: string, name = path): Promise<Buffer | undefined> {
  const stats = find(path, name)
  if (!stats?.isFIFO()) return stats && readable(name, () => readFileSync(path))
  // Opened so, a pipe that nothing writes to keeps no signal from ending the program.
  const fd = readable(name, () => openSync(path, constants.O_RDONLY | constants.O_NONBLOCK))
  const { Socket } = await import('node:net')
  return Buffer.concat(await new Socket({ fd, writable: false }).toArray())
}

/** Text of a file, without a byte order mark; undefined where there is none. */
export function readText(path: string, name = path): string | undefined {
  return find(path, name) && readable(name, () => readFileSync(path, 'utf8').replace(/^\ufeff/, ''))
}

function find(path: string, name: string): Stats | undefined {
  const stats = readable(name, () => statSync(path, { throwIfNoEntry: false }))
  if (!stats || stats.isFile() || stats.isFIFO()) return stats
  throw untried(`${name} is no file: it is a folder, a device or a socket.`)
}

function readable<T>(name: string, read: () => T): T {
  try {
    return read()
  } catch {
    throw untried(`${name} cannot be read.`)
  }
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

/**
 * Writes a file as a whole, beside the former one first; through a symbolic link, and with the rights that were there. A pipe or a
 * device is written to, and not replaced. `rights` are those that the file gets whatever was there.
 */
export function writeWhole(path: string, content: string | Uint8Array, rights?: number): void {
  const former = statSync(path, { throwIfNoEntry: false })
  if (former && !former.isFile()) writeBeside(path, path, content)
  else writeBeside(path, former ? realpathSync(path) : path, content, rights ?? (former ? former.mode & 0o777 : 0o666))
}

/** Writes a file as `writeWhole` does, of parts that come one after the other: none of it is left where they end with an error. */
export async function writeWholeBy(
  path: string,
  write: (take: (text: string) => void) => Promise<void>,
): Promise<void> {
  const former = statSync(path, { throwIfNoEntry: false })
  const isReplaced = !former || former.isFile()
  const target = former && isReplaced ? realpathSync(path) : path
  const draft = isReplaced ? `${target}.${process.pid}.draft` : target
  try {
    const fd = openSync(draft, 'w', former ? former.mode & 0o777 : 0o666)
    try {
      await write((text) => writeFileSync(fd, text))
    } finally {
      closeSync(fd)
    }
    if (isReplaced) renameSync(draft, target)
  } catch (error) {
    if (isReplaced) rmSync(draft, { force: true })
    throw systemCode(error) === undefined ? error : untried(`${path} cannot be written.`)
  }
}

export function makePrivateFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
  } catch {
    throw untried(`${path} cannot be made.`)
  }
}

/** Writes a file as a whole, in a folder, that only this user may read. */
export function writePrivately(path: string, content: string): void {
  makePrivateFolder(dirname(path))
  writeBeside(path, path, content, 0o600)
}

/** Without rights, what is there is written to, and not replaced. */
function writeBeside(path: string, target: string, content: string | Uint8Array, mode?: number): void {
  const draft = mode === undefined ? target : `${target}.${process.pid}.draft`
  try {
    writeFileSync(draft, content, { mode })
    if (draft !== target) renameSync(draft, target)
  } catch {
    if (draft !== target) rmSync(draft, { force: true })
    throw untried(`${path} cannot be written.`)
  }
}
