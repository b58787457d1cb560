import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { openKysely } from '../../../src/storage/sqlite/dialect.ts'
import { openSqlite } from '../../../src/storage/sqlite/sqlite.ts'
import type { StartNotices } from '../../../src/storage/storage.ts'
import { migrate } from '../../../src/storage/tables/migrate.ts'
import { migrations } from '../../../src/storage/tables/migrations/migrations.ts'
import { runWork } from '../work-storage.ts'
import { temporaryFile } from './temporary-file.ts'

const prepareThread = new URL('../../../bin/prepare-thread.mjs', import.meta.url)

/** A file with the tables of before this migration. */
async function earlierFile(before: string): Promise<string> {
  const file = temporaryFile()
  const database = new Database(file)
  await migrate(openKysely(database), Object.fromEntries(Object.entries(migrations).filter(([name]) => name < before)))
  database.close()
  return file
}

async function open(file: string, notices: StartNotices) {
  const storage = await openSqlite(file, runWork, { prepareThread, notices })
  onTestFinished(() => storage.close())
  return storage
}

test('tables of an earlier version are changed in a thread, which says when it begins and when it has ended', async () => {
  const file = await earlierFile('039')
  const said: string[] = []
  const done: string[] = []
  const storage = await open(file, { say: (sentence) => said.push(sentence), doing: (sentence) => done.push(sentence) })
  await storage.ping()
  const many = Object.keys(migrations).filter((name) => name >= '039').length
  expect(said).toEqual([
    expect.stringMatching(`^The tables are changed for this version: ${many} migrations, 0 items\\.`),
    expect.stringMatching(/^The tables are those of this version, after \d+ s\.$/),
  ])
  expect(done[0]).toBe(`Changing the tables: migration 039-item-history, 1 of ${many}.`)
})

test('the thread ends between two steps when the process is asked to end, and with the error of a migration', async () => {
  const file = await earlierFile('039')
  await expect(open(file, { signal: AbortSignal.abort() })).rejects.toThrow(/^Ended while the tables were changed/)
  await (await open(file, {})).ping()
  const broken = await earlierFile('041')
  const database = new Database(broken)
  database.exec('create table schema_drafts (other text)')
  database.close()
  await expect(open(broken, {})).rejects.toThrow(
    /^The database could not be migrated, in migration 041-schema-drafts: .*already exists\.$/,
  )
})
