import { expect, onTestFinished, test } from 'vitest'
import {
  type InvitationView,
  invalidateInvitation,
  readInvitation,
  refreshInvitation,
} from '../../src/collaborations/invitation-operations.ts'
import { importInvitationResponse } from '../../src/collaborations/response-operations.ts'
import type { VerifiedFile } from '../../src/collaborations/signature.ts'
import type { Call } from '../../src/directory/caller.ts'
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts'
import type { Storage, Stores } from '../../src/storage/storage.ts'
import { addCollaborations, anId, anInvitation, aStep, everything, noon } from '../storage/contract/records.ts'

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
function interleaved(storage: Storage, ...operations: readonly ((stores: Stores) => Promise<unknown>)[]) {
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

/** What the guest answers, as it is when its signature has been checked. */
const response: VerifiedFile = {
  document: {
    id: anId(400),
    collaborationId: anId(200),
    hostPortalId: 'PortalOfMaps0001',
    guestPortalId: 'AGuestPortal0003',
    guestPortalName: 'Institute of Seas',
    guestPortalUrl: anInvitation().guestPortalUrl,
    guestContactFirstname: 'Mare',
    guestContactLastname: 'Meer',
    guestContactEmailAddress: 'mare@example.org',
    invitationDigest: anInvitation().digest,
    created: noon,
  },
  publicKey: '{}',
  fingerprint: 'f',
  digest: 'r',
}

async function importIt(stores: Stores): Promise<void> {
  await importInvitationResponse(stores, callAt(noon), { ...input, file: { value: response } })
}

function participantsOf(storage: Storage): Promise<readonly string[]> {
  return storage.read(async ({ collaborations }) => {
    const { entries } = await collaborations.listParticipants(anId(200), everything)
    return entries.map(({ portalId }) => portalId)
  })
}

test.each([-8, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4])(
  'an import that comes %i statements after the invalidation began: one of them wins, and the other is told',
  async (statements) => {
    const storage = await openWithInvitation()
    const late = (turns: number, operation: (stores: Stores) => Promise<void>) => async (stores: Stores) => {
      for (let turn = 0; turn < turns; turn += 1) await stores.collaborations.findInvitation(anId(400))
      await operation(stores)
    }
    const [invalidated, imported] = await interleaved(
      storage,
      late(-statements, (stores) => invalidateInvitation(stores, callAt(noon), input)),
      late(statements, importIt),
    )
    const { invitation, steps } = await view(storage)
    if (imported?.status === 'fulfilled') {
      const reason = { details: ['Invitation has already been accepted.'] }
      expect(invalidated).toMatchObject({ status: 'rejected', reason })
      expect(invitation).toMatchObject({ state: 'host_accepted', guestPortalId: 'AGuestPortal0003' })
      expect(await participantsOf(storage)).toEqual(['AGuestPortal0003'])
    } else {
      expect(invalidated?.status).toBe('fulfilled')
      expect(imported?.reason.details).toEqual(['Invitation has been invalidated.'])
      expect(invitation).toMatchObject({ state: 'host_invalidated', guestPortalId: undefined })
      expect(await participantsOf(storage)).toEqual([])
    }
    const won = imported?.status === 'fulfilled' ? 'import' : 'invalidate'
    expect(steps.map(({ event }) => event)).toEqual(['create', won])
  },
)

test('two imports that have both seen it open make one participant', async () => {
  const storage = await openWithInvitation()
  const results = await interleaved(storage, importIt, importIt)
  const reason = { details: ['Invitation has already been accepted.'] }
  expect(results).toContainEqual({ status: 'fulfilled', value: undefined })
  expect(results).toContainEqual(
    expect.objectContaining({ status: 'rejected', reason: expect.objectContaining(reason) }),
  )
  expect(await participantsOf(storage)).toEqual(['AGuestPortal0003'])
  expect((await view(storage)).steps.map(({ event }) => event)).toEqual(['create', 'import'])
})

test('an import that has seen it open is refused if it was refreshed meanwhile', async () => {
  const storage = await openWithInvitation()
  const renewed = { ...anInvitation(), file: 'renewed', digest: 'e'.repeat(64) }
  const [refreshed, imported] = await interleaved(
    storage,
    (stores) => refreshInvitation(stores, callAt(noon), { ...input, renewed }),
    importIt,
  )
  expect(refreshed?.status).toBe('fulfilled')
  const details = ['The response is for another file than the one that the invitation has now.']
  expect(imported).toMatchObject({ status: 'rejected', reason: { details } })
  expect(await participantsOf(storage)).toEqual([])
})

test('refreshes that have all seen it open end in one step, and each answers the file of the first', async () => {
  const storage = await openWithInvitation()
  const renewed = (file: string) => ({ ...anInvitation(), file })
  const results = await interleaved(
    storage,
    (stores) => refreshInvitation(stores, callAt(noon), { ...input, renewed: renewed('first') }),
    (stores) => refreshInvitation(stores, callAt(noon), { ...input, renewed: renewed('second') }),
  )
  const { invitation, steps } = await view(storage)
  expect(invitation).toMatchObject({ state: 'host_created', revision: 2 })
  expect(steps.map(({ event }) => event)).toEqual(['create', 'refresh'])
  for (const result of results) {
    expect(result).toMatchObject({ status: 'fulfilled', value: { file: invitation.file } })
  }
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
