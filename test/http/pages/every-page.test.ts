import type { Endpoint } from '../../../src/http/endpoints/endpoint.ts'
import { segmentsOf } from '../../../src/http/endpoints/places.ts'
import { endpointTable } from '../../../src/http/endpoints/table.ts'
import { formatDirectoryPage, type PageContent } from '../../../src/http/pages/directory-page.ts'
import { base, invite, linksOf, outcomeOf, pageContent, readPage } from '../../support/portal/pages.ts'
import type { Client } from '../../support/portal/portal.ts'
import { describe, expect, test } from '../../support/portal/test.ts'

/** Text as it stands in a page. */
function escaped(text: string): string {
  return [...text]
    .map(
      (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[character] ?? character,
    )
    .join('')
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
  test('has a page that shows what the row says', () => {
    const missing = endpointTable.flatMap((row) => {
      const page = formatDirectoryPage(pageContent(row))
      const plain = page.replaceAll(/<\/?code>/g, '')
      const parameters = Object.entries(row.parameters)
      const texts = [row.title, row.summary, row.who]
      texts.push(...parameters.map(([, { meaning }]) => meaning))
      const untold = texts.filter((text) => !plain.includes(escaped(text.replaceAll('`', ''))))
      const unasked = parameters.filter(([name, { isRequired }]) => {
        const field = new RegExp(
          `id="parameter-${name}" name="${name}" aria-describedby="parameter-${name}-meaning"[^>]*${isRequired ? ' required' : ''}`,
        )
        const meaning = new RegExp(`<p class="meaning" id="parameter-${name}-meaning">(<code>)?[^<\\s]`)
        return !page.includes(`<label for="parameter-${name}">`) || !field.test(page) || !meaning.test(page)
      })
      return [...untold, ...unasked.map(([name]) => name)].map((text) => [row.id, text])
    })
    expect(missing).toEqual([])
  })

  test('is reached by links from the root', async ({ portal, admin }) => {
    await fill(admin)
    await fillGroups(admin)
    const seen = new Set<string>()
    const waiting = [base]
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      if (seen.has(path)) continue
      seen.add(path)
      // The data of an item has no page.
      if (/\/items\/\w+\/data$/.test(path)) continue
      // Responses there are for programs, whatever they accept.
      if (path.includes('/oauth2/') && !path.includes('/oauth2/apps/')) continue
      const page = await readPage(portal, path.slice(base.length), admin)
      // Messages to a user are read by no other user, not even by an administrator.
      const isSentToAnother = /\/users\/(anna|bruno)\/(invitations|notifications)/.test(path)
      const isOfNoApp = path.endsWith('/registeredAppInfo') && outcomeOf(page) !== ''
      expect([path, outcomeOf(page)]).toEqual([path, isSentToAnother ? '403' : isOfNoApp ? '404' : ''])
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
  await admin.post('/portals/self/categorySchemaTemplates', { name: 'regions', title: 'Regions', from: 'org' })
  for (const path of [`/community/groups/${group.id}`, '/portals/self']) {
    await admin.post(`${path}/categorySchema/drafts`, { name: 'Next', categorySchema })
  }
  await admin.post('/portals/self/webhooks/createWebhook', { name: 'Reader', url: 'pull:', events: '/roles' })
  await admin.createRole('Cataloguer', ['portal:user:createGroup'])
  await admin.post('/community/users/admin/transferItems', { delete: 'true' })
  await admin.post('/content/changeItems', { q: '*', change: '{"tags":{"add":["lake"]}}' })
  await invite(admin)
}

/** An item in a group; an invitation to a group, a request to join one, and the notification of it; what can be undone. */
async function fillGroups(admin: Client): Promise<void> {
  const anna = await admin.invite('anna')
  const { id: ownId } = await admin.createGroup('Lakes', { access: 'org' })
  const { id: itemId } = await admin.post('/content/users/admin/addItem', { title: 'Lakes', type: 'Web Map' })
  await admin.post('/content/users/admin/shareItems', { items: itemId, groups: ownId })
  const application = { title: 'Map of lakes', type: 'Application' }
  const { id: registered } = await admin.post('/content/users/admin/addItem', application)
  const redirect_uris = JSON.stringify(['https://lakes.example.com/'])
  const app = await admin.post('/oauth2/registerApp', { itemId: registered, appType: 'server', redirect_uris })
  await admin.post(`/oauth2/apps/${app.client_id}/renewSecret`)
  await anna.post(`/community/groups/${ownId}/join`)
  const { id: otherId } = await anna.createGroup('Rivers')
  await anna.post(`/community/groups/${otherId}/invite`, { users: 'admin', role: 'group_member' })
  await admin.invite('bruno')
  await admin.post('/community/users/bruno/disable')
  const { id: joinedId } = await anna.createGroup('Roads', { access: 'org', isInvitationOnly: 'false' })
  await admin.post(`/community/groups/${joinedId}/join`)
  await anna.post(`/community/groups/${joinedId}/protect`)
}

const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)>' onfocus='alert(1)&lt;`

/** Replaces every text of the value by the hostile text, names of members included. */
function spoil(value: unknown): unknown {
  if (typeof value === 'string') return hostile
  if (Array.isArray(value)) return value.map(spoil)
  if (typeof value !== 'object' || value === null) return value
  const spoiled = Object.entries(value).map(([name, member]) => [name, spoil(member)])
  return Object.fromEntries([...spoiled, [hostile, hostile]])
}

/** Attributes that pages have; every other one came from a user's text. */
const attributes = new Set(
  (
    'action aria-current aria-describedby aria-label aria-labelledby autocapitalize autocomplete charset class content data-action ' +
    'data-base data-kind data-outcome data-reads data-scripted data-sent data-unscripted enctype for formmethod formnovalidate ' +
    'href id lang max method min name open rel required role rows selected spellcheck src step tabindex type value wrap'
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
  test('in the page of every row, with a form, an answer and an error', () => {
    const error = { code: 400, messageCode: hostile, message: hostile, details: [hostile] }
    const unescaped = endpointTable.flatMap((row) => {
      const ids = Object.fromEntries(Object.keys(row.example.ids ?? {}).map((name) => [name, hostile]))
      const answer = { json: spoil(row.example.answer) as object }
      const outcomes: readonly Partial<PageContent>[] = [{}, { answer }, { envelope: { error } }]
      const pages = outcomes.map((outcome) => pageContent(row, { ids, given: () => hostile, ...outcome }))
      return pages.flatMap((page) => findUnescaped(formatDirectoryPage(page))).map((text) => [row.id, text])
    })
    expect(unescaped).toEqual([])
  })

  test('the check finds what is not escaped', () => {
    expect(findUnescaped(`<p>${hostile}</p>`)).not.toEqual([])
    expect(findUnescaped(`<p class="${hostile}"></p>`)).not.toEqual([])
    expect(findUnescaped('<p onclick="alert(1)"></p>')).toEqual(['onclick'])
  })
})
