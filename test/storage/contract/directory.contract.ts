import { expect } from 'vitest'
import type { UserFilter } from '../../../src/directory/store.ts'
import { beginsWith } from '../../../src/directory/users/user-search.ts'
import {
  addPeople,
  aKey,
  anId,
  aPortal,
  aRole,
  aUser,
  everything,
  type OpenStorage,
  otherPortal,
  testOn,
  totalAnd,
} from './records.ts'

/** Portals, users and roles. Groups have a contract of their own. */
export function directoryContract(open: OpenStorage): void {
  const test = testOn(open, addPeople)

  test('a key pair is replaced only if its private key is sealed as expected', async ({ directory }) => {
    const { portalId } = aPortal()
    const renewed = { publicKey: '{"renewed":true}', sealedPrivateKey: 'sealed anew' }
    const replace = (from: string) => directory.replaceKey(portalId, from, renewed)
    expect(await replace('sealed otherwise')).toBe(false)
    expect(await replace(aKey.sealedPrivateKey)).toBe(true)
    expect(await directory.findPortalKey(portalId)).toEqual(renewed)
    expect(await directory.findPortalKey(otherPortal.portalId)).toEqual(aKey)
  })

  test('private keys are listed in the order of portals, and replaced only if they are sealed as expected', async ({
    directory,
  }) => {
    const { portalId } = aPortal()
    const replace = (id: string, from: string) => directory.replaceSealedKey(id, from, 'sealed again')
    const other = { portalId: otherPortal.portalId, sealedPrivateKey: aKey.sealedPrivateKey }
    const listKeys = () => directory.listPortalKeys()
    const sorted = (...keys: readonly (typeof other)[]) =>
      keys.toSorted((one, next) => (one.portalId < next.portalId ? -1 : 1))
    expect(await listKeys()).toEqual(sorted(other, { ...other, portalId }))
    expect(await replace(portalId, 'sealed otherwise')).toBe(false)
    expect(await replace('nowhere', aKey.sealedPrivateKey)).toBe(false)
    expect(await replace(portalId, aKey.sealedPrivateKey)).toBe(true)
    expect(await replace(portalId, aKey.sealedPrivateKey)).toBe(false)
    expect(await listKeys()).toEqual(sorted(other, { portalId, sealedPrivateKey: 'sealed again' }))
    expect(await directory.findPortalKey(portalId)).toEqual({ ...aKey, sealedPrivateKey: 'sealed again' })
    expect((await directory.findPortal(portalId))?.name).toBe(aPortal().name)
  })

  test('the default portal is the first one that was made', async () => {
    const storage = await open()
    await storage.directory.addPortal(otherPortal, aKey)
    expect(await storage.directory.hasOtherPortal(otherPortal.portalId)).toBe(false)
    expect(await storage.directory.hasOtherPortal(aPortal().portalId)).toBe(true)
    await storage.directory.addPortal(aPortal(), aKey)
    expect((await storage.directory.findDefaultPortal())?.portalId).toBe(aPortal().portalId)
    expect((await storage.directory.listPortals()).map(({ name }) => name)).toEqual([
      'Ministry of Maps',
      'Institute of Seas',
    ])
  })

  test('a second portal with the same short name is refused', async ({ directory }) => {
    const twin = aPortal({ portalId: 'PortalTwin000003' })
    expect(await directory.hasUrlKey(twin.urlKey)).toBe(true)
    expect(await directory.hasUrlKey('another')).toBe(false)
    await expect(directory.addPortal(twin, aKey)).rejects.toThrow()
  })

  test('a user is found whatever the case of the name', async ({ directory }) => {
    await directory.addUser(aUser({ userId: anId(2), username: 'BertHa' }), 'hash')
    for (const username of ['BertHa', 'bertha', 'BERTHA']) {
      const user = await directory.findUser(username)
      expect(user?.username).toBe('BertHa')
    }
  })

  test('a new password replaces the old one of that user alone', async ({ directory }) => {
    await directory.addUser(aUser({ userId: anId(2), username: 'bert' }), 'of bert')
    await directory.putPasswordHash(anId(1), 'of anna')
    expect(await directory.findPasswordHash(anId(1))).toBe('of anna')
    expect(await directory.findPasswordHash(anId(2))).toBe('of bert')
  })

  test('users are listed by portal, in the order of their names whatever the case, page by page', async ({
    directory,
  }) => {
    for (const [index, username] of ['Zoe', 'bert', 'Carl', 'dora'].entries()) {
      await directory.addUser(aUser({ userId: anId(index + 2), username }), 'hash')
    }
    await directory.addUser(aUser({ userId: anId(9), username: 'berta', portalId: otherPortal.portalId }), 'hash')
    const list = async (portalId: string, start: number, num: number) =>
      totalAnd(await directory.listUsers(portalId, { start, num }), ({ username }) => username)
    expect(await list('PortalOfMaps0001', 1, 3)).toEqual([5, 'anna', 'bert', 'Carl'])
    expect(await list('PortalOfMaps0001', 4, 3)).toEqual([5, 'dora', 'Zoe'])
    expect(await list('PortalOfMaps0001', 6, 3)).toEqual([5])
    expect(await list('PortalOfMaps0001', 1, 0)).toEqual([5])
    expect(await list(otherPortal.portalId, 1, 3)).toEqual([1, 'berta'])
  })

  test('private users are left out of the list of another user', async ({ directory }) => {
    await directory.updateUser(aUser({ access: 'private' }))
    await directory.addUser(aUser({ userId: anId(2), username: 'bert', access: 'private' }), 'hash')
    await directory.addUser(aUser({ userId: anId(3), username: 'carl', access: 'org' }), 'hash')
    await directory.addUser(aUser({ userId: anId(4), username: 'dora', access: 'public' }), 'hash')
    const list = async (seenBy: string | undefined) =>
      totalAnd(await directory.listUsers('PortalOfMaps0001', everything, { seenBy }), ({ username }) => username)
    expect(await list(anId(2))).toEqual([3, 'bert', 'carl', 'dora'])
    expect(await list(undefined)).toEqual([4, 'anna', 'bert', 'carl', 'dora'])
  })

  test('users are listed by the beginnings of what they are called, and by their provider', async ({ directory }) => {
    const bert = { userId: anId(2), username: 'bert', fullName: 'Éva Ödön', email: 'Info@Maps.example' }
    await directory.addUser(aUser({ ...bert, providerUsername: 'b' }), 'hash')
    await directory.addUser(aUser({ userId: anId(3), username: 'eva', fullName: 'Carl' }), 'hash')
    const list = async (filter: UserFilter) =>
      totalAnd(await directory.listUsers('PortalOfMaps0001', everything, filter), ({ username }) => username)
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

  test('enabled default administrators of one portal are counted', async ({ directory }) => {
    const admin = { role: 'org_admin' }
    await directory.addUser(aUser({ ...admin, userId: anId(2), username: 'bert' }), 'hash')
    await directory.addUser(aUser({ ...admin, userId: anId(3), username: 'carl', disabled: true }), 'hash')
    await directory.addUser(
      aUser({ ...admin, userId: anId(4), username: 'dora', portalId: otherPortal.portalId }),
      'hash',
    )
    expect(await directory.countAdministrators('PortalOfMaps0001')).toBe(1)
  })

  test('roles are listed by portal, in the order of their names, and of their ids where names are the same', async ({
    directory,
  }) => {
    await directory.addRole(aRole({ roleId: 'c', name: 'Editor' }))
    await directory.addRole(aRole({ roleId: 'b', name: 'Curator' }))
    await directory.addRole(aRole({ roleId: 'a', name: 'Editor' }))
    await directory.addRole(aRole({ roleId: 'd', name: 'Editor', portalId: otherPortal.portalId }))
    const page = async (start: number, num: number) =>
      totalAnd(await directory.listRoles('PortalOfMaps0001', { start, num }), ({ roleId }) => roleId)
    expect(await page(1, 2)).toEqual([3, 'b', 'a'])
    expect(await page(3, 2)).toEqual([3, 'c'])
  })

  test('users with a role are counted', async ({ directory }) => {
    await directory.addRole(aRole())
    for (const number of [2, 3]) {
      const user = aUser({ userId: anId(number), username: `user${number}`, role: aRole().roleId })
      await directory.addUser(user, 'hash')
    }
    expect(await directory.countUsersWithRole(aRole().roleId)).toBe(2)
  })

  test('a user of a portal that does not exist is refused', async ({ directory }) => {
    const orphan = aUser({ userId: anId(2), username: 'bert', portalId: 'nowhere' })
    await expect(directory.addUser(orphan, 'hash')).rejects.toThrow()
    expect(await directory.findUser('bert')).toBeUndefined()
  })
}
