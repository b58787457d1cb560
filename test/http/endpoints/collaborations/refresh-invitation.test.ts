import type { Invitation } from '../../../../src/collaborations/invitation.ts'
import type { WriteCommand } from '../../../../src/operations/command.ts'
import { write } from '../../../../src/operations/execute.ts'
import { hostCollaboration } from '../../../support/portal/collaboration-host.ts'
import { startOfTests, startPortal } from '../../../support/portal/portal.ts'
import { expect, test } from '../../../support/portal/test.ts'

const hour = 3_600_000
const minute = 60_000

test('it answers a new file with 72 hours from now', async ({ portal, host }) => {
  const invitation = await host.invite({ expiration: 1 })
  const { invitationRequest: before } = JSON.parse(invitation.text)
  portal.clock.now += 30 * minute
  const response = await host.client.send(`${invitation.path}/refresh`, { form: '' })
  expect(response.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'content-disposition': 'attachment; filename="collaboration-guest.example.org.invite"',
  })
  expect(response.json().invitationRequest).toEqual({ ...before, expiration: startOfTests + 30 * minute + 72 * hour })
})

test('it is refreshed as often as one likes', async ({ portal, host }) => {
  const invitation = await host.invite()
  const files = new Set([invitation.text])
  for (let round = 1; round <= 5; round += 1) {
    portal.clock.now += 1
    files.add(JSON.stringify(await host.client.post(`${invitation.path}/refresh`)))
  }
  expect(files.size).toBe(6)
  expect((await host.read(invitation)).history).toHaveLength(6)
})

test('the file is the same bytes in every format', async ({ host }) => {
  const invitation = await host.invite()
  for (const f of ['json', 'pjson', 'html']) {
    const { body, headers } = await host.client.send(`${invitation.path}/refresh?f=${f}`, { form: '' })
    expect(headers['content-disposition']).toContain('attachment')
    expect((await host.read(invitation)).invitationString).toBe(body)
  }
})

test('it carries the names that the workspaces have, and what the guest was invited to do', async ({ portal }) => {
  const host = await hostCollaboration(portal, undefined, { name: 'Alps', workspaceName: 'Sheets' })
  const wish = { collaborationWorkspacesParticipantConfigJSON: [{ [host.workspaceId]: 'receive' }] }
  const invitation = await host.invite(wish)
  const { invitationRequest } = await host.client.post(`${invitation.path}/refresh`)
  expect(invitationRequest).toMatchObject({
    id: invitation.id,
    collaborationName: 'Alps',
    collaborationWorkspaces: [{ id: host.workspaceId, name: 'Sheets', accessMode: 'receive' }],
  })
})

test('of two refreshes that were drafted together, the second answers the file of the first and changes nothing', async () => {
  await using portal = await startPortal()
  const { storage, random } = portal.server.dependencies
  const host = await hostCollaboration(portal)
  const { id, path } = await host.invite()
  const { id: portalId } = await host.client.get('/portals/self')
  const drafted = (await storage.read(({ collaborations }) => collaborations.findInvitation(id)))!
  const finish = (file: string): Promise<Invitation> =>
    write<'refreshInvitation'>(storage, {
      operation: 'refreshInvitation',
      input: {
        ...{ portalId, collaborationId: host.collaborationId, invitationId: id },
        renewed: { ...drafted, file, digest: random.hashToken(file) },
      },
      ...{ tokenHash: random.hashToken(host.client.token!), now: portal.clock.now, problems: [] },
      origin: { address: 'localhost', target: '/', requestId: random.id() },
    } as WriteCommand<'refreshInvitation'>)
  expect((await finish('{"first":1}')).file).toBe('{"first":1}')
  expect((await finish('{"second":2}')).file).toBe('{"first":1}')
  const { invitationString, history } = await host.client.get(path)
  expect(invitationString).toBe('{"first":1}')
  expect(history).toHaveLength(2)
})
