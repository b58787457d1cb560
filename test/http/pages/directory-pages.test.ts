import { describe, expect, test } from 'vitest'
import type { Endpoint } from '../../../src/http/endpoints/endpoint.ts'
import { endpointTable } from '../../../src/http/endpoints/table.ts'
import { formatDirectoryPage, type PageContent } from '../../../src/http/pages/directory-page.ts'
import { segmentsOf } from '../../../src/http/pages/places.ts'
import { limitTable } from '../../../src/limits.ts'
import { type Client, startPortal, type TestPortal } from '../../support/portal/portal.ts'

const base = '/portal/sharing/rest'
const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

async function readPage(portal: TestPortal, path: string, client?: Client): Promise<string> {
  const token = client?.token === undefined ? {} : { 'x-esri-authorization': `Bearer ${client.token}` }
  const response = await portal.inject({ url: path, headers: { ...browser, ...token } })
  expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  return response.body
}

/** The page that answers a form, as scripts send it. */
async function sendForm(client: Client, path: string, parameters: Record<string, string>): Promise<string> {
  const response = await client.portal.inject({
    method: 'POST',
    url: path,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-esri-authorization': `Bearer ${client.token}`,
    },
    payload: new URLSearchParams({ ...parameters, f: 'html' }).toString(),
  })
  return response.body
}

function outcomeOf(page: string): string | undefined {
  return /<main[^>]* data-outcome="(\d*)"/.exec(page)?.[1]
}

function linksOf(page: string): readonly string[] {
  return [...page.matchAll(/ href="([^"]*)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'))
}

/** Text as it stands in a page. */
function escaped(text: string): string {
  return [...text]
    .map(
      (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[character] ?? character,
    )
    .join('')
}

function pageContent(row: Endpoint, content: Partial<PageContent> = {}): PageContent {
  const ids = row.example.ids ?? {}
  const given = () => undefined
  return { table: endpointTable, base, contextPath: '/portal', row, ids, given, isGivenElsewhere: false, ...content }
}

function matches(row: Endpoint, path: string): boolean {
  const wanted = segmentsOf(row.path)
  const given = segmentsOf(path)
  return (
    wanted.length === given.length &&
    wanted.every((segment, position) => segment.startsWith(':') || segment === given[position])
  )
}

describe('every row of the table', () => {
  test.each(endpointTable.map((row) => [row.id, row] as const))(
    '%s has a page that tells what the row says',
    (_, row) => {
      const page = formatDirectoryPage(pageContent(row))
      const words = [row.title, row.summary, row.who, row.source, row.since ?? '', ...(row.chosen ?? [])]
      const parameters = Object.entries(row.parameters)
      for (const text of [...words, ...parameters.map(([, { meaning }]) => meaning)])
        expect(page).toContain(escaped(text))
      for (const [name, { isRequired }] of parameters) {
        expect(page).toContain(`<label for="parameter-${name}">`)
        expect(page).toMatch(new RegExp(`id="parameter-${name}" name="${name}"[^>]*${isRequired ? ' required' : ''}`))
      }
    },
  )

  test('is reached by links from the root', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    await fill(admin)
    await fillGroups(admin)
    const seen = new Set<string>()
    const waiting = [base]
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      if (seen.has(path)) continue
      seen.add(path)
      // The data of an item has no page.
      if (/\/items\/\w+\/data$/.test(path)) continue
      const page = await readPage(portal, path.slice(base.length), admin)
      // What is sent to a user is read by nobody else, not even by an administrator.
      const isSentToAnother = /\/users\/anna\/(invitations|notifications)/.test(path)
      expect([path, outcomeOf(page)]).toEqual([path, isSentToAnother ? '403' : ''])
      waiting.push(
        ...linksOf(page)
          .map((href) => href.split('?', 1)[0]!)
          .filter((href) => href.startsWith(base)),
      )
    }
    const paths = [...seen].map((path) => path.slice(base.length))
    const unreached = endpointTable.filter((row) => !row.isAlwaysRefused && !paths.some((path) => matches(row, path)))
    expect(unreached.map(({ id }) => id)).toEqual([])
  })
})

