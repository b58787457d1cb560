import { expect, test } from 'vitest'
import { linksOf, readPage, sendForm } from '../../support/portal/pages.ts'
import { startPortal } from '../../support/portal/portal.ts'

const schemaOf = (title: string) => JSON.stringify({ categorySchema: [{ title }] })

test.each(['group', 'organization'])('the pages of the schema of a %s lead on', async (kind) => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const path = kind === 'group' ? `/community/groups/${(await admin.createGroup('Maps')).id}` : '/portals/self'
  await admin.post(`${path}/assignCategorySchema`, { categorySchema: schemaOf('Region') })
  const versions = `${path}/categorySchema/versions`

  const linksFrom = (page: string) => linksOf(page).map((href) => href.replace(portal.base, ''))

  // After a conflict, to what others have made.
  const calls = {
    assignCategorySchema: { categorySchema: schemaOf('Themes'), ifVersion: '7' },
    deleteCategorySchema: { ifVersion: '7' },
    'categorySchema/plan': { categorySchema: schemaOf('Themes'), ifVersion: '7' },
    'categorySchema/import': { text: schemaOf('Themes'), ifVersion: '7' },
    'categorySchema/versions/1/restore': { ifVersion: '7' },
  }
  for (const [call, form] of Object.entries(calls)) {
    const body = await sendForm(admin, `${path}/${call}`, form)
    expect(body).toContain('The schema is at version 1, not 7')
    const answer = body.slice(body.indexOf('id="answer"'), body.indexOf('<form class="call"'))
    expect(answer).toContain(`href="${portal.base}${versions}"`)
  }
  const malformed = await sendForm(admin, `${path}/assignCategorySchema`, { categorySchema: '{}' })
  expect(malformed.slice(malformed.indexOf('id="answer"'), malformed.indexOf('<form'))).not.toContain(versions)

  // From a version, to its file.
  expect(linksFrom(await readPage(portal, `${versions}/1`, admin))).toContain(`${path}/categorySchema/export?version=1`)

  // From the schema, to a preview of each template.
  const links = linksFrom(await readPage(portal, `${path}/categorySchema`, admin)).map(
    (link) => new URL(link, 'https://x'),
  )
  const imports = links.filter(({ pathname, search }) => pathname === `${path}/categorySchema/import` && search)
  expect(imports).toHaveLength(3)
  for (const { pathname, searchParams } of imports) {
    const answer = await admin.post(pathname, Object.fromEntries(searchParams))
    expect(answer).toMatchObject({ success: true, dryRun: true, changes: [{ op: 'add' }, { op: 'remove' }] })
  }
})
