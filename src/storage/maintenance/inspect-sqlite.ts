import { realpathSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type Database from 'better-sqlite3'
import { kyselyOnSqlite, openReading, toSqliteRefusal } from '../sqlite/reading.ts'
import { StorageUnavailable } from '../storage.ts'
import { openStores } from '../stores.ts'
import { type CheckResult, type Inspection, ok, problem, warning, wholeLook } from './check-result.ts'
import { inspectRows, listKeys, requireTables } from './inspect-rows.ts'
import { personReader } from './person.ts'
import { findDamage } from './sqlite-copy.ts'

export function inspectSqlite(file: string): Inspection {
  if (file === ':memory:') throw new StorageUnavailable('The database is in memory: only its server can read it.')
  const connection = openReading(file)
  const db = kyselyOnSqlite(connection)
  const path = realpathSync(file)
  return {
    async *findings(now, look = wholeLook) {
      yield ok(`The database ${path} can be read.`)
      yield inspectJournal(connection)
      yield inspectMode(path)
      yield inspectSpace(path)
      try {
        if (!look.isQuick) {
          look.onStage('the file')
          yield* inspectDamage(connection)
        }
        yield* inspectRows(db, now(), look)
      } catch (error) {
        const refusal = toSqliteRefusal(error)
        if (!(refusal instanceof StorageUnavailable)) throw error
        yield problem(`${refusal.message} Restore a backup.`)
      }
    },
    listKeys: () => listKeys(db),
    readers: openStores(db),
    persons: personReader(db),
    requireTables: () => requireTables(db),
    close: async () => void connection.close(),
  }
}

function* inspectDamage(connection: Database.Database): Generator<CheckResult> {
  const damage = findDamage(connection)
  if (damage.length === 0) yield ok('The file is sound, and so are the references between its rows.')
  for (const what of damage) yield problem(`The file is damaged: ${what}. Restore a backup.`)
}

/** The other settings belong to connections; a server checks them on each one. */
function inspectJournal(connection: Database.Database): CheckResult {
  const journal = connection.pragma('journal_mode', { simple: true })
  return journal === 'wal'
    ? ok('What is written is logged first (journal_mode=wal), and each commit waits for the disk.')
    : warning(`The journal mode is ${journal}, as in a restored file; the next start of a server makes it wal.`)
}

function inspectMode(path: string): CheckResult {
  const mode = statSync(path).mode & 0o777
  return (mode & 0o077) === 0
    ? ok('Only its owner may read the file.')
    : warning(`Others than its owner may use the file ${path} (mode ${mode.toString(8)}); chmod 600 it.`)
}

/** A backup, a restored file and a growing log all need space. */
function inspectSpace(path: string): CheckResult {
  const { bavail, bsize } = statfsSync(dirname(path))
  const free = bavail * bsize
  const { size } = statSync(path)
  const what = `${formatBytes(free)} are free beside the database of ${formatBytes(size)}`
  return free < 2 * size ? warning(`${what}: too little for a copy of it and its log.`) : ok(`${what}.`)
}

function formatBytes(bytes: number): string {
  return `${(bytes / 1_000_000).toLocaleString('en', { maximumFractionDigits: 1 })} MB`
}
