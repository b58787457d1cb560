import { describe, expect, test } from 'vitest'
import { endpointTable } from '../../../src/http/endpoints/table.ts'
import { formatDirectoryPage } from '../../../src/http/pages/directory-page.ts'
import { base, invite, outcomeOf, pageContent, readPage, sendForm } from '../../support/portal/pages.ts'
import { startPortal } from '../../support/portal/portal.ts'

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
