import { RawDatabase } from '../../support/databases/raw-database.ts'
import { type CollaborationHost, hostCollaboration, inviteNeighbour } from '../../support/portal/collaboration-host.ts'
import { startOfTests, type TestPortal } from '../../support/portal/portal.ts'
import { expect, test } from '../../support/portal/test.ts'
import { startWatchedPortal } from '../../support/portal/watched-portal.ts'

const many = 1_000

/** As many invitations, most of them accepted by as many participants. */
async function fill(portal: TestPortal, { collaborationId, workspaceId, client }: CollaborationHost): Promise<void> {
  const { id: portalId } = await client.get('/portals/self')
  const numbers = `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${many})`
  const guest = "printf('Guest%011d', n)"
  await new RawDatabase(portal).run(`
    ${numbers} insert into invitations (invitation_id, collaboration_id, host_portal_id, guest_portal_url, state,
      workspaces, file, digest, file_name, revision, created_at, modified_at, expires_at)
    select printf('%032x', n), '${collaborationId}', '${portalId}', 'https://guest' || n,
      case n % 10 when 0 then 'host_created' when 1 then 'host_invalidated' else 'host_accepted' end, '[]',
      '${'x'.repeat(1500)}', 'd', 'f', 1, ${startOfTests} - n, ${startOfTests} + n, ${startOfTests} + n from numbers;
    ${numbers} insert into participants (collaboration_id, portal_id, portal_name, portal_url, role, contact_first_name,
      contact_last_name, contact_email, created_at, modified_at)
    select '${collaborationId}', ${guest}, 'Guest', 'https://guest' || n, 'Guest', '', '', '',
      ${startOfTests} + n, ${startOfTests} + n from numbers;
    ${numbers} insert into participant_workspaces (collaboration_id, portal_id, workspace_id, access_mode)
    select '${collaborationId}', ${guest}, '${workspaceId}', 'send' from numbers`)
}

test('no call reads more of a large collaboration than what it is about', async () => {
  await using portal = await startWatchedPortal()
  const host = await hostCollaboration(portal)
  await fill(portal, host)
  const { invitation, response } = await inviteNeighbour(host)
  const calls: Readonly<Record<string, () => Promise<unknown>>> = {
    'list invitations': () => host.client.get(`${host.path}/invitations`, { start: 791 }),
    'list open invitations': () => host.client.get(`${host.path}/invitations`, { start: 91, status: 'host_created' }),
    'read an invitation': () => host.client.get(invitation.path),
    'list participants': () => host.client.get(`${host.path}/participants`, { start: 901 }),
    'read a participant': () => host.client.get(`${host.path}/participants/Guest00000000900`),
    'read a collaboration': () => host.client.get(host.path),
    invite: () => host.invite(),
    'validate a response': () =>
      host.client.post(`${host.path}/validateInvitationResponse`, { invitationResponseJSON: response }),
    'import a response': () => host.importResponse(response),
    'remove a participant': () => host.client.post(`${host.path}/participants/Guest00000000900/remove`),
  }
  for (const [name, call] of Object.entries(calls)) {
    const { rows, scans } = await portal.read(async () => expect(await call(), name).not.toHaveProperty('error'))
    // A page of ten, with what each entry refers to.
    expect(rows, name).toBeLessThan(50)
    expect(scans, name).toEqual([])
  }
})

test('a page of workspaces with many participants ends early, and the next one goes on', async ({ portal }) => {
  const { client, path, collaborationId, workspaceId } = await hostCollaboration(portal)
  for (const name of ['Second', 'Third']) {
    portal.clock.now += 1
    await client.post(`${path}/addWorkspace`, { collaborationWorkspaceName: name })
  }
  const database = new RawDatabase(portal)
  await addGuests(database, collaborationId, 10_000)
  await database.run(`
    insert into participant_workspaces (collaboration_id, portal_id, workspace_id, access_mode)
    select collaboration_id, portal_id, '${workspaceId}', 'send' from participants where role = 'Guest'`)
  const page = (start: number) => client.get(`${path}/workspaces`, { start })
  const first = await page(1)
  expect(first).toMatchObject({ total: 3, start: 1, num: 1, nextStart: 2 })
  expect(first.workspaces).toHaveLength(1)
  expect(first.workspaces[0].participantsWithoutGroupLinks.length).toBeGreaterThanOrEqual(10_000)
  const second = await page(2)
  expect(second).toMatchObject({ total: 3, start: 2, num: 10, nextStart: -1 })
  expect(second.workspaces.map(({ name }: { name: string }) => name)).toEqual(['Second', 'Third'])
})

async function addGuests(database: RawDatabase, collaborationId: string, count: number): Promise<void> {
  await database.run(`
    with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${count})
    insert into participants (collaboration_id, portal_id, portal_name, portal_url, role, contact_first_name,
      contact_last_name, contact_email, created_at, modified_at)
    select '${collaborationId}', printf('Guest%011d', n), 'Guest', 'https://guest' || n, 'Guest', '', '', '',
      ${startOfTests} + n, ${startOfTests} + n from numbers`)
}
