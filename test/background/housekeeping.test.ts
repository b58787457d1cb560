import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { runHousekeeping } from '../../src/background/housekeeping.ts'
import { readConfig } from '../../src/config.ts'
import { openServer } from '../../src/server.ts'
import { settingsFor } from '../cli/filled-database.ts'
import { temporaryFile } from '../storage/sqlite/temporary-file.ts'
import { cheapPasswords, startPortal, TestPortal } from '../support/portal/portal.ts'

const settings = { signInLimit: { failures: 10, minutes: 15 } }

test('a step of housekeeping that fails keeps no other one from being done, and each failure is reported', async () => {
  await using portal = await startPortal({ isReused: false })
  const { dependencies } = portal.server
  const { storage } = dependencies
  const asked: string[] = []
  const failing = ['sumUpItemCounts', 'removeExpiredTokens']
  const write: typeof storage.write = async (command) => {
    asked.push(command.operation)
    if (failing.includes(command.operation)) throw new Error(command.operation)
    return storage.write(command)
  }
  const failures: string[] = []
  const house = { ...dependencies, settings, storage: { ...storage, write } }
  await runHousekeeping(house, { onFailure: (error) => failures.push((error as Error).message) })
  expect(failures).toEqual(failing)
  expect(asked).toEqual(expect.arrayContaining(['removeOldGroupRequests', 'removeOldJobs', 'indexLog', 'putChecksums']))
  await expect(runHousekeeping(house)).rejects.toThrow('sumUpItemCounts')
})

test('housekeeping writes nothing where nothing has changed', async () => {
  const file = temporaryFile()
  const config = readConfig(settingsFor(`file:${file}`))
  await using portal = new TestPortal(await openServer(config, { passwords: cheapPasswords }), { now: Date.now() })
  const anna = await portal.user('anna')
  await anna.post('/content/users/anna/addItem', { title: 'Wells', type: 'Web Map' })
  const keep = () => runHousekeeping({ ...portal.server.dependencies, settings })
  await keep()
  await keep()
  const other = new Database(file, { readonly: true })
  const version = () => other.pragma('data_version', { simple: true })
  const before = version()
  await keep()
  expect(version()).toBe(before)
  other.close()
})
