import { expect, test } from 'vitest'
import type { WorkStorage } from '../work-storage.ts'
import {
  addPeople,
  aGroup,
  aNotification,
  anId,
  anInvitationToGroup,
  aUser,
  noon,
  type OpenStorage,
} from './records.ts'

/** Anna's two groups, and Bert and Carl beside her. */
async function openWithGroups(open: OpenStorage): Promise<WorkStorage> {
  const storage = await open()
  await addPeople(storage)
  await storage.write(async ({ directory }) => {
    await directory.addUser(aUser({ userId: anId(2), username: 'bert', fullName: 'Bert Berg' }), 'hash')
    await directory.addUser(aUser({ userId: anId(3), username: 'carl' }), 'hash')
    for (const id of [100, 101]) await directory.addGroup(aGroup({ groupId: anId(id) }))
  })
  return storage
}

const toBert = anInvitationToGroup({ userId: anId(2), inviterId: anId(1) })

/** Invitations to groups, requests to join and notifications. */
export function groupRequestsContract(open: OpenStorage): void {
  test('an invitation is given back with who sent it; put again, it keeps its id', async () => {
    const storage = await openWithGroups(open)
    const find = () => storage.read(({ directory }) => directory.findGroupInvitation(toBert.invitationId))
    const findOf = () => storage.read(({ directory }) => directory.findGroupInvitationOf(anId(100), anId(2)))
    expect(await find()).toBeUndefined()
    expect(await findOf()).toBeUndefined()
    await storage.write(({ directory }) => directory.putGroupInvitation(toBert))
    expect(await findOf()).toStrictEqual(toBert)
    expect(await find()).toMatchObject({ ...toBert, inviterUsername: 'anna' })
    const again = {
      ...toBert,
      inviterId: anId(3),
      memberType: 'admin',
      createdAt: noon + 5,
      expiresAt: noon + 9,
    } as const
    await storage.write(({ directory }) => directory.putGroupInvitation({ ...again, invitationId: anId(999) }))
    expect(await findOf()).toStrictEqual(again)
    expect(await find()).toMatchObject({ ...again, inviterUsername: 'carl' })
    await storage.write(({ directory }) => directory.removeGroupInvitation(toBert.invitationId))
    expect(await find()).toBeUndefined()
  })

  test('invitations are listed newest first and counted, until they expire', async () => {
    const storage = await openWithGroups(open)
    await storage.write(async ({ directory }) => {
      await directory.putGroupInvitation({ ...toBert, expiresAt: noon + 10 })
      const other = { invitationId: anId(501), groupId: anId(101), createdAt: noon + 1, expiresAt: noon + 5 }
      await directory.putGroupInvitation({ ...toBert, ...other, inviterId: anId(3) })
    })
    const list = async (now: number, max = 10) =>
      (await storage.read(({ directory }) => directory.listGroupInvitations(anId(2), now, max))).map(
        ({ invitationId }) => invitationId,
      )
    expect(await list(noon)).toEqual([anId(501), anId(500)])
    expect(await list(noon, 1)).toEqual([anId(501)])
    expect(await list(noon + 5)).toEqual([anId(500)])
    expect(await list(noon + 10)).toEqual([])
    const of = { userId: anId(2), inviterId: anId(1), groupId: anId(101) }
    const count = (now: number) => storage.read(({ directory }) => directory.countGroupInvitations(of, now))
    expect(await count(noon)).toEqual({ ofUser: 2, ofInviter: 1, toGroup: 1 })
    expect(await count(noon + 5)).toEqual({ ofUser: 1, ofInviter: 1, toGroup: 0 })
  })

  test('requests are listed oldest first and counted, with the group too, as far as they are not too old', async () => {
    const storage = await openWithGroups(open)
    const put = (groupId: string, userId: string, createdAt: number) =>
      storage.write(({ directory }) => directory.putGroupApplication({ groupId, userId, createdAt }))
    await put(anId(100), anId(3), noon + 1)
    await put(anId(100), anId(2), noon)
    await put(anId(101), anId(2), noon)
    const list = async (since: number, max = 10) =>
      (await storage.read(({ directory }) => directory.listGroupApplications(anId(100), since, max))).map(
        ({ username, createdAt }) => [username, createdAt],
      )
    expect(await list(noon)).toEqual([
      ['bert', noon],
      ['carl', noon + 1],
    ])
    expect(await list(noon, 1)).toEqual([['bert', noon]])
    expect(await list(noon + 1)).toEqual([['carl', noon + 1]])
    const of = { userId: anId(2), groupId: anId(100) }
    const count = (since: number) => storage.read(({ directory }) => directory.countGroupApplications(of, since))
    expect(await count(noon)).toEqual({ ofUser: 2, toGroup: 2 })
    expect(await count(noon + 1)).toEqual({ ofUser: 0, toGroup: 1 })
    expect(await storage.read(({ directory }) => directory.findGroup(anId(100)))).toMatchObject({ applications: 2 })
    await put(anId(100), anId(2), noon + 7)
    expect(await list(noon + 7)).toEqual([['bert', noon + 7]])
    await storage.write(({ directory }) => directory.removeGroupApplication(anId(100), anId(2)))
    expect(await list(noon)).toEqual([['carl', noon + 1]])
    expect(await storage.read(({ directory }) => directory.findGroupApplication(anId(101), anId(2)))).toBeDefined()
  })

  test('who becomes a member is neither invited nor asks any more', async () => {
    const storage = await openWithGroups(open)
    await storage.write(async ({ directory }) => {
      for (const groupId of [anId(100), anId(101)]) {
        await directory.putGroupInvitation({ ...toBert, groupId, invitationId: groupId })
        await directory.putGroupApplication({ groupId, userId: anId(2), createdAt: noon })
      }
      await directory.putMember(anId(100), { userId: anId(2), memberType: 'member', joinedAt: noon })
    })
    for (const [groupId, isOpen] of [
      [anId(100), false],
      [anId(101), true],
    ] as const) {
      const invitation = storage.read(({ directory }) => directory.findGroupInvitationOf(groupId, anId(2)))
      const application = storage.read(({ directory }) => directory.findGroupApplication(groupId, anId(2)))
      expect([(await invitation) !== undefined, (await application) !== undefined]).toEqual([isOpen, isOpen])
    }
  })

  test.each([
    ['the group', (storage: WorkStorage) => storage.write(({ directory }) => directory.removeGroup(anId(100), noon))],
    ['the user', (storage: WorkStorage) => storage.write(({ directory }) => directory.removeUser(anId(2)))],
  ])('what is open goes with %s', async (_, remove) => {
    const storage = await openWithGroups(open)
    await storage.write(async ({ directory }) => {
      await directory.putGroupInvitation(toBert)
      await directory.putGroupApplication({ groupId: anId(100), userId: anId(2), createdAt: noon })
    })
    await remove(storage)
    await storage.read(async ({ directory }) => {
      expect(await directory.findGroupInvitation(toBert.invitationId)).toBeUndefined()
      expect(await directory.findGroupApplication(anId(100), anId(2))).toBeUndefined()
    })
  })

  test('what has ended is removed, a few at a time', async () => {
    const storage = await openWithGroups(open)
    await storage.write(async ({ directory }) => {
      for (const [id, groupId, at] of [
        [500, 100, noon],
        [501, 101, noon + 1],
      ] as const) {
        await directory.putGroupInvitation({ ...toBert, invitationId: anId(id), groupId: anId(groupId), expiresAt: at })
        await directory.putGroupApplication({ groupId: anId(groupId), userId: anId(3), createdAt: at })
      }
    })
    const left = () =>
      storage.read(async ({ directory }) => [
        await directory.countGroupInvitations({ userId: anId(2), inviterId: anId(1), groupId: anId(100) }, 0),
        await directory.countGroupApplications({ userId: anId(3), groupId: anId(100) }, 0),
      ])
    const removeOld = (expiry: number, application: number, max: number) =>
      storage.write(({ directory }) => directory.removeOldGroupRequests({ expiry, application }, max))
    await removeOld(noon, noon + 1, 10)
    expect(await left()).toMatchObject([
      { ofUser: 1, toGroup: 0 },
      { ofUser: 1, toGroup: 0 },
    ])
    await removeOld(noon + 1, noon + 2, 0)
    expect(await left()).toMatchObject([{ ofUser: 1 }, { ofUser: 1 }])
    await removeOld(noon + 1, noon + 2, 1)
    expect(await left()).toMatchObject([{ ofUser: 0 }, { ofUser: 0 }])
  })

  test('the latest notifications of a user are kept, newest first', async () => {
    const storage = await openWithGroups(open)
    const add = (id: number, createdAt: number, max: number, userId = anId(2)) =>
      storage.write(({ directory }) =>
        directory.addNotification(aNotification({ notificationId: anId(id), userId, createdAt }), max),
      )
    const list = async () =>
      (await storage.read(({ directory }) => directory.listNotifications(anId(2), 10))).map(
        ({ notificationId }) => notificationId,
      )
    await add(600, noon, 10)
    await add(602, noon + 1, 10)
    await add(601, noon + 1, 10)
    await add(700, noon, 1, anId(3))
    expect(await list()).toEqual([anId(602), anId(601), anId(600)])
    await add(603, noon + 2, 2)
    expect(await list()).toEqual([anId(603), anId(602)])
    const find = (id: number) => storage.read(({ directory }) => directory.findNotification(anId(id)))
    expect(await find(700)).toStrictEqual(aNotification({ notificationId: anId(700), userId: anId(3) }))
    expect(await find(600)).toBeUndefined()
    await storage.write(({ directory }) => directory.removeNotification(anId(603)))
    expect(await list()).toEqual([anId(602)])
  })
}
