import { request as httpRequest } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { startListeningPortal } from '../support/portal/listening-portal.ts'
import { type Body, formEncode } from '../support/portal/portal.ts'

/** One client writes every parameter of an assignment into the query of a POST that has neither body nor type. */

/** 200 categories in five trees; more than 16 KB in a query. */
const largeSchema = {
  categorySchema: ['A', 'B', 'C', 'D', 'E'].map((title) => ({
    title,
    categories: Array.from({ length: 39 }, (_, number) => ({
      title: `${title} ${number}`,
      description: 'Was hier an Höhen liegt',
    })),
  })),
}

/** A POST with nothing but its request line and these headers. */
async function postBare(url: string, headers: Record<string, string> = {}): Promise<Body> {
  const answer = await new Promise<string>((resolve, reject) => {
    httpRequest(url, { method: 'POST', headers }, (response) => resolve(text(response)))
      .on('error', reject)
      .end()
  })
  return JSON.parse(answer)
}

test('a schema of 16 KB in the query of a POST without a body is assigned', async () => {
  await using portal = await startListeningPortal()
  const { token } = await portal.identity()
  const query = formEncode({ f: 'json', token, categorySchema: largeSchema })
  expect(query.length).toBeGreaterThan(16_384)
  const answer = await postBare(`${portal.url}/portals/self/assignCategorySchema?${query}`)
  expect(answer).toEqual({ success: true })
  expect(portal.lastArrival.headers).not.toHaveProperty('content-type')
  expect(portal.lastArrival.headers).toMatchObject({ 'content-length': '0' })
  expect(await (await portal.admin()).get('/portals/self/categorySchema')).toEqual(largeSchema)
})

test('a schema of 200 KB in the query gets its verdict, not a broken line', async () => {
  await using portal = await startListeningPortal()
  const { token } = await portal.identity()
  const categorySchema = { categorySchema: [{ title: 'A', description: 'd'.repeat(200_000) }] }
  const query = formEncode({ f: 'json', token, categorySchema })
  const { error } = await postBare(`${portal.url}/portals/self/assignCategorySchema?${query}`)
  expect(error).toMatchObject({ code: 400, messageCode: 'ORG_1132' })
})

test('more than 256 KB in the query are refused with the envelope: 431', async () => {
  await using portal = await startListeningPortal()
  const { error } = await postBare(`${portal.url}/info?filler=${'x'.repeat(256 * 1024)}`)
  expect(error.code).toBe(431)
})

test('a schema in the query with the token in a header is assigned to a group', async () => {
  await using portal = await startListeningPortal()
  const admin = await portal.admin()
  const { id } = await admin.createGroup('Maps')
  const categorySchema = { categorySchema: [{ title: 'Region' }] }
  const query = formEncode({ f: 'json', categorySchema })
  const answer = await postBare(`${portal.url}/community/groups/${id}/assignCategorySchema?${query}`, {
    'X-Esri-Authorization': `Bearer ${admin.token}`,
  })
  expect(answer).toEqual({ success: true })
  expect(await admin.get(`/community/groups/${id}/categorySchema`)).toEqual(categorySchema)
})

test('a schema in the body wins over one in the query', async () => {
  await using portal = await startListeningPortal()
  const admin = await portal.admin()
  const inQuery = { categorySchema: [{ title: 'Query' }] }
  const inBody = { categorySchema: [{ title: 'Body' }] }
  const query = formEncode({ token: admin.token, categorySchema: inQuery })
  await fetch(`${portal.url}/portals/self/assignCategorySchema?${query}`, {
    method: 'POST',
    body: new URLSearchParams({ CATEGORYSCHEMA: JSON.stringify(inBody) }),
  })
  expect(await admin.get('/portals/self/categorySchema')).toEqual(inBody)
})

test('an invitation is invalidated by a POST without a body', async () => {
  await using portal = await startListeningPortal()
  const admin = await portal.admin()
  const collaborations = '/portals/self/collaborations'
  const { collaboration } = await admin.post('/portals/self/createCollaboration', {
    name: 'Alpine maps',
    workspaceName: 'Base maps',
  })
  const path = `${collaborations}/${collaboration.id}`
  const { workspaces } = await admin.get(`${path}/workspaces`)
  await admin.post(`${path}/inviteParticipant`, {
    guestPortalUrl: 'https://guest.example.org/portal',
    collaborationWorkspacesParticipantConfigJSON: [{ [workspaces[0].id]: 'send' }],
  })
  const { collaborationInvitations } = await admin.get(`${path}/invitations`)
  const invitation = `${path}/invitations/${collaborationInvitations[0].id}`
  const answer = await postBare(`${portal.url}${invitation}/invalidate?f=pjson&token=${admin.token}`)
  expect(answer).toEqual({ success: true })
  expect(await admin.get(invitation)).toMatchObject({ status: 'host_invalidated' })
})
