import { expect, test } from 'vitest'
import type { Invitation } from '../../../src/collaborations/invitation.ts'
import { type InvitationQuery, invitationSortFields } from '../../../src/collaborations/store.ts'
import type { WorkStorage } from '../work-storage.ts'
import {
  addCollaborations,
  anId,
  anInvitation,
  aStep,
  endOfTime,
  everything,
  newestFirst,
  noon,
  type OpenStorage,
  strangeTexts,
} from './records.ts'

async function openWithInvitations(open: OpenStorage, ...invitations: readonly Invitation[]): Promise<WorkStorage> {
  const storage = await open()
  await addCollaborations(storage)
  await storage.write(async ({ collaborations }) => {
    for (const invitation of invitations) await collaborations.addInvitation(invitation, aStep())
  })
  return storage
}

function find(storage: WorkStorage, invitationId = anId(400)): Promise<Invitation | undefined> {
  return storage.read(({ collaborations }) => collaborations.findInvitation(invitationId))
}

/** A change as an operation makes it: from what was found to another state. */
function change(storage: WorkStorage, from: Invitation, changes: Partial<Invitation>): Promise<void> {
  const to = { ...from, ...changes }
  const step = aStep({ event: 'invalidate', from: from.state, to: to.state, username: 'bert', at: noon + 1 })
  return storage.write(({ collaborations }) => collaborations.changeInvitation({ from, to, step }))
}

const notAsFound = 'The invitation was changed since it was read.'

