import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { StorageUnavailable } from '../storage.ts'

/** File beside a backup that has its SHA-256, as `sha256sum` writes and compares it. */
export function checksumFileOf(path: string): string {
  return `${path}.sha256`
}

/** Writes the SHA-256 of a file that gets the name `path` afterwards. */
export async function writeChecksum(file: string, path: string): Promise<void> {
  const line = `${await digestOf(file)}  ${basename(path)}\n`
  await writeFile(checksumFileOf(path), line, { mode: 0o600, flush: true })
}

/** Throws StorageUnavailable where a backup is not what was written. Resolves with false where there is no SHA-256 beside it. */
export async function requireChecksum(path: string): Promise<boolean> {
  const line = await readFile(checksumFileOf(path), 'utf8').catch(() => undefined)
  if (line === undefined) return false
  if (line.split(/\s/, 1)[0] === (await digestOf(path))) return true
  throw new StorageUnavailable(
    `The backup ${path} is not what was written, as the SHA-256 in ${checksumFileOf(path)} says: take another one.`,
  )
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const bytes of createReadStream(path)) hash.update(bytes as Buffer)
  return hash.digest('hex')
}
