import { expect, onTestFinished, test } from 'vitest'
import { invitationSortFields } from '../../../src/collaborations/store.ts'
import { openRawDatabase } from '../../support/databases/raw-database.ts'
import { millisecondsOfWork } from '../../support/faults/work-watch.ts'
import { hostCollaboration } from '../../support/portal/collaboration-host.ts'
import { Guest } from '../../support/portal/handshake.ts'
import { startOfTests } from '../../support/portal/portal.ts'

const many = 10_000
/** Milliseconds that a call may take of the processor; usually it is fewer than ten. */
const mostWork = 50
/** The same where one row is looked up: reading all of them takes longer. */
const mostWorkForOne = 20

/** A collaboration with thousands of invitations, most of them accepted by as many participants. */
async function openLargeCollaboration(participants = many) {
  const database = await openRawDatabase()
  onTestFinished(() => database[Symbol.asyncDispose]())
  const { portal } = database
  const host = await hostCollaboration(portal)
  const { id: portalId } = await host.client.get('/portals/self')
  const { collaborationId, workspaceId } = host
  const upTo = (most: number) =>
    `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${most})`
  const guest = "'Guest' || substr('00000000000', 1, 11 - length(cast(n as text))) || n"
  await database.run(`
    ${upTo(many)} insert into invitations (invitation_id, collaboration_id, host_portal_id, guest_portal_url, state,
      workspaces, file, digest, file_name, revision, created_at, modified_at, expires_at)
    select substr('${'0'.repeat(32)}', 1, 32 - length(cast(n as text))) || n, '${collaborationId}', '${portalId}',
      'https://guest' || (n * 7919 % ${many}),
      case n % 10 when 0 then 'host_created' when 1 then 'host_invalidated' else 'host_accepted' end, '[]',
      '${'x'.repeat(1500)}', 'd', 'f', 1, ${startOfTests} - n, ${startOfTests} + n * 7919 % ${many},
      ${startOfTests} + n from numbers;
    ${upTo(participants)} insert into participants (collaboration_id, portal_id, portal_name, portal_url, role, contact_first_name,
      contact_last_name, contact_email, created_at, modified_at)
    select '${collaborationId}', ${guest}, 'Guest', 'https://guest' || n, 'Guest', '', '', '',
      ${startOfTests} + n, ${startOfTests} + n from numbers;
    ${upTo(many)} insert into participant_workspaces (collaboration_id, portal_id, workspace_id, access_mode)
    select '${collaborationId}', ${guest}, '${workspaceId}', 'send' from numbers`)
  return { portal, host }
}

/** The least of three tries: what is left when nobody else disturbs. */
async function leastWork(call: () => Promise<unknown>): Promise<number> {
  const tries: number[] = []
  for (let count = 0; count < 3; count += 1) tries.push(await millisecondsOfWork(call))
  return Math.min(...tries)
}

test('any page of thousands of invitations is listed in little time, in every order and choice', async () => {
  const { host } = await openLargeCollaboration()
  for (const sortField of invitationSortFields) {
    for (const status of ['', 'host_created', 'host_accepted']) {
      const page = { sortField, status, start: status === 'host_created' ? 991 : 7_991 }
      const work = await leastWork(async () => {
        const answer = await host.client.get(`${host.path}/invitations`, page)
        expect(answer.collaborationInvitations).toHaveLength(10)
      })
      expect(work, JSON.stringify(page)).toBeLessThan(mostWork)
    }
  }
})

test('among thousands of participants, what concerns one of them takes little time', async () => {
  const { portal, host } = await openLargeCollaboration(6 * many)
  const guest = new Guest(await portal.otherOrganization())
  const { text } = await host.invite({ guestPortalUrl: portal.server.publicUrl() })
  const response = await guest.answer(text)
  const calls: Readonly<Record<string, () => Promise<unknown>>> = {
    list: () => host.client.get(`${host.path}/participants`, { start: 9_001 }),
    read: () => host.client.get(`${host.path}/participants/Guest00000009000`),
    invite: () => host.invite(),
    validate: () => host.client.post(`${host.path}/validateInvitationResponse`, { invitationResponseJSON: response }),
    import: () => host.importResponse(response),
  }
  for (const [name, call] of Object.entries(calls)) {
    const work = await millisecondsOfWork(async () => expect(await call(), name).not.toHaveProperty('error'))
    expect(work, name).toBeLessThan(mostWorkForOne)
  }
})
