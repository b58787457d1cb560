import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Config } from '../config.ts'

/** Files beside a SQLite database in which the first start leaves what is shown once: the password, and the link. */

type Ending = 'password' | 'first-run'

type Database = Config['database']

export function isFile(database: Database): database is Database & { readonly engine: 'sqlite' } {
  return database.engine === 'sqlite' && database.file !== ':memory:'
}

/** The path of the file; undefined where none can be made. */
export function writeFirstRunFile(database: Database, ending: Ending, secret: string): string | undefined {
  if (!isFile(database)) return undefined
  const path = `${database.file}.${ending}`
  try {
    // A file that is there belongs to another database, and others may read it.
    writeFileSync(path, `${secret}\n`, { flag: 'wx', mode: 0o600 })
    return path
  } catch {
    return undefined
  }
}

/**
 * Removes both files once the link of this secret is used: neither is of use any more. The start that writes a link has written
 * the password, too.
 */
export function removeFirstRunFiles(database: Database, secret: string): void {
  if (!isFile(database)) return
  try {
    const link = readFileSync(`${database.file}.first-run`, 'utf8').trimEnd()
    if (!link.endsWith(`#${secret}`)) return
    rmSync(`${database.file}.password`, { force: true })
    rmSync(`${database.file}.first-run`)
  } catch {
    // There is no file, or it may not be removed: what is in it opens nothing.
  }
}