/** At least one of everything that has a page. */
async function fill(admin: Client): Promise<void> {
  const group = await admin.createGroup('Land cover')
  const categorySchema = { categorySchema: [{ title: 'Region', categories: [{ title: 'World' }] }] }
  await admin.post(`/community/groups/${group.id}/assignCategorySchema`, { categorySchema })
  await admin.post('/portals/self/assignCategorySchema', { categorySchema })
  await admin.createRole('Cataloguer', ['portal:user:createGroup'])
  await invite(admin)
}

/** An item in a group; an invitation to a group, a request to join one, and the notification of it. */
async function fillGroups(admin: Client): Promise<void> {
  const anna = await admin.invite('anna')
  const { id: ownId } = await admin.createGroup('Lakes', { access: 'org' })
  const { id: itemId } = await admin.post('/content/users/admin/addItem', { title: 'Lakes', type: 'Web Map' })
  await admin.post('/content/users/admin/shareItems', { items: itemId, groups: ownId })
  await anna.post(`/community/groups/${ownId}/join`)
  const { id: otherId } = await anna.createGroup('Rivers')
  await anna.post(`/community/groups/${otherId}/invite`, { users: 'admin', role: 'group_member' })
}

/** An open invitation; answers its path. */
async function invite(admin: Client, parameters: Record<string, string> = {}): Promise<string> {
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

const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)>' onfocus='alert(1)&lt;`

/** The same value with the hostile text in place of every text, names of members included. */
function spoil(value: unknown): unknown {
  if (typeof value === 'string') return hostile
  if (Array.isArray(value)) return value.map(spoil)
  if (typeof value !== 'object' || value === null) return value
  const spoiled = Object.entries(value).map(([name, member]) => [name, spoil(member)])
  return Object.fromEntries([...spoiled, [hostile, hostile]])
}

/** Attributes that pages have; every other one came from somebody's text. */
const attributes = new Set(
  (
    'action aria-busy aria-current aria-describedby aria-label aria-labelledby autocapitalize autocomplete charset class ' +
    'content data-action data-base data-keeps data-kind data-outcome data-scripted data-sign-in data-unscripted datetime enctype for hidden ' +
    'href id lang ' +
    'max method min name open rel required role rows scope selected spellcheck src step tabindex type value wrap'
  ).split(' '),
)

/** Whatever of a page is neither one of our tags nor escaped text. */
function findUnescaped(page: string): readonly string[] {
  const strange: string[] = []
  const rest = page.replace(/<!doctype html>|<\/?[a-z][a-z0-9]*((?:\s+[a-z-]+(?:="[^"<>]*")?)*)>/g, (_, given = '') => {
    const names = [...given.matchAll(/\s([a-z-]+)(?:="[^"]*")?/g)].map(([, name]) => name)
    strange.push(...names.filter((name) => !attributes.has(name)))
    return ''
  })
  return [...strange, ...(rest.match(/.{0,40}[<>"'].{0,40}/g) ?? [])]
}

describe('whatever a page is made of is escaped', () => {
  test.each(endpointTable.map((row) => [row.id, row] as const))('%s', (_, row) => {
    const ids = Object.fromEntries(Object.keys(row.example.ids ?? {}).map((name) => [name, hostile]))
    const answer = { json: spoil(row.example.answer) as object }
    const error = { code: 400, messageCode: hostile, message: hostile, details: [hostile] }
    const outcomes: readonly Partial<PageContent>[] = [{}, { answer }, { envelope: { error } }]
    for (const outcome of outcomes) {
      const page = formatDirectoryPage(pageContent(row, { ids, given: () => hostile, ...outcome }))
      expect(findUnescaped(page)).toEqual([])
    }
  })

  test('the check finds what is not escaped', () => {
    expect(findUnescaped(`<p>${hostile}</p>`)).not.toEqual([])
    expect(findUnescaped(`<p class="${hostile}"></p>`)).not.toEqual([])
    expect(findUnescaped('<p onclick="alert(1)"></p>')).toEqual(['onclick'])
  })
})

describe('forms', () => {
  test('a link to an operation shows its form and changes nothing', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    const invitation = await invite(admin)
    const page = await readPage(portal, `${invitation}/invalidate`, admin)
    expect(page).toContain('<button type="submit">Invalidate invitation</button>')
    expect(await admin.get(invitation)).toMatchObject({ status: 'host_created' })
  })

  test('a refused form keeps what was filled in', async () => {
    await using portal = await startPortal()
    const page = await sendForm(await portal.admin(), '/community/createGroup', { title: 'A "map"', access: 'nobody' })
    expect(outcomeOf(page)).toBe('400')
    expect(page).toContain('value="A &quot;map&quot;"')
    expect(page).toContain('access: has to be one of')
  })

  test('a form that was done is empty again and leads back', async () => {
    await using portal = await startPortal()
    const page = await sendForm(await portal.admin(), '/portals/self/createRole', { name: 'Cataloguer' })
    expect(page).toContain('<h2 id="answer-heading" tabindex="-1">Done</h2>')
    expect(page).not.toContain('value="Cataloguer"')
    expect(page).toContain(`<a href="${base}/portals/self">Back to Organization</a>`)
  })

  test('a secret is never shown again', async () => {
    await using portal = await startPortal()
    const secrets = { oldPassword: 'an old wrong one', newPassword: 'the new long one' }
    const page = await sendForm(await portal.admin(), '/community/users/admin/changePassword', secrets)
    expect(page).toContain('oldPassword: is not the present password.')
    expect(page).not.toMatch(/an old wrong one|the new long one/)
  })

  test('a form with a file is sent as multipart, any other is not', () => {
    const formOf = (wanted: string) => {
      const page = formatDirectoryPage(pageContent(endpointTable.find(({ id }) => id === wanted)!))
      return /<form class="call".*?<\/form>/s.exec(page)![0]
    }
    const form = formOf('importInvitationResponse')
    expect(form).toMatch(/^<form [^>]*method="post"[^>]* enctype="multipart\/form-data"/)
    expect(form).toMatch(/<input type="file" id="parameter-invitationResponseFile" name="invitationResponseFile"/)
    expect(formOf('exportInvitationResponse')).not.toContain('enctype')
  })

  test('a text that begins with a line end keeps it', () => {
    const row = endpointTable.find(({ id }) => id === 'assignGroupCategorySchema')!
    expect(formatDirectoryPage(pageContent(row, { given: () => '\n{}' }))).toMatch(
      /<textarea[^>]*>\n\n\{\}<\/textarea>/,
    )
  })
})

describe('a form that a link has filled in', () => {
  const link = '/portals/self/updateUserRole?f=html&user=mallory&role=org_admin'
  const marks = (page: string) => page.match(/Filled in by a link\./g)?.length ?? 0
  const isChecked = (page: string) =>
    /<form class="call"[^>]*method="post".*<input type="checkbox" required>.*<\/form>/s.test(page)

  test('marks the values and is sent only after they were checked', async () => {
    await using portal = await startPortal()
    const page = await readPage(portal, link, await portal.admin())
    expect(page).toContain('value="mallory"')
    expect([marks(page), isChecked(page)]).toEqual([2, true])
  })

  test('is so too where a form of another site has sent it', async () => {
    await using portal = await startPortal()
    const send = (headers: Readonly<Record<string, string>>) =>
      portal.inject({
        method: 'POST',
        url: '/portals/self/updateUserRole',
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        payload: 'f=html&user=mallory&role=org_admin',
      })
    for (const headers of [{}, { 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'none' }]) {
      const { body } = await send(headers)
      expect([marks(body), isChecked(body)]).toEqual([2, true])
    }
    const { body } = await send({ 'sec-fetch-site': 'same-origin' })
    expect([marks(body), isChecked(body), body.includes('value="mallory"')]).toEqual([0, false, true])
  })

  test('is a usual one after the refusal of what was sent by it, and where the link gives nothing', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    const refused = await sendForm(admin, '/portals/self/updateUserRole', { user: 'mallory', role: 'org_admin' })
    expect([outcomeOf(refused), marks(refused), isChecked(refused)]).toEqual(['400', 0, false])
    for (const path of ['/portals/self/updateUserRole', '/portals/self/updateUserRole?user=&q=x']) {
      const page = await readPage(portal, path, admin)
      expect([marks(page), isChecked(page)]).toEqual([0, false])
    }
  })

  test('is a usual one where it only reads', async () => {
    await using portal = await startPortal()
    const page = await readPage(portal, '/community/groups?q=map', await portal.admin())
    expect(page).toContain('value="map"')
    expect([marks(page), page.includes('checkbox')]).toEqual([0, false])
  })
})

describe('a page is about as large for any answer', () => {
  const rowOf = (id: string) => endpointTable.find((row) => row.id === id)!
  const [group] = (rowOf('searchGroups').example.answer as { results: readonly object[] }).results
  const groups = (count: number, description: string) => ({
    total: count,
    start: 1,
    num: count,
    nextStart: -1,
    results: Array.from({ length: count }, (_, at) => ({
      ...group,
      id: `group${at}`,
      title: `Map ${at}`,
      description,
    })),
  })

  test('a list shows its first entries, says so, and leads to the whole answer', () => {
    const given = (name: string) => ({ q: 'map & sea', num: '3000' })[name]
    const page = formatDirectoryPage(
      pageContent(rowOf('searchGroups'), { answer: { json: groups(3_000, '<'.repeat(10_000)) }, given }),
    )
    expect(page.length).toBeLessThan(limitTable.answerBytes.least)
    expect(page).toContain('This page shows the first part of the answer.')
    expect(linksOf(page)).toContain(`${base}/community/groups?q=map+%26+sea&num=3000&f=pjson`)
    expect(page).toContain('>Map 0</a>')
    expect(page).not.toContain('Map 2999')
    expect(page).not.toContain('As JSON</summary>')
  })

  test('one of usual size is shown whole, with its JSON', () => {
    const page = formatDirectoryPage(
      pageContent(rowOf('searchGroups'), { answer: { json: groups(100, 'Maps of the sea') } }),
    )
    expect(page).toContain('>Map 99</a>')
    expect(page).toContain('As JSON</summary>')
    expect(page).not.toContain('first part')
  })

  test('an operation that answers much says how to get all of it', () => {
    const row = rowOf('createGroup')
    const page = formatDirectoryPage(
      pageContent(row, { answer: { json: { success: true, list: groups(3_000, '').results } } }),
    )
    expect(page).toContain('This page shows the first part of the answer; clients get all of it with f=json.')
  })

  test('long ids, long errors and long values of fields are not repeated', () => {
    const long = '<'.repeat(240_000)
    const envelope = {
      error: { code: 400, message: 'Unable to.', details: Array.from({ length: 10_000 }, () => long) },
    }
    for (const row of endpointTable) {
      const ids = Object.fromEntries(Object.keys(row.example.ids ?? {}).map((name) => [name, long]))
      expect(formatDirectoryPage(pageContent(row, { ids, envelope, given: () => long })).length).toBeLessThan(
        limitTable.answerBytes.least,
      )
    }
  })
})

describe('resources', () => {
  test('a list leads to its next and previous page with the parameters it was asked with, and without the token', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    for (const title of ['Map a', 'Map b', 'Map c', 'Sea']) await admin.createGroup(title)
    const page = await readPage(portal, `/community/groups?q=map&num=1&start=2&token=${admin.token}`)
    const paging = linksOf(page).filter((href) => href.includes('start='))
    expect(paging).toEqual(
      ['q=map&start=1&num=1', 'q=map&start=3&num=1'].map((query) => `${base}/community/groups?${query}`),
    )
    expect(page).not.toContain(admin.token)
    expect(await readPage(portal, '/community/groups?q=map&start=3&num=1', admin)).not.toContain('rel="next"')
  })

  test('an entry with a page of its own leads there', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    const group = await admin.createGroup('Land cover')
    const page = await readPage(portal, '/community/groups', admin)
    expect(page).toContain(`<a href="${base}/community/groups/${group.id}">Land cover</a>`)
  })

  test('JSON of a client that is nested as deep as it may be is shown', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    const config = `{"deep":${'['.repeat(19)}${']'.repeat(19)}}`
    const path = (await invite(admin, { config })).replace(/\/invitations.*/, '')
    const page = await readPage(portal, path, admin)
    expect(outcomeOf(page)).toBe('')
    expect(page).toContain('[[[[[]]]]]')
  })

  test('a number that JavaScript cannot hold keeps its digits', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    const path = (await invite(admin, { config: '{"count":12345678901234567891}' })).replace(/\/invitations.*/, '')
    expect(await readPage(portal, path, admin)).toContain('<span class="number">12345678901234567891</span>')
  })

  test.each([
    ['/community/self', '499', 'Token Required'],
    ['/community/groups?token=unknown', '498', 'Invalid token.'],
    ['/community/groups?num=many', '400', 'num: is not a whole number.'],
    ['/portals/nowhere/nothing', '404', 'Resource does not exist or is inaccessible.'],
  ])('%s answers %s on a page', async (path, code, words) => {
    await using portal = await startPortal()
    const page = await readPage(portal, path)
    expect(outcomeOf(page)).toBe(code)
    expect(page).toContain(words)
    expect(linksOf(page)).toContain(base)
  })
})

describe('around the pages', () => {
  test('nothing inline, no other origin, and nothing but the files may be kept', async () => {
    await using portal = await startPortal()
    const { body, headers } = await portal.inject({ url: '/', headers: browser })
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/)
    expect(headers['cache-control']).toBe('no-store')
    expect(body).not.toMatch(/ style=|<style|<script(?! src="\/portal\/directory\/)/)
    const files = linksOf(body).filter((href) => href.includes('/directory/'))
    const [script] = /(?<=<script src=")[^"]*/.exec(body)!
    expect([...files, script].map((file) => file.replace(/-\w+\./, '.'))).toEqual(
      ['icon.svg', 'page.css', 'page.js'].map((name) => `/portal/directory/${name}`),
    )
    for (const file of [...files, script]) {
      const response = await portal.server.app.inject(file)
      expect(response.statusCode).toBe(200)
      expect(response.headers['cache-control']).toBe('public, max-age=31536000, immutable')
      expect(response.headers['content-type']).toMatch(/^(image\/svg\+xml|text\/(css|javascript); charset=utf-8)$/)
    }
  })

  test.each([
    ['https://maps.example.com/portal', ['/', '/portal', '/portal/'], '/portal/sharing/rest'],
    ['https://maps.example.com', ['/'], '/sharing/rest'],
  ])('below %s the root leads to the directory', async (publicUrl, paths, target) => {
    await using portal = await startPortal({ environment: { PUBLIC_URL: publicUrl } })
    for (const path of paths) {
      const { statusCode, headers } = await portal.server.app.inject(path)
      expect([path, statusCode, headers.location]).toEqual([path, 302, target])
    }
    expect((await portal.server.app.inject({ method: 'POST', url: '/' })).statusCode).toBe(404)
  })
})
