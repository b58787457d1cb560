import { describe, expect, test } from 'vitest'
import {
  type CollaborationHost,
  hostCollaboration,
  inviteNeighbour,
} from '../../../support/portal/collaboration-host.ts'
import { refused } from '../../../support/portal/envelopes.ts'
import { startOfTests, startPortal } from '../../../support/portal/portal.ts'

const hour = 3_600_000
const alreadyAccepted = refused('invalidate invitation', 'Invitation has already been accepted.')

function authorization(host: CollaborationHost): Record<string, string> {
  return { 'x-esri-authorization': `Bearer ${host.client.token}` }
}

describe('invalidate', () => {
  test.each(['GET', 'POST'] as const)('%s takes the invitation back', async (method) => {
    await using portal = await startPortal()
    const host = await hostCollaboration(portal)
    const invitation = await host.invite()
    portal.clock.now += 1
    const send = method === 'GET' ? host.client.get : host.client.post
    expect(await send.call(host.client, `${invitation.path}/invalidate`)).toEqual({ success: true })
    expect(await host.read(invitation)).toMatchObject({
      status: 'host_invalidated',
      invitationString: invitation.text,
      modified: startOfTests + 1,
      timeLeft: 0,
    })
  })

  test.each([
    ['GET', 'GET'],
    ['GET', 'POST'],
    ['POST', 'GET'],
    ['POST', 'POST'],
  ] as const)('%s and then %s is success both times, and recorded once', async (...methods) => {
    await using portal = await startPortal()
    const host = await hostCollaboration(portal)
    const invitation = await host.invite()
    for (const method of methods) {
      portal.clock.now += 1
      const url = `${invitation.path}/invalidate?f=json`
      const response = await portal.inject({ method, url, headers: authorization(host) })
      expect(response.json()).toEqual({ success: true })
    }
    const { history, modified } = await host.read(invitation)
    expect(history).toHaveLength(2)
    expect(history[1]).toEqual({
      event: 'invalidate',
      from: 'host_created',
      to: 'host_invalidated',
      username: 'admin',
      at: startOfTests + 1,
    })
    expect(modified).toBe(startOfTests + 1)
    const { items } = await host.client.get('/portals/self/history', { all: true, actions: 'invalidate' })
    expect(items).toMatchObject([{ id: invitation.id, created: startOfTests + 1 }])
  })

  test.each(['GET', 'POST'] as const)('%s answers in json and in pjson', async (method) => {
    await using portal = await startPortal()
    const host = await hostCollaboration(portal)
    const invitation = await host.invite()
    const ask = (f: string) =>
      portal.inject({ method, url: `${invitation.path}/invalidate?f=${f}`, headers: authorization(host) })
    const json = await ask('json')
    expect([json.statusCode, json.headers['content-type'], json.body]).toEqual([
      200,
      'application/json; charset=utf-8',
      '{"success":true}',
    ])
    expect((await ask('pjson')).body).toBe('{\n  "success": true\n}')
    expect((await ask('xml')).json()).toMatchObject({ error: { code: 400 } })
  })

  test('f travels in the form of a POST as well', async () => {
    await using portal = await startPortal()
    const host = await hostCollaboration(portal)
    const invitation = await host.invite()
    expect(await host.client.post(`${invitation.path}/invalidate`, { f: 'pjson' })).toEqual({ success: true })
    expect(await host.read(invitation)).toMatchObject({ status: 'host_invalidated' })
  })

  test('POST without a body or a type is legal', async () => {
    await using portal = await startPortal()
    const host = await hostCollaboration(portal)
    const invitation = await host.invite()
    const response = await portal.inject({
      method: 'POST',
      url: `${invitation.path}/invalidate?token=${host.client.token}`,
    })
    expect(response.json()).toEqual({ success: true })
  })

  test.each([{ url: '?f=html' }, { url: '', accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }])(
    'GET for HTML shows a form and changes nothing: %o',
    async ({ url, accept = '*/*' }) => {
      await using portal = await startPortal()
      const host = await hostCollaboration(portal)
      const invitation = await host.invite()
      const before = await host.read(invitation)
      const headers = { ...authorization(host), accept }
      const response = await portal.inject({ url: `${invitation.path}/invalidate${url}`, headers })
      expect(response.statusCode).toBe(200)
      expect(response.headers['content-type']).toBe('text/html; charset=utf-8')
      expect(response.body).toContain('<form')
      expect(response.body).toContain('Invalidate invitation')
      expect(await host.read(invitation)).toEqual(before)
    },
  )

  test('a browser with f=json does invalidate by GET', async () => {
    await using portal = await startPortal()
    const host = await hostCollaboration(portal)
    const invitation = await host.invite()
    const headers = { ...authorization(host), accept: 'text/html' }
    const response = await portal.inject({ url: `${invitation.path}/invalidate?f=json`, headers })
    expect(response.json()).toEqual({ success: true })
    expect(await host.read(invitation)).toMatchObject({ status: 'host_invalidated' })
  })

  test('POST for HTML invalidates', async () => {
    await using portal = await startPortal()
    const host = await hostCollaboration(portal)
    const invitation = await host.invite()
    const url = `${invitation.path}/invalidate?f=html`
    const response = await portal.inject({ method: 'POST', url, headers: authorization(host) })
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(await host.read(invitation)).toMatchObject({ status: 'host_invalidated' })
  })

  test.each(['PUT', 'PATCH', 'DELETE', 'HEAD'] as const)('%s is refused and changes nothing', async (method) => {
    await using portal = await startPortal()
    const host = await hostCollaboration(portal)
    const invitation = await host.invite()
    const url = `${invitation.path}/invalidate`
    const response = await portal.inject({ method, url, headers: authorization(host) })
    if (method !== 'HEAD') expect(response.json()).toMatchObject({ error: { code: 405 } })
    expect(await host.read(invitation)).toMatchObject({ status: 'host_created' })
  })
})

