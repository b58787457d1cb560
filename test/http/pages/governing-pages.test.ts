import { expect, test } from 'vitest'
import { type Client, startPortal } from '../../support/portal/portal.ts'

/** The page of a path, or the page that answers a form. */
async function pageOf({ portal, token }: Client, path: string, form?: Readonly<Record<string, string>>) {
  const { body } = await portal.inject({
    method: form ? 'POST' : 'GET',
    url: path,
    headers: {
      accept: 'text/html',
      'x-esri-authorization': `Bearer ${token}`,
      ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    ...(form && { payload: new URLSearchParams({ ...form, f: 'html' }).toString() }),
  })
  const links = [...body.matchAll(/ href="([^"]*)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'))
  return { body, links: links.map((href) => href.replace(portal.base, '')) }
}

const schemaOf = (title: string) => JSON.stringify({ categorySchema: [{ title }] })

test.each(['group', 'organization'])('the pages of the schema of a %s lead on', async (kind) => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const path = kind === 'group' ? `/community/groups/${(await admin.createGroup('Maps')).id}` : '/portals/self'
  await admin.post(`${path}/assignCategorySchema`, { categorySchema: schemaOf('Region') })
  const versions = `${path}/categorySchema/versions`

  // After a conflict, to what others have made.
  const calls = {
    assignCategorySchema: { categorySchema: schemaOf('Themes'), ifVersion: '7' },
    deleteCategorySchema: { ifVersion: '7' },
    'categorySchema/plan': { categorySchema: schemaOf('Themes'), ifVersion: '7' },
    'categorySchema/import': { text: schemaOf('Themes'), ifVersion: '7' },
    'categorySchema/versions/1/restore': { ifVersion: '7' },
  }
  for (const [call, form] of Object.entries(calls)) {
    const { body, links } = await pageOf(admin, `${path}/${call}`, form)
    expect(body).toContain('The schema is at version 1, not 7')
    const answer = body.slice(body.indexOf('id="answer"'), body.indexOf('<form class="call"'))
    expect(answer).toContain(`href="${portal.base}${versions}"`)
    expect(links).toContain(versions)
  }
  const malformed = await pageOf(admin, `${path}/assignCategorySchema`, { categorySchema: '{}' })
  expect(malformed.body.slice(malformed.body.indexOf('id="answer"'), malformed.body.indexOf('<form'))).not.toContain(
    versions,
  )

  // From a version, to its file.
  expect((await pageOf(admin, `${versions}/1`)).links).toContain(`${path}/categorySchema/export?version=1`)

  // From the schema, to a preview of each template.
  const links = (await pageOf(admin, `${path}/categorySchema`)).links.map((link) => new URL(link, 'https://x'))
  const imports = links.filter(({ pathname, search }) => pathname === `${path}/categorySchema/import` && search)
  expect(imports).toHaveLength(3)
  for (const { pathname, searchParams } of imports) {
    const answer = await admin.post(pathname, Object.fromEntries(searchParams))
    expect(answer).toMatchObject({ success: true, dryRun: true, changes: [{ op: 'add' }, { op: 'remove' }] })
  }
})
