import { linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { random } from './random.ts'

/** The secret in the file; where there is no file yet, a new one that only the owner may read (mode 0600). */
export function readSecretFile(path: string): string {
  const found = findSecret(path)
  if (found !== undefined) return found
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${random.id()}`
  try {
    writeFileSync(draft, `${random.token()}\n`, { mode: 0o600, flush: true })
    // Appears whole or not at all, and never in place of another process's.
    linkSync(draft, path)
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return readFileSync(path, 'utf8').trim()
}

/** The secret in the file; undefined where there is no file. */
export function findSecret(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** A warning if others than the owner may use the file; undefined if not, or if there is no file. */
export function findExposure(path: string): string | undefined {
  const mode = (statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o777
  if ((mode & 0o077) === 0) return undefined
  return `Others than its owner may use the file of the secret (mode ${mode.toString(8)}): chmod 600 ${resolve(path)}.`
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
