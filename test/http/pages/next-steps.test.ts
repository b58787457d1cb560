import { base, readPage, sendForm } from '../../support/portal/pages.ts'
import { startPortal } from '../../support/portal/portal.ts'
import { expect, test } from '../../support/portal/test.ts'

test('what was made is linked to; after a dry run there is nothing', async ({ admin }) => {
  const page = await sendForm(admin, '/community/createGroup', { title: 'Lakes <b>' })
  expect(page).toMatch(
    /<nav class="near"[^>]*>\s*<h2>Resources<\/h2><ul><li><a href="[^"]*\/community\/groups\/[0-9a-f]{32}">Lakes &lt;b&gt;</,
  )
  const categorySchema = '{"categorySchema":[{"title":"Water"}]}'
  const tried = await sendForm(admin, '/portals/self/assignCategorySchema', { categorySchema, dryRun: 'true' })
  expect(tried).not.toContain('<nav class="near"')
})

test('of a group that does not exist, nothing is offered', async ({ portal, admin }) => {
  const { id } = await admin.createGroup('Lakes')
  expect(await readPage(portal, `/community/groups/${id}`, admin)).toContain('<nav class="near"')
  expect(await readPage(portal, '/community/groups/abc', admin)).not.toContain('<nav class="near"')
})

test('a deletion leads to what is above', async ({ admin }) => {
  const { id } = await admin.createGroup('Lakes')
  const path = `/community/groups/${id}/delete`
  const done = await sendForm(admin, path, {})
  expect(done).toContain(`<a href="${base}/community/groups">Back to Groups</a>`)
})

test('a page says what a schema has that was perhaps not meant, and JSON only what was perhaps misspelt', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const { id } = await admin.createGroup('Lakes')
  const path = `/community/groups/${id}/assignCategorySchema`
  const categorySchema = '{"categorySchema":[{"title":"b"},{"title":"b","descripton":"x"}]}'
  const page = await sendForm(admin, path, { categorySchema })
  expect(page).toContain('Two categories have the path /b; items cannot tell them apart.')
  expect(page).toContain('/categorySchema/1 has members that are not kept: descripton.')
  const sentence = '/categorySchema/1: descripton is not kept; did you mean description?'
  expect(await admin.post(path, { categorySchema })).toEqual({ success: true, warnings: [sentence] })
  const { warnings } = await admin.post(path, { categorySchema, dryRun: 'true' })
  expect(warnings).toHaveLength(2)
})
