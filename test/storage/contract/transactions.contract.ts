import { expect, test } from 'vitest'
import { StorageUnavailable, type Stores } from '../../../src/storage/storage.ts'
import type { WorkStorage } from '../work-storage.ts'
import {
  aCollaboration,
  addPeople,
  aFailure,
  aGroup,
  aKey,
  anAuditEntry,
  anId,
  aPortal,
  aRole,
  aUser,
  everything,
  noon,
  type OpenStorage,
} from './records.ts'

function description(storage: WorkStorage): Promise<string | undefined> {
  return storage.read(async ({ directory }) => (await directory.findPortal('PortalOfMaps0001'))?.description)
}

/** All of the work or nothing, one transaction after the other. */
export function transactionsContract(open: OpenStorage): void {
  test('an empty storage answers, and knows no portal', async () => {
    const storage = await open()
    await expect(storage.ping()).resolves.toBeUndefined()
    expect(await storage.read(({ directory }) => directory.listPortals())).toEqual([])
  })

  test('work answers what it returns', async () => {
    const storage = await open()
    expect(await storage.write(async () => 'written')).toBe('written')
    expect(await storage.read(async () => 'read')).toBe('read')
  })

  test('work that throws leaves nothing behind in any room, and its error comes through as it is', async () => {
    const storage = await open()
    await addPeople(storage)
    const failure = new Error('the last step')
    const work = storage.write(async ({ directory, categories, collaborations, tokens, audit }) => {
      await directory.updatePortal(aPortal({ name: 'Renamed' }))
      await directory.addUser(aUser({ userId: anId(2), username: 'bert' }), 'hash')
      await directory.addRole(aRole())
      await directory.addGroup(aGroup())
      await directory.putMember(anId(100), { userId: anId(1), memberType: 'owner', joinedAt: noon })
      await categories.putDocument({ kind: 'group', groupId: anId(100) }, '{}', 'anna', noon)
      await collaborations.addCollaboration(aCollaboration())
      await tokens.addToken({ tokenHash: 'a', userId: anId(1), createdAt: noon, expiresAt: noon })
      await tokens.addFailure(aFailure())
      await audit.add(anAuditEntry())
      throw failure
    })
    await expect(work).rejects.toBe(failure)
    await storage.read(async ({ directory, collaborations, tokens }) => {
      expect((await directory.findPortal('PortalOfMaps0001'))?.name).toBe('Ministry of Maps')
      expect(await directory.findUser('bert')).toBeUndefined()
      expect(await directory.findRole(aRole().roleId)).toBeUndefined()
      expect(await directory.findGroup(anId(100))).toBeUndefined()
      expect(await directory.listMembers(anId(100), 10)).toEqual({ total: 0, entries: [] })
      expect(await collaborations.findCollaboration(anId(200))).toBeUndefined()
      expect(await tokens.findTokenUser('a')).toBeUndefined()
      expect(await tokens.listFailures(aFailure(), 0)).toEqual({ ofAccount: [], ofAddress: [] })
    })
    expect(await storage.recorded.versions({ kind: 'group', groupId: anId(100) })).toEqual([])
    expect(await storage.recorded.entries()).toEqual([])
  })

  test('a statement that the database refuses undoes the whole work', async () => {
    const storage = await open()
    await addPeople(storage)
    const work = storage.write(async ({ directory }) => {
      await directory.updatePortal(aPortal({ name: 'Renamed' }))
      await directory.addUser(aUser({ userId: anId(2), username: 'ANNA' }), 'hash')
    })
    await expect(work).rejects.not.toBeInstanceOf(StorageUnavailable)
    const portal = await storage.read(({ directory }) => directory.findPortal('PortalOfMaps0001'))
    expect(portal?.name).toBe('Ministry of Maps')
  })

  test('after work that failed, the next is done', async () => {
    const storage = await open()
    const refused = storage.write(() => Promise.reject(new Error('refused')))
    await expect(refused).rejects.toThrow('refused')
    await addPeople(storage)
    expect(await description(storage)).toBe('')
  })

  test('work sees what it has written itself', async () => {
    const storage = await open()
    await addPeople(storage)
    const seen = await storage.write(async ({ directory }) => {
      await directory.updatePortal(aPortal({ description: 'new' }))
      return directory.findPortal('PortalOfMaps0001')
    })
    expect(seen?.description).toBe('new')
  })

  test('what is written is seen by the next read', async () => {
    const storage = await open()
    await addPeople(storage)
    for (let number = 1; number <= 30; number += 1) {
      await storage.write(({ directory }) => directory.updatePortal(aPortal({ description: `${number}` })))
      expect(await description(storage)).toBe(`${number}`)
    }
  })

  test('a read never sees what is not committed', async () => {
    const storage = await open()
    await addPeople(storage)
    let seen: Promise<string | undefined> | undefined
    const work = storage.write(async ({ directory }) => {
      await directory.updatePortal(aPortal({ description: 'half done' }))
      seen = description(storage)
      await directory.findPortal('PortalOfMaps0001')
      throw new Error('never mind')
    })
    await expect(work).rejects.toThrow('never mind')
    expect(await seen).toBe('')
  })

  test('concurrent work is done one after the other: no update is lost', async () => {
    const storage = await open()
    await addPeople(storage)
    await storage.write(({ directory }) => directory.updatePortal(aPortal({ description: '0' })))
    const count = async ({ directory }: Stores) => {
      const portal = await directory.findPortal('PortalOfMaps0001')
      await directory.updatePortal(aPortal({ description: `${Number(portal?.description) + 1}` }))
    }
    const works = Array.from({ length: 60 }, () => storage.write(count, performance.now() + 600_000))
    await Promise.all(works)
    expect(await description(storage)).toBe('60')
  })

  test('work that fails among concurrent work takes nothing else down', async () => {
    const storage = await open()
    const works = Array.from({ length: 20 }, (_, number) =>
      storage.write(async ({ audit }) => {
        await audit.add(anAuditEntry({ at: number }))
        if (number % 2 === 1) throw new Error(`odd ${number}`)
      }),
    )
    const results = await Promise.allSettled(works)
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(10)
    const entries = await storage.recorded.entries()
    expect(entries.map(({ at }) => at).toSorted((one, other) => one - other)).toEqual([
      0, 2, 4, 6, 8, 10, 12, 14, 16, 18,
    ])
  })

  test('of racing additions of one name, one is made', async () => {
    const storage = await open()
    await storage.write(({ directory }) => directory.addPortal(aPortal(), aKey))
    const additions = ['anna', 'Anna', 'ANNA'].map((username, index) =>
      storage.write(({ directory }) => directory.addUser(aUser({ userId: anId(index + 1), username }), 'hash')),
    )
    const results = await Promise.allSettled(additions)
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await storage.read(({ directory }) => directory.listUsers('PortalOfMaps0001', everything))).toMatchObject({
      total: 1,
    })
  })

  test('a closed storage is an outage, not a bug, and is closed twice without complaint', async () => {
    const storage = await open()
    await addPeople(storage)
    await storage.close()
    await expect(storage.ping()).rejects.toBeInstanceOf(StorageUnavailable)
    await expect(description(storage)).rejects.toBeInstanceOf(StorageUnavailable)
    await expect(storage.write(({ audit }) => audit.add(anAuditEntry()))).rejects.toBeInstanceOf(StorageUnavailable)
    await storage.close()
  })
}
