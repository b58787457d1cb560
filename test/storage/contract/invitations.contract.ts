import { expect } from 'vitest'
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
  testOn,
  totalAnd,
} from './records.ts'

async function addInvitations({ collaborations }: WorkStorage, ...invitations: readonly Invitation[]): Promise<void> {
  for (const invitation of invitations) await collaborations.addInvitation(invitation, aStep())
}

function find(storage: WorkStorage, invitationId = anId(400)): Promise<Invitation | undefined> {
  return storage.collaborations.findInvitation(invitationId)
}

/** A change as an operation makes it: from what was found to another state. */
function change(storage: WorkStorage, from: Invitation, changes: Partial<Invitation>): Promise<void> {
  const to = { ...from, ...changes }
  const step = aStep({ event: 'invalidate', from: from.state, to: to.state, username: 'bert', at: noon + 1 })
  return storage.collaborations.changeInvitation({ from, to, step })
}

const notAsFound = 'The invitation was changed since it was read.'

/** Invitations: of two changes from one state, one is made. */
export function invitationsContract(open: OpenStorage): void {
  const test = testOn(open, addCollaborations)

  test('a change replaces what it changes, counts it and adds a step', async ({ collaborations, storage }) => {
    const invitation = anInvitation()
    await addInvitations(storage, invitation, anInvitation({ invitationId: anId(401) }))
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
    expect(await collaborations.listSteps(anId(400))).toStrictEqual([
      aStep(),
      { event: 'invalidate', from: 'host_created', to: 'host_accepted', username: 'bert', at: noon + 1 },
    ])
    expect(await find(storage, anId(401))).toStrictEqual(anInvitation({ invitationId: anId(401) }))
  })

  test('steps are listed oldest first, whatever the clock said', async ({ collaborations, storage }) => {
    await addInvitations(storage, anInvitation())
    for (let revision = 1; revision <= 12; revision += 1) {
      const from = anInvitation({ revision })
      const step = aStep({ event: 'refresh', from: 'host_created', at: noon - revision })
      await collaborations.changeInvitation({ from, to: from, step })
    }
    const steps = await collaborations.listSteps(anId(400))
    expect(steps.map(({ at }) => noon - at)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
  })

  test('a change from another state or another revision throws, and changes and records nothing', async ({
    collaborations,
    storage,
  }) => {
    const invitation = anInvitation()
    await addInvitations(storage, invitation)
    const other = { state: 'host_invalidated' } as const
    for (const from of [{ revision: 2 }, { state: 'host_accepted' }, { invitationId: anId(999) }] as const) {
      await expect(change(storage, { ...invitation, ...from }, other)).rejects.toThrow(notAsFound)
    }
    expect(await find(storage)).toStrictEqual(invitation)
    expect(await collaborations.listSteps(anId(400))).toHaveLength(1)
  })

  test('a change back to the same state is a change too: one from the old revision throws', async ({ storage }) => {
    const invitation = anInvitation()
    await addInvitations(storage, invitation)
    await change(storage, invitation, { file: 'refreshed' })
    await expect(change(storage, invitation, { state: 'host_invalidated' })).rejects.toThrow(notAsFound)
    expect(await find(storage)).toMatchObject({ state: 'host_created', file: 'refreshed', revision: 2 })
  })

  test('of two racing changes one is made, every time', async ({ collaborations, storage }) => {
    const invitations = Array.from({ length: 10 }, (_, index) => anInvitation({ invitationId: anId(500 + index) }))
    await addInvitations(storage, ...invitations)
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
      const steps = await collaborations.listSteps(anId(500 + index))
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
    const asked = { ...newestFirst, ...query }
    const found = await storage.collaborations.listInvitations(anId(collaboration), asked, page)
    return totalAnd(found, ({ invitationId }) => Number.parseInt(invitationId, 16))
  }

  test.for([
    ['created', [1, 4, 2, 3]],
    ['modified', [2, 3, 1, 4]],
    ['expiration', [2, 1, 4, 3]],
    ['status', [2, 1, 4, 3]],
    ['guestPortalUrl', [3, 1, 4, 2]],
  ] as const)(
    'invitations are sorted by %s, both ways, and by id where they are alike',
    async ([sortField, order], { storage }) => {
      await addInvitations(storage, ...list())
      expect(await numbers(storage, { sortField, sortOrder: 'asc' })).toEqual([4, ...order])
      expect(await numbers(storage, { sortField, sortOrder: 'desc' })).toEqual([4, ...order.toReversed()])
    },
  )

  test.for(invitationSortFields)(
    'pages sorted by %s follow each other without gap or overlap',
    async (sortField, { storage }) => {
      await addInvitations(storage, ...list())
      const all = await numbers(storage, { sortField })
      const pages = await Promise.all(
        [1, 2, 3, 4].map((start) => numbers(storage, { sortField }, { start, num: 1 }).then(([, number]) => number)),
      )
      expect([4, ...pages]).toEqual(all)
      expect(await numbers(storage, { sortField }, { start: 3, num: 5 })).toEqual([4, ...all.slice(3)])
      expect(await numbers(storage, { sortField }, { start: 9, num: 5 })).toEqual([4])
    },
  )

  test('those of one state are listed and counted alone', async ({ storage }) => {
    await addInvitations(storage, ...list())
    expect(await numbers(storage, { status: 'host_created' })).toEqual([2, 4, 1])
    expect(await numbers(storage, { status: 'host_accepted', sortField: 'guestPortalUrl' })).toEqual([1, 2])
    expect(await numbers(storage, { status: 'host_invalidated' })).toEqual([1, 3])
    expect(await numbers(storage, { status: 'host_created' }, { start: 2, num: 1 })).toEqual([2, 1])
  })

  test('invitations are counted by state over all collaborations and portals, without the states of none', async ({
    collaborations,
    storage,
  }) => {
    const count = () => collaborations.countInvitationsByState()
    expect(await count()).toEqual(new Map())
    await addInvitations(storage, ...list())
    expect(await count()).toEqual(
      new Map([
        ['host_created', 3],
        ['host_accepted', 1],
        ['host_invalidated', 1],
      ]),
    )
    await change(storage, list()[1]!, { state: 'host_invalidated' })
    expect(await count()).toEqual(
      new Map([
        ['host_created', 3],
        ['host_invalidated', 2],
      ]),
    )
  })

  test('invitations are listed by collaboration', async ({ storage }) => {
    await addInvitations(storage, ...list())
    expect(await numbers(storage, {}, everything, 201)).toEqual([1, 5])
    expect(await numbers(storage, { status: 'host_accepted' }, everything, 201)).toEqual([0])
  })

  test('an invitation to a collaboration that does not exist is refused', async ({ collaborations, storage }) => {
    const orphan = anInvitation({ collaborationId: anId(999) })
    await expect(collaborations.addInvitation(orphan, aStep())).rejects.toThrow()
    expect(await find(storage)).toBeUndefined()
  })
}
