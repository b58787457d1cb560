import { expect, test } from 'vitest'
import { RawDatabase } from '../../support/databases/raw-database.ts'
import { hostCollaboration, inviteNeighbour } from '../../support/portal/collaboration-host.ts'
import { refused } from '../../support/portal/envelopes.ts'
import { startOfTests, startPortal } from '../../support/portal/portal.ts'

test('a collaboration has no more workspaces than are allowed', async () => {
  await using portal = await startPortal({ environment: { LIMIT_WORKSPACES: '2' } })
  const { client, path } = await hostCollaboration(portal)
  const add = (name: string) => client.post(`${path}/addWorkspace`, { collaborationWorkspaceName: name })
  const { total } = await client.get(`${path}/workspaces`)
  for (let number = total; number < 2; number += 1) expect(await add('One more')).toMatchObject({ success: true })
  expect(await add('Too many')).toEqual(
    refused('add workspace', 'The collaboration has 2 workspaces; at most 2 are allowed.'),
  )
  expect(await client.get(`${path}/workspaces`)).toMatchObject({ total: 2 })
})

test('a collaboration has no more participants than are allowed', async () => {
  await using portal = await startPortal({ environment: { LIMIT_PARTICIPANTS: '2' }, isReused: false })
  const host = await hostCollaboration(portal)
  const { response } = await inviteNeighbour(host)
  await addGuests(new RawDatabase(portal), host.collaborationId, 1)
  expect(await host.importResponse(response)).toEqual(
    refused('import invitation response', 'The collaboration has 2 participants; at most 2 are allowed.'),
  )
  await host.client.post(`${host.path}/participants/Guest00000000001/remove`)
  expect(await host.importResponse(response)).not.toHaveProperty('error')
})

test('a page of workspaces with many participants ends early, and the next one goes on', async () => {
  await using portal = await startPortal({ isReused: false })
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
