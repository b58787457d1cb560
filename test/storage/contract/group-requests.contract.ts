import { expect } from 'vitest'
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
  testOn,
} from './records.ts'

/** Anna's two groups, and Bert and Carl beside her. */
async function addGroupsAndPeople(storage: WorkStorage): Promise<void> {
  await addPeople(storage)
  await storage.directory.addUser(aUser({ userId: anId(2), username: 'bert', fullName: 'Bert Berg' }), 'hash')
  await storage.directory.addUser(aUser({ userId: anId(3), username: 'carl' }), 'hash')
  for (const id of [100, 101]) await storage.directory.addGroup(aGroup({ groupId: anId(id) }))
}

const toBert = anInvitationToGroup({ userId: anId(2), inviterId: anId(1) })

/** Invitations to groups, requests to join and notifications. */
export function groupRequestsContract(open: OpenStorage): void {
  const test = testOn(open, addGroupsAndPeople)

  test('an invitation is given back with who sent it; put again, it keeps its id', async ({ directory }) => {
    const find = () => directory.findGroupInvitation(toBert.invitationId)
    const findOf = () => directory.findGroupInvitationOf(anId(100), anId(2))
    expect(await find()).toBeUndefined()
    expect(await findOf()).toBeUndefined()
    await directory.putGroupInvitation(toBert)
    expect(await findOf()).toStrictEqual(toBert)
    expect(await find()).toMatchObject({ ...toBert, inviterUsername: 'anna' })
    const changed = { inviterId: anId(3), memberType: 'admin', createdAt: noon + 5, expiresAt: noon + 9 } as const
    const again = { ...toBert, ...changed }
    await directory.putGroupInvitation({ ...again, invitationId: anId(999) })
    expect(await findOf()).toStrictEqual(again)
    expect(await find()).toMatchObject({ ...again, inviterUsername: 'carl' })
    await directory.removeGroupInvitation(toBert.invitationId)
    expect(await find()).toBeUndefined()
  })

  test('invitations are listed newest first and counted, until they expire', async ({ directory }) => {
    await directory.putGroupInvitation({ ...toBert, expiresAt: noon + 10 })
    const other = { invitationId: anId(501), groupId: anId(101), createdAt: noon + 1, expiresAt: noon + 5 }
    await directory.putGroupInvitation({ ...toBert, ...other, inviterId: anId(3) })
    const list = async (now: number, max = 10) =>
      (await directory.listGroupInvitations(anId(2), now, max)).map(({ invitationId }) => invitationId)
    expect(await list(noon)).toEqual([anId(501), anId(500)])
    expect(await list(noon, 1)).toEqual([anId(501)])
    expect(await list(noon + 5)).toEqual([anId(500)])
    expect(await list(noon + 10)).toEqual([])
    const of = { userId: anId(2), inviterId: anId(1), groupId: anId(101) }
    const count = (now: number) => directory.countGroupInvitations(of, now)
    expect(await count(noon)).toEqual({ ofUser: 2, ofInviter: 1, toGroup: 1 })
    expect(await count(noon + 5)).toEqual({ ofUser: 1, ofInviter: 1, toGroup: 0 })
  })

  test('requests are listed oldest first and counted, with the group too, as far as they are not too old', async ({
    directory,
  }) => {
    const put = (groupId: string, userId: string, createdAt: number) =>
      directory.putGroupApplication({ groupId, userId, createdAt })
    await put(anId(100), anId(3), noon + 1)
    await put(anId(100), anId(2), noon)
    await put(anId(101), anId(2), noon)
    const list = async (since: number, max = 10) =>
      (await directory.listGroupApplications(anId(100), since, max)).map(({ username, createdAt }) => [
        username,
        createdAt,
      ])
    expect(await list(noon)).toEqual([
      ['bert', noon],
      ['carl', noon + 1],
    ])
    expect(await list(noon, 1)).toEqual([['bert', noon]])
    expect(await list(noon + 1)).toEqual([['carl', noon + 1]])
    const of = { userId: anId(2), groupId: anId(100) }
    const count = (since: number) => directory.countGroupApplications(of, since)
    expect(await count(noon)).toEqual({ ofUser: 2, toGroup: 2 })
    expect(await count(noon + 1)).toEqual({ ofUser: 0, toGroup: 1 })
    expect(await directory.findGroup(anId(100))).toMatchObject({ applications: 2 })
    await put(anId(100), anId(2), noon + 7)
    expect(await list(noon + 7)).toEqual([['bert', noon + 7]])
    await directory.removeGroupApplication(anId(100), anId(2))
    expect(await list(noon)).toEqual([['carl', noon + 1]])
    expect(await directory.findGroupApplication(anId(101), anId(2))).toBeDefined()
  })

  test('who becomes a member is neither invited nor asks any more', async ({ directory }) => {
    for (const groupId of [anId(100), anId(101)]) {
      await directory.putGroupInvitation({ ...toBert, groupId, invitationId: groupId })
      await directory.putGroupApplication({ groupId, userId: anId(2), createdAt: noon })
    }
    await directory.putMember(anId(100), { userId: anId(2), memberType: 'member', joinedAt: noon })
    const openTo = (groupId: string) =>
      Promise.all([directory.findGroupInvitationOf(groupId, anId(2)), directory.findGroupApplication(groupId, anId(2))])
    expect(await openTo(anId(100))).toEqual([undefined, undefined])
    expect(await openTo(anId(101))).toEqual([expect.anything(), expect.anything()])
  })

  test.for([
    ['the group', (storage: WorkStorage) => storage.directory.removeGroup(anId(100), noon)],
    ['the user', (storage: WorkStorage) => storage.directory.removeUser(anId(2))],
  ] as const)('what is open goes with %s', async ([_, remove], { directory, storage }) => {
    await directory.putGroupInvitation(toBert)
    await directory.putGroupApplication({ groupId: anId(100), userId: anId(2), createdAt: noon })
    await remove(storage)
    expect(await directory.findGroupInvitation(toBert.invitationId)).toBeUndefined()
    expect(await directory.findGroupApplication(anId(100), anId(2))).toBeUndefined()
  })

  test('what has ended is removed, a few at a time', async ({ directory }) => {
    for (const [id, groupId, at] of [
      [500, 100, noon],
      [501, 101, noon + 1],
    ] as const) {
      const invitation = { ...toBert, invitationId: anId(id), groupId: anId(groupId), expiresAt: at }
      await directory.putGroupInvitation(invitation)
      await directory.putGroupApplication({ groupId: anId(groupId), userId: anId(3), createdAt: at })
    }
    const left = async () => [
      await directory.countGroupInvitations({ userId: anId(2), inviterId: anId(1), groupId: anId(100) }, 0),
      await directory.countGroupApplications({ userId: anId(3), groupId: anId(100) }, 0),
    ]
    const removeOld = (expiry: number, application: number, max: number) =>
      directory.removeOldGroupRequests({ expiry, application }, max)
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

  test('the latest notifications of a user are kept, newest first', async ({ directory }) => {
    const add = (id: number, createdAt: number, max: number, userId = anId(2)) =>
      directory.addNotification(aNotification({ notificationId: anId(id), userId, createdAt }), max)
    const list = async () =>
      (await directory.listNotifications(anId(2), noon + 2, 10)).map(({ notificationId }) => notificationId)
    await add(600, noon, 10)
    await add(602, noon + 1, 10)
    await add(601, noon + 1, 10)
    await add(700, noon, 1, anId(3))
    expect(await list()).toEqual([anId(602), anId(601), anId(600)])
    await add(603, noon + 2, 2)
    expect(await list()).toEqual([anId(603), anId(602)])
    const find = (id: number) => directory.findNotification(anId(id))
    expect(await find(700)).toStrictEqual(aNotification({ notificationId: anId(700), userId: anId(3) }))
    expect(await find(600)).toBeUndefined()
    const draft = { id: anId(9), name: 'Lakes', by: 'anna' }
    await directory.addNotification(
      aNotification({ notificationId: anId(604), userId: anId(2), createdAt: noon + 3, groupId: '', draft }),
      2,
    )
    expect(await list()).toEqual([anId(603)])
    await directory.putNotificationsRead(anId(2), noon + 2, noon + 5)
    await directory.putNotificationsRead(anId(2), noon + 2, noon + 6)
    expect(await find(603)).toMatchObject({ readAt: noon + 5 })
    expect(await find(604)).toMatchObject({ readAt: undefined, draft })
    expect(await find(700)).toMatchObject({ readAt: undefined })
    await directory.removeNotification(anId(604))
    await add(602, noon + 1, 10)
    await directory.removeNotification(anId(603))
    expect(await list()).toEqual([anId(602)])
  })
}
