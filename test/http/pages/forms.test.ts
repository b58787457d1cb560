import { endpointTable } from '../../../src/http/endpoints/table.ts'
import { formatDirectoryPage } from '../../../src/http/pages/directory-page.ts'
import { base, invite, outcomeOf, pageContent, readPage, sendForm } from '../../support/portal/pages.ts'
import type { Headers } from '../../support/portal/portal.ts'
import { describe, expect, test } from '../../support/portal/test.ts'

describe('forms', () => {
  test('a link to an operation shows its form and changes nothing', async ({ portal, admin }) => {
    const invitation = await invite(admin)
    const page = await readPage(portal, `${invitation}/invalidate`, admin)
    expect(page).toContain('<button type="submit">Invalidate invitation</button>')
    expect(await admin.get(invitation)).toMatchObject({ status: 'host_created' })
  })

  test('a refused form keeps what was filled in', async ({ portal }) => {
    const page = await sendForm(await portal.admin(), '/community/createGroup', { title: 'A "map"', access: 'nobody' })
    expect(outcomeOf(page)).toBe('400')
    expect(page).toContain('value="A &quot;map&quot;"')
    expect(page).toContain('access: has to be one of')
    const schema = await sendForm(await portal.admin(), '/portals/self/assignCategorySchema', { categorySchema: '[]' })
    expect(schema).toContain('Error 400 · ORG_1132')
  })

  test('a form that was done is empty again and leads back', async ({ portal }) => {
    const page = await sendForm(await portal.admin(), '/portals/self/createRole', { name: 'Cataloguer' })
    expect(page).toContain('<h2 id="answer-heading" tabindex="-1">Done</h2>')
    expect(page).not.toContain('value="Cataloguer"')
    expect(page).toContain(`<a href="${base}/portals/self">Back to Organization</a>`)
  })

  test('a secret is never shown again', async ({ portal }) => {
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

describe('a field of a form that is left empty', () => {
  const schema = { categorySchema: '{"categorySchema":[{"title":"Water"}]}' }

  test('counts as not given, the token too; in a call for JSON it is what is given', async ({ admin }) => {
    const wish = { name: 'Alps', description: 'Of four countries', workspaceName: 'Maps' }
    const { collaboration } = await admin.post('/portals/self/createCollaboration', wish)
    const path = `/portals/self/collaborations/${collaboration.id}`
    expect(outcomeOf(await sendForm(admin, `${path}/updateInfo`, { name: 'Alpine', description: '', token: '' }))).toBe(
      '',
    )
    expect(await admin.get(path)).toMatchObject({ name: 'Alpine', description: 'Of four countries' })
    await admin.post(`${path}/updateInfo`, { description: '' })
    expect(await admin.get(path)).toMatchObject({ name: 'Alpine', description: '' })
  })

  test('is cleared where the form says so', async ({ admin }) => {
    const { id } = await admin.createGroup('Lakes', { snippet: 'Of the Alps' })
    const path = `/community/groups/${id}/update`
    await sendForm(admin, path, { snippet: '', title: 'Rivers' })
    expect(await admin.get(`/community/groups/${id}`)).toMatchObject({ title: 'Rivers', snippet: 'Of the Alps' })
    await sendForm(admin, path, { snippet: '', title: 'Rivers', token: '', clearemptyfields: 'True' })
    expect(await admin.get(`/community/groups/${id}`)).toMatchObject({ title: 'Rivers', snippet: '' })
  })

  test('is no file where it is one', async ({ portal, admin }) => {
    const form = new FormData()
    for (const [name, value] of Object.entries({ ...schema, text: schema.categorySchema, format: 'json', f: 'html' })) {
      if (name !== 'categorySchema') form.append(name, value)
    }
    form.append('file', new Blob([]), '')
    const encoded = new Response(form)
    const { body } = await portal.inject({
      method: 'POST',
      url: '/portals/self/categorySchema/import',
      headers: {
        'content-type': encoded.headers.get('content-type')!,
        'x-esri-authorization': `Bearer ${admin.token}`,
      },
      payload: Buffer.from(await encoded.arrayBuffer()),
    })
    expect(outcomeOf(body)).toBe('')
  })
})

describe('the form of an operation is filled in by its own page alone', () => {
  const link = '/portals/self/updateUserRole?f=html&user=mallory&role=org_admin'

  test('not by a link, nor by a form of another site', async ({ portal, admin }) => {
    expect(await readPage(portal, link, admin)).not.toContain('mallory')
    // The form of an operation stands on the page of a resource that has its path, too.
    const drafts = await readPage(portal, '/portals/self/categorySchema/drafts?name=mallory', admin)
    expect(drafts).toContain('<button type="submit">Create')
    expect(drafts).not.toContain('value="mallory"')
    const send = (headers: Headers) =>
      portal.postForm('/portals/self/updateUserRole', { f: 'html', user: 'mallory', role: 'org_admin' }, headers)
    for (const headers of [{}, { 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'none' }, { origin: 'null' }]) {
      expect((await send(headers)).body).not.toContain('mallory')
    }
    // A browser that names no site, as over plain HTTP, names the origin.
    const { origin } = new URL(portal.server.publicUrl())
    for (const headers of [{ 'sec-fetch-site': 'same-origin' }, { origin }]) {
      expect((await send(headers)).body).toContain('value="mallory"')
    }
  })

  test('a form that only reads is filled in by a link', async ({ portal }) => {
    const page = await readPage(portal, '/community/groups?q=map', await portal.admin())
    expect(page).toContain('value="map"')
  })
})
