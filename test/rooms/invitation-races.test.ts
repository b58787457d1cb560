import { expect, onTestFinished, test } from 'vitest'
import {
  type InvitationView,
  invalidateInvitation,
  readInvitation,
  refreshInvitation,
} from '../../src/collaborations/invitation-operations.ts'
import type { Call } from '../../src/directory/caller.ts'
import { openSqlite } from '../../src/storage/sqlite.ts'
import type { Storage, Stores } from '../../src/storage/storage.ts'
import { addCollaborations, anId, anInvitation, aStep, noon } from '../storage/records.ts'

const input = { portalId: 'self', collaborationId: anId(200), invitationId: anId(400) }

function callAt(now: number): Call {
  const privileges = new Set(['portal:admin:manageCollaborations'] as const)
  const caller = { userId: anId(1), username: 'anna', portalId: 'PortalOfMaps0001', role: 'org_admin', privileges }
  return { caller, now }
}

async function openWithInvitation(): Promise<Storage> {
  const storage = await openSqlite(':memory:')
  onTestFinished(() => storage.close())
  await addCollaborations(storage)
  await storage.write(({ collaborations }) => collaborations.addInvitation(anInvitation(), aStep()))
  return storage
}

function view(storage: Storage): Promise<InvitationView> {
  return storage.read((stores) => readInvitation(stores, callAt(noon), input))
}

/**
 * Without a transaction around them, operations take turns statement by statement: each has read the invitation
 * before any has changed it, as on an engine that runs transactions side by side.
 */
function interleaved(storage: Storage, ...operations: readonly ((stores: Stores) => Promise<void>)[]) {
  return storage.read((stores) => Promise.allSettled(operations.map((operation) => operation(stores))))
}

test('invalidations that have all seen it open all succeed, and one of them is recorded', async () => {
  const storage = await openWithInvitation()
  const results = await interleaved(
    storage,
    ...[1, 2, 3].map((at) => (stores: Stores) => invalidateInvitation(stores, callAt(noon + at), input)),
  )
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled'])
  const { invitation, steps } = await view(storage)
  expect(invitation).toMatchObject({ state: 'host_invalidated', revision: 2 })
  expect(steps.map(({ event }) => event)).toEqual(['create', 'invalidate'])
})

test.each([0, 1, 2, 3, 4, 5, 6])(
  'an acceptance that comes %i statements after the invalidation began: one of them wins, and the other is told',
  async (statements) => {
    const storage = await openWithInvitation()
    let won: boolean | undefined
    const [invalidated] = await interleaved(
      storage,
      (stores) => invalidateInvitation(stores, callAt(noon), input),
      async ({ collaborations }) => {
        for (let turn = 0; turn < statements; turn += 1) await collaborations.findInvitation(anId(400))
        const from = anInvitation()
        const to = { ...from, state: 'host_accepted', guestPortalId: 'AGuestPortal0003' } as const
        const step = aStep({ event: 'import', from: 'host_created', to: 'host_accepted' })
        won = await collaborations.changeInvitation({ from, to, step })
      },
    )
    const { invitation, steps } = await view(storage)
    if (won) {
      const reason = { details: ['Invitation has already been accepted.'] }
      expect(invalidated).toMatchObject({ status: 'rejected', reason })
      expect(invitation).toMatchObject({ state: 'host_accepted', guestPortalId: 'AGuestPortal0003' })
    } else {
      expect(invalidated?.status).toBe('fulfilled')
      expect(invitation).toMatchObject({ state: 'host_invalidated', guestPortalId: undefined })
    }
    expect(steps.map(({ event }) => event)).toEqual(['create', won ? 'import' : 'invalidate'])
  },
)

test('refreshes that have all seen it open all succeed, each as a step of its own', async () => {
  const storage = await openWithInvitation()
  const renewed = (file: string) => ({ ...anInvitation(), file })
  const results = await interleaved(
    storage,
    (stores) => refreshInvitation(stores, callAt(noon), { ...input, renewed: renewed('first') }),
    (stores) => refreshInvitation(stores, callAt(noon), { ...input, renewed: renewed('second') }),
  )
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
  const { invitation, steps } = await view(storage)
  expect(invitation).toMatchObject({ state: 'host_created', revision: 3 })
  expect(steps.map(({ event }) => event)).toEqual(['create', 'refresh', 'refresh'])
})

test('a refresh that has seen it open is refused if it was invalidated meanwhile', async () => {
  const storage = await openWithInvitation()
  const [invalidated, refreshed] = await interleaved(
    storage,
    (stores) => invalidateInvitation(stores, callAt(noon), input),
    (stores) => refreshInvitation(stores, callAt(noon), { ...input, renewed: { ...anInvitation(), file: 'late' } }),
  )
  expect(invalidated?.status).toBe('fulfilled')
  expect(refreshed).toMatchObject({ status: 'rejected', reason: { details: ['Invitation has been invalidated.'] } })
  const { invitation, steps } = await view(storage)
  expect(invitation).toMatchObject({ state: 'host_invalidated', file: anInvitation().file })
  expect(steps.map(({ event }) => event)).toEqual(['create', 'invalidate'])
})
