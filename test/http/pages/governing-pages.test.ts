import { expect, test } from 'vitest'
import { linksOf, readPage } from '../../support/portal/pages.ts'
import { startPortal } from '../../support/portal/portal.ts'

const schemaOf = (title: string) => JSON.stringify({ categorySchema: [{ title }] })

test.each(['group', 'organization'])('the pages of the schema of a %s lead on', async (kind) => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const path = kind === 'group' ? `/community/groups/${(await admin.createGroup('Maps')).id}` : '/portals/self'
  await admin.post(`${path}/assignCategorySchema`, { categorySchema: schemaOf('Region') })
  const versions = `${path}/categorySchema/versions`

  const linksFrom = (page: string) => linksOf(page).map((href) => href.replace(portal.base, ''))

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
