import { expect, test } from 'vitest'
import { RawDatabase } from '../../support/databases/raw-database.ts'
import { hostCollaboration, inviteNeighbour } from '../../support/portal/collaboration-host.ts'
import { refused } from '../../support/portal/envelopes.ts'
import { startOfTests, startPortal } from '../../support/portal/portal.ts'

/** One server for both tests. */
const environment = { LIMIT_WORKSPACES: '2', LIMIT_PARTICIPANTS: '2' }

test('a collaboration has no more workspaces than are allowed', async () => {
  await using portal = await startPortal({ environment })
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
  await using portal = await startPortal({ environment })
  const host = await hostCollaboration(portal)
  const { response } = await inviteNeighbour(host)
  await new RawDatabase(portal).run(`
    insert into participants (collaboration_id, portal_id, portal_name, portal_url, role, contact_first_name,
      contact_last_name, contact_email, created_at, modified_at)
    values ('${host.collaborationId}', 'Guest00000000001', 'Guest', 'https://guest1', 'Guest', '', '', '',
      ${startOfTests}, ${startOfTests})`)
  expect(await host.importResponse(response)).toEqual(
    refused('import invitation response', 'The collaboration has 2 participants; at most 2 are allowed.'),
  )
  await host.client.post(`${host.path}/participants/Guest00000000001/remove`)
  expect(await host.importResponse(response)).not.toHaveProperty('error')
})
