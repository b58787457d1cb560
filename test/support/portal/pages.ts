import { expect } from 'vitest'
import type { Endpoint } from '../../../src/http/endpoints/endpoint.ts'
import { endpointTable } from '../../../src/http/endpoints/table.ts'
import type { PageContent } from '../../../src/http/pages/directory-page.ts'
import type { Client, TestPortal } from './portal.ts'

/** Pages of the directory, and what stands in them. */

/** Path of the API in pages that no server has sent. */
export const base = '/portal/sharing/rest'
export const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

export async function readPage(portal: TestPortal, path: string, client?: Client): Promise<string> {
  const token = client?.token === undefined ? {} : { 'x-esri-authorization': `Bearer ${client.token}` }
  const response = await portal.inject({ url: path, headers: { ...browser, ...token } })
  expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  return response.body
}

/** The page that answers a form, as scripts send it. */
export async function sendForm(client: Client, path: string, parameters: Record<string, string>): Promise<string> {
  const response = await client.send(path, { form: { ...parameters, f: 'html' } })
  return response.body
}

export function outcomeOf(page: string): string | undefined {
  return /<main[^>]* data-outcome="(\d*)"/.exec(page)?.[1]
}

export function linksOf(page: string): readonly string[] {
  return [...page.matchAll(/ href="([^"]*)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'))
}

export function pageContent(row: Endpoint, content: Partial<PageContent> = {}): PageContent {
  const ids = row.example.ids ?? {}
  const given = () => undefined
  return {
    table: endpointTable,
    base,
    contextPath: '/portal',
    row,
    ids,
    given,
    isSent: false,
    isGivenElsewhere: false,
    ...content,
  }
}

/** An open invitation; resolves with its path. */
export async function invite(admin: Client, parameters: Record<string, string> = {}): Promise<string> {
  const wish = { name: 'Alpine maps', workspaceName: 'Base maps', ...parameters }
  const { collaboration } = await admin.post('/portals/self/createCollaboration', wish)
  const path = `/portals/self/collaborations/${collaboration.id}`
  const { workspaces } = await admin.get(`${path}/workspaces`)
  await admin.post(`${path}/inviteParticipant`, {
    guestPortalUrl: 'https://guest.example.org/portal',
    collaborationWorkspacesParticipantConfigJSON: [{ [workspaces[0].id]: 'send' }],
  })
  const { collaborationInvitations } = await admin.get(`${path}/invitations`)
  return `${path}/invitations/${collaborationInvitations[0].id}`
}
