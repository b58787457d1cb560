import { expect, onTestFinished, test } from 'vitest'
import { openConnection } from '../../../src/storage/sqlite/file.ts'
import { openSqlite } from '../../../src/storage/sqlite/sqlite.ts'
import { addPeople, aGroup, anId, aPortal, aUser } from '../contract/records.ts'
import { temporaryFile } from './temporary-file.ts'

test('a read whose answers are of two moments is done again, so that all are of one', async () => {
  const file = temporaryFile()
  const storage = await openSqlite(file)
  onTestFinished(() => storage.close())
  await addPeople(storage)
  await storage.write(({ directory }) => directory.addGroup(aGroup()))
  const outside = openConnection(file)
  onTestFinished(() => void outside.close())
  let times = 0
  const seen = await storage.read(async ({ directory }) => {
    times += 1
    const group = await directory.findGroupFor(aGroup().groupId, undefined)
    if (times <= 3) {
      outside.exec(`update groups set title = 'Title ${times}'; update portals set description = 'Text ${times}'`)
    }
    const portal = await directory.findPortal(aPortal().portalId)
    return [group?.group.title, portal?.description]
  })
  expect(seen).toEqual(['Title 3', 'Text 3'])
  expect(times).toBe(4)
})

test('so is one that was refused for what it saw', async () => {
  const file = temporaryFile()
  const storage = await openSqlite(file)
  onTestFinished(() => storage.close())
  await addPeople(storage)
  const outside = openConnection(file)
  onTestFinished(() => void outside.close())
  let times = 0
  const reading = storage.read(async ({ directory }) => {
    times += 1
    const before = await directory.findUser('anna')
    if (times === 1) outside.exec("update users set full_name = 'Anna Anew'")
    const after = await directory.findUserById(aUser({ userId: anId(1) }).userId)
    if (before?.fullName !== after?.fullName) throw new Error('two moments')
    return after?.fullName
  })
  expect(await reading).toBe('Anna Anew')
})
