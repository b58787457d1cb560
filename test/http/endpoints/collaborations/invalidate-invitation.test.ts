import { hostCollaboration } from '../../../support/portal/collaboration-host.ts'
import { startOfTests, startPortal } from '../../../support/portal/portal.ts'
import { expect, test } from '../../../support/portal/test.ts'

test.each([
  ['get', 'get'],
  ['get', 'post'],
  ['post', 'get'],
  ['post', 'post'],
] as const)('%s and then %s take the invitation back with success, once and no other one', async (...methods) => {
  await using portal = await startPortal()
  const host = await hostCollaboration(portal)
  const [invitation, other] = [await host.invite(), await host.invite()]
  for (const method of methods) {
    portal.clock.now += 1
    expect(await host.client[method](`${invitation.path}/invalidate`)).toEqual({ success: true })
  }
  const at = startOfTests + 1
  const step = { event: 'invalidate', from: 'host_created', to: 'host_invalidated', username: 'admin', at }
  expect(await host.read(invitation)).toMatchObject({
    ...{ status: 'host_invalidated', invitationString: invitation.text, modified: at, timeLeft: 0 },
    history: [{ event: 'create' }, step],
  })
  expect(await host.read(other)).toMatchObject({ status: 'host_created' })
  const { items } = await host.client.get('/portals/self/history', { all: true, actions: 'invalidate' })
  expect(items).toMatchObject([{ id: invitation.id, created: at }])
})

test.for([
  ['?f=html', '*/*'],
  ['', 'text/html,application/xhtml+xml,*/*;q=0.8'],
] as const)('GET for HTML shows a form and changes nothing: "%s", %s', async ([query, accept], { host }) => {
  const invitation = await host.invite()
  const before = await host.read(invitation)
  const response = await host.client.send(`${invitation.path}/invalidate${query}`, { headers: { accept } })
  expect(response.statusCode).toBe(200)
  expect(response.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(response.body).toContain('<form')
  expect(response.body).toContain('Invalidate invitation')
  expect(await host.read(invitation)).toEqual(before)
})

test('a browser invalidates by GET for JSON, and by POST for a page', async ({ host }) => {
  const [first, second] = [await host.invite(), await host.invite()]
  const json = await host.client.send(`${first.path}/invalidate?f=json`, { headers: { accept: 'text/html' } })
  expect(json.json()).toEqual({ success: true })
  const page = await host.client.send(`${second.path}/invalidate?f=html`, { form: '' })
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
  for (const one of [first, second]) expect(await host.read(one)).toMatchObject({ status: 'host_invalidated' })
})