/** Invitations: of two changes from one state, one is made. */
export function invitationsContract(open: OpenStorage): void {
  test('what is not there is undefined or empty', async () => {
    const storage = await open()
    expect(await find(storage)).toBeUndefined()
    await storage.read(async ({ collaborations }) => {
      expect(await collaborations.listInvitations(anId(200), newestFirst, everything)).toEqual({
        total: 0,
        entries: [],
      })
      expect(await collaborations.listSteps(anId(400))).toEqual([])
    })
  })

  test('an invitation is given back as it was added, with its first step', async () => {
    const invitation = anInvitation({ createdAt: 0, expiresAt: endOfTime })
    const storage = await openWithInvitations(open, invitation)
    expect(await find(storage)).toStrictEqual(invitation)
    expect(await storage.read(({ collaborations }) => collaborations.listSteps(anId(400)))).toStrictEqual([aStep()])
  })

  test('the file of an invitation stays as it was, byte for byte', async () => {
    const invitations = strangeTexts.map((file, index) => anInvitation({ invitationId: anId(500 + index), file }))
    const storage = await openWithInvitations(open, ...invitations)
    for (const invitation of invitations) {
      expect(await find(storage, invitation.invitationId)).toStrictEqual(invitation)
    }
  })

  test('a change replaces what it changes, counts it and adds a step', async () => {
    const invitation = anInvitation()
    const storage = await openWithInvitations(open, invitation, anInvitation({ invitationId: anId(401) }))
    const changes = {
      state: 'host_accepted',
      guestPortalId: 'AGuestPortal0003',
      file: 'another file',
      digest: 'e'.repeat(64),
      workspaces: [{ workspaceId: anId(300), accessMode: 'receive', groupId: anId(100) }],
      modifiedAt: noon + 1,
      expiresAt: endOfTime,
    } as const
    await change(storage, invitation, changes)
    expect(await find(storage)).toStrictEqual({ ...invitation, ...changes, revision: 2 })
    expect(await storage.read(({ collaborations }) => collaborations.listSteps(anId(400)))).toStrictEqual([
      aStep(),
      { event: 'invalidate', from: 'host_created', to: 'host_accepted', username: 'bert', at: noon + 1 },
    ])
    expect(await find(storage, anId(401))).toStrictEqual(anInvitation({ invitationId: anId(401) }))
  })

  test('steps are listed oldest first, whatever the clock said', async () => {
    const storage = await openWithInvitations(open, anInvitation())
    for (let revision = 1; revision <= 12; revision += 1) {
      const from = anInvitation({ revision })
      const step = aStep({ event: 'refresh', from: 'host_created', at: noon - revision })
      await storage.write(({ collaborations }) => collaborations.changeInvitation({ from, to: from, step }))
    }
    const steps = await storage.read(({ collaborations }) => collaborations.listSteps(anId(400)))
    expect(steps.map(({ at }) => noon - at)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
  })

  test('a change from another state or another revision throws, and changes and records nothing', async () => {
    const invitation = anInvitation()
    const storage = await openWithInvitations(open, invitation)
    const other = { state: 'host_invalidated' } as const
    for (const from of [{ revision: 2 }, { state: 'host_accepted' }, { invitationId: anId(999) }] as const) {
      await expect(change(storage, { ...invitation, ...from }, other)).rejects.toThrow(notAsFound)
    }
    expect(await find(storage)).toStrictEqual(invitation)
    expect(await storage.read(({ collaborations }) => collaborations.listSteps(anId(400)))).toHaveLength(1)
  })

  test('a change back to the same state is a change too: one from the old revision throws', async () => {
    const invitation = anInvitation()
    const storage = await openWithInvitations(open, invitation)
    await change(storage, invitation, { file: 'refreshed' })
    await expect(change(storage, invitation, { state: 'host_invalidated' })).rejects.toThrow(notAsFound)
    expect(await find(storage)).toMatchObject({ state: 'host_created', file: 'refreshed', revision: 2 })
  })

  test('of two racing changes one is made, every time', async () => {
    const invitations = Array.from({ length: 10 }, (_, index) => anInvitation({ invitationId: anId(500 + index) }))
    const storage = await openWithInvitations(open, ...invitations)
    const races = await Promise.all(
      invitations.map((invitation) =>
        Promise.allSettled([
          change(storage, invitation, { state: 'host_invalidated' }),
          change(storage, invitation, { state: 'host_accepted' }),
        ]),
      ),
    )
    for (const [index, [invalidated, accepted]] of races.entries()) {
      const isInvalidated = invalidated.status === 'fulfilled'
      const lost = isInvalidated ? accepted : invalidated
      expect(lost).toMatchObject({ status: 'rejected', reason: { message: notAsFound } })
      const found = await find(storage, anId(500 + index))
      expect(found).toMatchObject({ state: isInvalidated ? 'host_invalidated' : 'host_accepted', revision: 2 })
      const steps = await storage.read(({ collaborations }) => collaborations.listSteps(anId(500 + index)))
      expect(steps.map(({ to }) => to)).toEqual(['host_created', found?.state])
    }
  })

  /** Three that differ in everything, and a fourth that differs from the first in its id alone. */
  const [first, second, third] = [
    { state: 'host_created', guestPortalUrl: 'https://b.example.org' },
    { state: 'host_accepted', guestPortalUrl: 'https://c.example.org' },
    { state: 'host_invalidated', guestPortalUrl: 'https://a.example.org' },
  ] as const
  const list = () => [
    anInvitation({ invitationId: anId(1), ...first, createdAt: noon, modifiedAt: noon + 9, expiresAt: noon }),
    anInvitation({ invitationId: anId(2), ...second, createdAt: noon + 1, modifiedAt: noon + 7, expiresAt: noon - 1 }),
    anInvitation({ invitationId: anId(3), ...third, createdAt: noon + 2, modifiedAt: noon + 8, expiresAt: noon + 1 }),
    anInvitation({ invitationId: anId(4), ...first, createdAt: noon, modifiedAt: noon + 9, expiresAt: noon }),
    anInvitation({ invitationId: anId(5), collaborationId: anId(201) }),
  ]

  async function numbers(
    storage: WorkStorage,
    query: Partial<InvitationQuery>,
    page = everything,
    collaboration = 200,
  ) {
    const { total, entries } = await storage.read(({ collaborations }) =>
      collaborations.listInvitations(anId(collaboration), { ...newestFirst, ...query }, page),
    )
    return [total, ...entries.map(({ invitationId }) => Number.parseInt(invitationId, 16))]
  }

  test.each([
    ['created', [1, 4, 2, 3]],
    ['modified', [2, 3, 1, 4]],
    ['expiration', [2, 1, 4, 3]],
    ['status', [2, 1, 4, 3]],
    ['guestPortalUrl', [3, 1, 4, 2]],
  ] as const)('invitations are sorted by %s, both ways, and by id where they are alike', async (sortField, order) => {
    const storage = await openWithInvitations(open, ...list())
    expect(await numbers(storage, { sortField, sortOrder: 'asc' })).toEqual([4, ...order])
    expect(await numbers(storage, { sortField, sortOrder: 'desc' })).toEqual([4, ...order.toReversed()])
  })

  test.each(invitationSortFields)('pages sorted by %s follow each other without gap or overlap', async (sortField) => {
    const storage = await openWithInvitations(open, ...list())
    const all = await numbers(storage, { sortField })
    const pages = await Promise.all(
      [1, 2, 3, 4].map((start) => numbers(storage, { sortField }, { start, num: 1 }).then(([, number]) => number)),
    )
    expect([4, ...pages]).toEqual(all)
    expect(await numbers(storage, { sortField }, { start: 3, num: 5 })).toEqual([4, ...all.slice(3)])
    expect(await numbers(storage, { sortField }, { start: 9, num: 5 })).toEqual([4])
  })

  test('those of one state are listed and counted alone', async () => {
    const storage = await openWithInvitations(open, ...list())
    expect(await numbers(storage, { status: 'host_created' })).toEqual([2, 4, 1])
    expect(await numbers(storage, { status: 'host_accepted', sortField: 'guestPortalUrl' })).toEqual([1, 2])
    expect(await numbers(storage, { status: 'host_invalidated' })).toEqual([1, 3])
    expect(await numbers(storage, { status: 'host_created' }, { start: 2, num: 1 })).toEqual([2, 1])
  })

  test('invitations are counted by state over all collaborations and portals, without the states of none', async () => {
    const count = (storage: WorkStorage) =>
      storage.read(({ collaborations }) => collaborations.countInvitationsByState())
    const empty = await open()
    expect(await count(empty)).toEqual(new Map())
    const storage = await openWithInvitations(async () => empty, ...list())
    expect(await count(storage)).toEqual(
      new Map([
        ['host_created', 3],
        ['host_accepted', 1],
        ['host_invalidated', 1],
      ]),
    )
    await change(storage, list()[1]!, { state: 'host_invalidated' })
    expect(await count(storage)).toEqual(
      new Map([
        ['host_created', 3],
        ['host_invalidated', 2],
      ]),
    )
  })

  test('invitations are listed by collaboration', async () => {
    const storage = await openWithInvitations(open, ...list())
    expect(await numbers(storage, {}, everything, 201)).toEqual([1, 5])
    expect(await numbers(storage, { status: 'host_accepted' }, everything, 201)).toEqual([0])
  })

  test('an invitation to a collaboration that does not exist is refused', async () => {
    const storage = await open()
    const orphan = anInvitation({ collaborationId: anId(999) })
    await expect(storage.write(({ collaborations }) => collaborations.addInvitation(orphan, aStep()))).rejects.toThrow()
    expect(await find(storage)).toBeUndefined()
  })
}