describe('invalidate, state by state', () => {
  test('one past its expiration is invalidated all the same', async () => {
    await using portal = await startPortal()
    const invitation = await (await hostCollaboration(portal)).invite({ expiration: 1 })
    portal.clock.now += 5 * hour
    const admin = await portal.admin()
    expect(await admin.post(`${invitation.path}/invalidate`)).toEqual({ success: true })
    const { status, history } = await admin.get(invitation.path)
    expect(status).toBe('host_invalidated')
    expect(history[1]).toMatchObject({ event: 'invalidate', from: 'host_created', at: startOfTests + 5 * hour })
  })

  test.each(['GET', 'POST'] as const)('%s of an accepted one is refused, and changes nothing', async (method) => {
    await using portal = await startPortal()
    const host = await hostCollaboration(portal)
    const { invitation, response } = await inviteNeighbour(host)
    expect(await host.importResponse(response)).toMatchObject({ success: true })
    const before = await host.read(invitation)
    const send = method === 'GET' ? host.client.get : host.client.post
    expect(await send.call(host.client, `${invitation.path}/invalidate`)).toEqual(alreadyAccepted)
    expect(await host.read(invitation)).toEqual(before)
    expect(before.history.map(({ to }: { to: string }) => to)).toEqual(['host_created', 'host_accepted'])
  })

  test('an accepted one is refused after its expiration too', async () => {
    await using portal = await startPortal()
    const host = await hostCollaboration(portal)
    const { invitation, response } = await inviteNeighbour(host)
    expect(await host.importResponse(response)).toMatchObject({ success: true })
    portal.clock.now += 100 * hour
    expect(await (await portal.admin()).post(`${invitation.path}/invalidate`)).toEqual(alreadyAccepted)
  })

  test('an invalidated one is never accepted', async () => {
    await using portal = await startPortal()
    const host = await hostCollaboration(portal)
    const { invitation, response } = await inviteNeighbour(host)
    await host.client.post(`${invitation.path}/invalidate`)
    expect(await host.importResponse(response)).toEqual(
      refused('import invitation response', 'Invitation has been invalidated.'),
    )
    expect(await host.read(invitation)).toMatchObject({ status: 'host_invalidated', guestPortalId: 'unknown' })
  })

  test('a refreshed one is invalidated, and its history has both', async () => {
    await using portal = await startPortal()
    const host = await hostCollaboration(portal)
    const invitation = await host.invite()
    await host.client.post(`${invitation.path}/refresh`)
    expect(await host.client.post(`${invitation.path}/invalidate`)).toEqual({ success: true })
    const { history } = await host.read(invitation)
    expect(history.map(({ event }: { event: string }) => event)).toEqual(['create', 'refresh', 'invalidate'])
  })

  test('only the one that is named is invalidated', async () => {
    await using portal = await startPortal()
    const host = await hostCollaboration(portal)
    const [first, second] = [await host.invite(), await host.invite()]
    await host.client.get(`${first.path}/invalidate`)
    expect(await host.read(second)).toMatchObject({ status: 'host_created' })
  })
})
