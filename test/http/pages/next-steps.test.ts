import { expect, test } from 'vitest'
import { type Client, startPortal } from '../../support/portal/portal.ts'

const browser = { accept: 'text/html,application/xhtml+xml' }

async function pageOf(client: Client, url: string, payload?: string): Promise<string> {
  const headers = { ...browser, 'x-esri-authorization': `Bearer ${client.token}` }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  if (payload === undefined) return (await client.portal.inject({ url, headers })).body
  return (await client.portal.inject({ method: 'POST', url, headers: { ...headers, ...form }, payload })).body
}

const base = '/portal/sharing/rest'

test('what was made is linked to; after a dry run there is nothing', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const page = await pageOf(admin, '/community/createGroup', 'title=Lakes+%3Cb%3E')
  expect(page).toMatch(
    /<nav class="near"[^>]*>\s*<h2>Resources<\/h2><ul><li><a href="[^"]*\/community\/groups\/[0-9a-f]{32}">Lakes &lt;b&gt;</,
  )
  const categorySchema = '{"categorySchema":[{"title":"Water"}]}'
  const tried = new URLSearchParams({ categorySchema, f: 'html', dryRun: 'true' }).toString()
  expect(await pageOf(admin, '/portals/self/assignCategorySchema', tried)).not.toContain('<nav class="near"')
})

test('of a group that does not exist, nothing is offered', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const { id } = await admin.createGroup('Lakes')
  expect(await pageOf(admin, `/community/groups/${id}`)).toContain('<nav class="near"')
  expect(await pageOf(admin, '/community/groups/abc')).not.toContain('<nav class="near"')
})

test('a deletion leads to what is above', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const { id } = await admin.createGroup('Lakes')
  const path = `/community/groups/${id}/delete`
  const done = await pageOf(admin, path, '')
  expect(done).toContain(`<a href="${base}/community/groups">Back to Groups</a>`)
})

test('a page says what a schema has that was perhaps not meant, and JSON only what was perhaps misspelt', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const { id } = await admin.createGroup('Lakes')
  const path = `/community/groups/${id}/assignCategorySchema`
  const categorySchema = '{"categorySchema":[{"title":"b"},{"title":"b","descripton":"x"}]}'
  const page = await pageOf(admin, path, new URLSearchParams({ categorySchema, f: 'html' }).toString())
  expect(page).toContain('Two categories have the path /b; items cannot tell them apart.')
  expect(page).toContain('/categorySchema/1 has members that are not kept: descripton.')
  const sentence = '/categorySchema/1: descripton is not kept; did you mean description?'
  expect(await admin.post(path, { categorySchema })).toEqual({ success: true, warnings: [sentence] })
  const { warnings } = await admin.post(path, { categorySchema, dryRun: 'true' })
  expect(warnings).toHaveLength(2)
})
