import { readFileSync, writeFileSync } from 'node:fs'
import Database from 'better-sqlite3'

/** Zeros in place of an index. */
export function damage(file: string): void {
  const database = new Database(file)
  const page = database
    .prepare("select rootpage from sqlite_schema where name = 'users_by_role'")
    .pluck()
    .get() as number
  const size = database.pragma('page_size', { simple: true }) as number
  database.close()
  const bytes = readFileSync(file)
  bytes.fill(0, (page - 1) * size, page * size)
  writeFileSync(file, bytes)
}
