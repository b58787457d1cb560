import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { openSqlite } from '../../../src/storage/sqlite/sqlite.ts'
import type { StartNotices } from '../../../src/storage/storage.ts'
import { aKey, anItem, aPortal, aUser } from '../contract/records.ts'
import { openWorkFile, runWork } from '../work-storage.ts'
import { temporaryFile } from './temporary-file.ts'

const prepareThread = new URL('../../../bin/prepare-thread.mjs', import.meta.url)

/** A file with an item and a user, whose index is that of an earlier version; changed by a statement. */
async function earlierFile(statement = ''): Promise<string> {
  const file = temporaryFile()
  const storage = await openWorkFile(file)
  await storage.write(async ({ directory, items }) => {
    await directory.addPortal(aPortal(), aKey)
    await directory.addUser(aUser(), 'hash')
    await items.addItem(anItem())
  })
  await storage.close()
  const database = new Database(file)
  database.exec(`delete from index_version; ${statement}`)
  database.close()
  return file
}

async function open(file: string, notices: StartNotices) {
  const storage = await openSqlite(file, runWork, { prepareThread, notices })
  onTestFinished(() => storage.close())
  return storage
}

test('a database of an earlier version is changed in a thread, which says when it begins and when it has ended', async () => {
  const said: string[] = []
  const done: string[] = []
  const storage = await open(await earlierFile(), {
    say: (sentence) => said.push(sentence),
    doing: (sentence) => done.push(sentence),
  })
  await storage.ping()
  expect(said).toEqual([
    'The index of the search is made for 2 records.',
    expect.stringMatching(/^The tables are those of this version, after \d+ s\.$/),
  ])
  expect(done[0]).toBe('Making the index: 1 of 2 items, groups and users.')
})

test('the thread ends between two steps when the process is asked to end, and with the error of a step', async () => {
  const file = await earlierFile()
  await expect(open(file, { signal: AbortSignal.abort() })).rejects.toThrow(/^Ended while the tables were changed/)
  await (await open(file, {})).ping()
  const broken = await earlierFile('drop trigger item_words_go; drop table item_words')
  await expect(open(broken, {})).rejects.toThrow(/no such table: .*item_words/)
})
