import { expect, test } from 'vitest'
import type { UserFilter } from '../../../src/directory/store.ts'
import { beginsWith } from '../../../src/directory/users/user-search.ts'
import {
  addPeople,
  aKey,
  anId,
  aPortal,
  aRole,
  aUser,
  endOfTime,
  everything,
  noon,
  type OpenStorage,
  otherPortal,
  strangeTexts,
} from './records.ts'

/** Portals, users and roles. Groups have a contract of their own. */
export function directoryContract(open: OpenStorage): void {
  test('what is not there is undefined', async () => {
    const storage = await open()
    await storage.read(async ({ directory }) => {
      expect(await directory.findPortal('unknown')).toBeUndefined()
      expect(await directory.findDefaultPortal()).toBeUndefined()
      expect(await directory.findPortalKey('unknown')).toBeUndefined()
      expect(await directory.findUser('unknown')).toBeUndefined()
      expect(await directory.findUserById('unknown')).toBeUndefined()
      expect(await directory.findPasswordHash('unknown')).toBeUndefined()
      expect(await directory.findRole('unknown')).toBeUndefined()
      expect(await directory.listUsers('unknown', everything)).toEqual({ total: 0, entries: [] })
      expect(await directory.listRoles('unknown', everything)).toEqual({ total: 0, entries: [] })
      expect(await directory.countAdministrators('unknown')).toBe(0)
      expect(await directory.countUsersWithRole('unknown')).toBe(0)
    })
  })

  test('a portal is given back as it was added, with its key', async () => {
    const storage = await open()
    const portal = aPortal({ access: 'public', createdAt: endOfTime, modifiedAt: 0 })
    const key = { publicKey: '{"x":"✓"}', sealedPrivateKey: 'abc' }
    await storage.write(({ directory }) => directory.addPortal(portal, key))
    await storage.read(async ({ directory }) => {
      expect(await directory.findPortal(portal.portalId)).toEqual({ ...portal, hasCategorySchema: false })
      expect(await directory.findPortalKey(portal.portalId)).toEqual(key)
      expect(await directory.hasUrlKey(portal.urlKey)).toBe(true)
      expect(await directory.hasUrlKey('another')).toBe(false)
    })
  })

  test('a changed portal keeps its key', async () => {
    const storage = await open()
    await addPeople(storage)
    const changed = aPortal({ name: 'Renamed', description: 'Maps', access: 'public', modifiedAt: noon + 5 })
    await storage.write(({ directory }) => directory.updatePortal(changed))
    await storage.read(async ({ directory }) => {
      expect(await directory.findPortal(changed.portalId)).toEqual({ ...changed, hasCategorySchema: false })
      expect(await directory.findPortalKey(changed.portalId)).toEqual(aKey)
      expect((await directory.findPortal(otherPortal.portalId))?.name).toBe(otherPortal.name)
    })
  })

  test('a key pair is replaced only if its private key is sealed as expected', async () => {
    const storage = await open()
    await addPeople(storage)
    const { portalId } = aPortal()
    const renewed = { publicKey: '{"renewed":true}', sealedPrivateKey: 'sealed anew' }
    const replace = (from: string) => storage.write(({ directory }) => directory.replaceKey(portalId, from, renewed))
    expect(await replace('sealed otherwise')).toBe(false)
    expect(await replace(aKey.sealedPrivateKey)).toBe(true)
    await storage.read(async ({ directory }) => {
      expect(await directory.findPortalKey(portalId)).toEqual(renewed)
      expect(await directory.findPortalKey(otherPortal.portalId)).toEqual(aKey)
    })
  })

  test('private keys are listed in the order of portals, and replaced only if they are sealed as expected', async () => {
    const storage = await open()
    await addPeople(storage)
    const { portalId } = aPortal()
    const replace = (id: string, from: string) =>
      storage.write(({ directory }) => directory.replaceSealedKey(id, from, 'sealed again'))
    const other = { portalId: otherPortal.portalId, sealedPrivateKey: aKey.sealedPrivateKey }
    const listKeys = () => storage.read(({ directory }) => directory.listPortalKeys())
    const sorted = (...keys: readonly (typeof other)[]) =>
      keys.toSorted((one, next) => (one.portalId < next.portalId ? -1 : 1))
    expect(await listKeys()).toEqual(sorted(other, { ...other, portalId }))
    expect(await replace(portalId, 'sealed otherwise')).toBe(false)
    expect(await replace('nowhere', aKey.sealedPrivateKey)).toBe(false)
    expect(await replace(portalId, aKey.sealedPrivateKey)).toBe(true)
    expect(await replace(portalId, aKey.sealedPrivateKey)).toBe(false)
    expect(await listKeys()).toEqual(sorted(other, { portalId, sealedPrivateKey: 'sealed again' }))
    await storage.read(async ({ directory }) => {
      expect(await directory.findPortalKey(portalId)).toEqual({ ...aKey, sealedPrivateKey: 'sealed again' })
      expect((await directory.findPortal(portalId))?.name).toBe(aPortal().name)
    })
  })

  test('the default portal is the first one that was made', async () => {
    const storage = await open()
    await storage.write(({ directory }) => directory.addPortal(otherPortal, aKey))
    await storage.read(async ({ directory }) => {
      expect(await directory.hasOtherPortal(otherPortal.portalId)).toBe(false)
      expect(await directory.hasOtherPortal(aPortal().portalId)).toBe(true)
    })
    await storage.write(({ directory }) => directory.addPortal(aPortal(), aKey))
    await storage.read(async ({ directory }) => {
      expect((await directory.findDefaultPortal())?.portalId).toBe(aPortal().portalId)
      expect((await directory.listPortals()).map(({ name }) => name)).toEqual(['Ministry of Maps', 'Institute of Seas'])
    })
  })

  test('a second portal with the same short name is refused', async () => {
    const storage = await open()
    await addPeople(storage)
    const twin = aPortal({ portalId: 'PortalTwin000003' })
    await expect(storage.write(({ directory }) => directory.addPortal(twin, aKey))).rejects.toThrow()
  })

  test('a user is given back as it was added', async () => {
    const storage = await open()
    await addPeople(storage)
    const user = aUser({ userId: anId(2), username: 'Bert', disabled: true, access: 'public', lastSignInAt: endOfTime })
    await storage.write(({ directory }) => directory.addUser(user, 'hash of bert'))
    await storage.read(async ({ directory }) => {
      expect(await directory.findUserById(anId(2))).toStrictEqual(user)
      expect(await directory.findUserById(anId(1))).toStrictEqual(aUser())
      expect(await directory.findPasswordHash(anId(2))).toBe('hash of bert')
    })
  })

  test('a user is found whatever the case of the name', async () => {
    const storage = await open()
    await addPeople(storage)
    await storage.write(({ directory }) => directory.addUser(aUser({ userId: anId(2), username: 'BertHa' }), 'hash'))
    for (const username of ['BertHa', 'bertha', 'BERTHA']) {
      const user = await storage.read(({ directory }) => directory.findUser(username))
      expect(user?.username).toBe('BertHa')
    }
  })

  test('texts stay as they were, byte for byte', async () => {
    const storage = await open()
    await addPeople(storage)
    for (const [index, text] of strangeTexts.entries()) {
      const user = aUser({ userId: anId(10 + index), username: `user${index}`, fullName: text, description: text })
      await storage.write(({ directory }) => directory.addUser(user, text))
      expect(await storage.read(({ directory }) => directory.findUserById(user.userId))).toStrictEqual(user)
      expect(await storage.read(({ directory }) => directory.findPasswordHash(user.userId))).toBe(text)
    }
  })

  test('a changed user keeps the password', async () => {
    const storage = await open()
    await addPeople(storage)
    const changed = aUser({ fullName: 'Anna Berg', role: 'org_admin', disabled: true, lastSignInAt: noon + 7 })
    await storage.write(({ directory }) => directory.updateUser(changed))
    await storage.read(async ({ directory }) => {
      expect(await directory.findUserById(anId(1))).toStrictEqual(changed)
      expect(await directory.findPasswordHash(anId(1))).toBe('hash')
    })
  })

  test('a new password replaces the old one of that user alone', async () => {
    const storage = await open()
    await addPeople(storage)
    await storage.write(async ({ directory }) => {
      await directory.addUser(aUser({ userId: anId(2), username: 'bert' }), 'of bert')
      await directory.putPasswordHash(anId(1), 'of anna')
    })
    await storage.read(async ({ directory }) => {
      expect(await directory.findPasswordHash(anId(1))).toBe('of anna')
      expect(await directory.findPasswordHash(anId(2))).toBe('of bert')
    })
  })

  test('a removed user is gone', async () => {
    const storage = await open()
    await addPeople(storage)
    await storage.write(({ directory }) => directory.removeUser(anId(1)))
    await storage.read(async ({ directory }) => {
      expect(await directory.findUser('anna')).toBeUndefined()
      expect(await directory.findPasswordHash(anId(1))).toBeUndefined()
    })
  })

  test('users are listed by portal, in the order of their names whatever the case, page by page', async () => {
    const storage = await open()
    await addPeople(storage)
    await storage.write(async ({ directory }) => {
      for (const [index, username] of ['Zoe', 'bert', 'Carl', 'dora'].entries()) {
        await directory.addUser(aUser({ userId: anId(index + 2), username }), 'hash')
      }
      await directory.addUser(aUser({ userId: anId(9), username: 'berta', portalId: otherPortal.portalId }), 'hash')
    })
    const list = (portalId: string, start: number, num: number) =>
      storage.read(async ({ directory }) => {
        const { total, entries } = await directory.listUsers(portalId, { start, num })
        return { total, names: entries.map(({ username }) => username) }
      })
    expect(await list('PortalOfMaps0001', 1, 3)).toEqual({ total: 5, names: ['anna', 'bert', 'Carl'] })
    expect(await list('PortalOfMaps0001', 4, 3)).toEqual({ total: 5, names: ['dora', 'Zoe'] })
    expect(await list('PortalOfMaps0001', 6, 3)).toEqual({ total: 5, names: [] })
    expect(await list('PortalOfMaps0001', 1, 0)).toEqual({ total: 5, names: [] })
    expect(await list(otherPortal.portalId, 1, 3)).toEqual({ total: 1, names: ['berta'] })
  })

  test('private users are left out of the list of another user', async () => {
    const storage = await open()
    await addPeople(storage)
    await storage.write(async ({ directory }) => {
      await directory.updateUser(aUser({ access: 'private' }))
      await directory.addUser(aUser({ userId: anId(2), username: 'bert', access: 'private' }), 'hash')
      await directory.addUser(aUser({ userId: anId(3), username: 'carl', access: 'org' }), 'hash')
      await directory.addUser(aUser({ userId: anId(4), username: 'dora', access: 'public' }), 'hash')
    })
    const list = (seenBy: string | undefined) =>
      storage.read(async ({ directory }) => {
        const { total, entries } = await directory.listUsers('PortalOfMaps0001', everything, { seenBy })
        return [total, ...entries.map(({ username }) => username)]
      })
    expect(await list(anId(2))).toEqual([3, 'bert', 'carl', 'dora'])
    expect(await list(undefined)).toEqual([4, 'anna', 'bert', 'carl', 'dora'])
  })

  test('users are listed by the beginnings of what they are called, and by their provider', async () => {
    const storage = await open()
    await addPeople(storage)
    await storage.write(async ({ directory }) => {
      const bert = { userId: anId(2), username: 'bert', fullName: 'Éva Ödön', email: 'Info@Maps.example' }
      await directory.addUser(aUser({ ...bert, providerUsername: 'b' }), 'hash')
      await directory.addUser(aUser({ userId: anId(3), username: 'eva', fullName: 'Carl' }), 'hash')
    })
    const list = (filter: UserFilter) =>
      storage.read(async ({ directory }) => {
        const { total, entries } = await directory.listUsers('PortalOfMaps0001', everything, filter)
        return [total, ...entries.map(({ username }) => username)]
      })
    const begin = (given: Parameters<typeof beginsWith>[0], isEach = false) =>
      list({ condition: beginsWith(given, isEach) })
    expect(await begin({ fullname: 'EVA O' })).toEqual([1, 'bert'])
    expect(await begin({ fullname: 'odon' })).toEqual([0])
    expect(await begin({ fullname: 'eva', username: 'Eva' })).toEqual([2, 'bert', 'eva'])
    expect(await begin({ fullname: 'eva', username: 'eva' }, true)).toEqual([0])
    expect(await begin({ email: 'info@', lastname: ' ' }, true)).toEqual([1, 'bert'])
    expect(await begin({ username: '\u0301' })).toEqual([0])
    expect(await begin({})).toEqual([3, 'anna', 'bert', 'eva'])
    expect(await list({ provider: 'enterprise' })).toEqual([1, 'bert'])
    expect(await list({ provider: 'arcgis', condition: beginsWith({ username: 'an' }, false) })).toEqual([1, 'anna'])
  })

  test('enabled default administrators of one portal are counted', async () => {
    const storage = await open()
    await addPeople(storage)
    await storage.write(async ({ directory }) => {
      const admin = { role: 'org_admin' }
      await directory.addUser(aUser({ ...admin, userId: anId(2), username: 'bert' }), 'hash')
      await directory.addUser(aUser({ ...admin, userId: anId(3), username: 'carl', disabled: true }), 'hash')
      await directory.addUser(
        aUser({ ...admin, userId: anId(4), username: 'dora', portalId: otherPortal.portalId }),
        'hash',
      )
    })
    expect(await storage.read(({ directory }) => directory.countAdministrators('PortalOfMaps0001'))).toBe(1)
  })

  test('a role is given back as it was added, and as it was changed', async () => {
    const storage = await open()
    await addPeople(storage)
    await storage.write(({ directory }) => directory.addRole(aRole()))
    expect(await storage.read(({ directory }) => directory.findRole(aRole().roleId))).toEqual(aRole())
    const changed = aRole({ name: strangeTexts[0], privileges: [], modifiedAt: endOfTime })
    await storage.write(({ directory }) => directory.updateRole(changed))
    expect(await storage.read(({ directory }) => directory.findRole(aRole().roleId))).toEqual(changed)
    await storage.write(({ directory }) => directory.removeRole(aRole().roleId))
    expect(await storage.read(({ directory }) => directory.findRole(aRole().roleId))).toBeUndefined()
  })

  test('roles are listed by portal, in the order of their names, and of their ids where names are the same', async () => {
    const storage = await open()
    await addPeople(storage)
    await storage.write(async ({ directory }) => {
      await directory.addRole(aRole({ roleId: 'c', name: 'Editor' }))
      await directory.addRole(aRole({ roleId: 'b', name: 'Curator' }))
      await directory.addRole(aRole({ roleId: 'a', name: 'Editor' }))
      await directory.addRole(aRole({ roleId: 'd', name: 'Editor', portalId: otherPortal.portalId }))
    })
    const page = (start: number, num: number) =>
      storage.read(async ({ directory }) => {
        const { total, entries } = await directory.listRoles('PortalOfMaps0001', { start, num })
        return [total, ...entries.map(({ roleId }) => roleId)]
      })
    expect(await page(1, 2)).toEqual([3, 'b', 'a'])
    expect(await page(3, 2)).toEqual([3, 'c'])
  })

  test('users with a role are counted', async () => {
    const storage = await open()
    await addPeople(storage)
    await storage.write(async ({ directory }) => {
      await directory.addRole(aRole())
      for (const number of [2, 3]) {
        const user = aUser({ userId: anId(number), username: `user${number}`, role: aRole().roleId })
        await directory.addUser(user, 'hash')
      }
    })
    expect(await storage.read(({ directory }) => directory.countUsersWithRole(aRole().roleId))).toBe(2)
  })

  test('a user of a portal that does not exist is refused', async () => {
    const storage = await open()
    const orphan = aUser({ portalId: 'nowhere' })
    await expect(storage.write(({ directory }) => directory.addUser(orphan, 'hash'))).rejects.toThrow()
    expect(await storage.read(({ directory }) => directory.findUser('anna'))).toBeUndefined()
  })
}
