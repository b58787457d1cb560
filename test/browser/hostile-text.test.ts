import { expect, test } from 'vitest'
import { openVisit, type Visit } from '../support/browser/browser.ts'

const texts = [
  '<img src=x onerror=alert(1)>',
  '"><script>alert(1)</script>',
  "' onmouseover='alert(1)",
  '</textarea></main></body><h1>Mine</h1>',
  '&lt;b&gt;&amp;',
  '{{alert(1)}} javascript:alert(1)',
  '地図 🗺️ مرحبا e\u0301 \u202Egnp.exe',
]

const all = texts.join(' ')

/** Text as headings and links show it: a mark that would turn the direction of the line is shown as an escape. */
const shown = (text: string) => text.replaceAll('\u202e', '\\u202e')

/** Counts elements that the texts above have created. */
function countIntrudersNow({ page }: Visit): Promise<number> {
  return page.locator('img, script:not([src^="/portal/directory/"]), [onmouseover], [onerror], main b').count()
}

async function openWatchedVisit() {
  const visit = await openVisit()
  visit.page.on('dialog', (dialog) => {
    visit.complaints.push(`A dialog: ${dialog.message()}`)
    return dialog.dismiss()
  })
  return visit
}

test('titles and descriptions are text, whatever they hold', async () => {
  await using visit = await openWatchedVisit()
  const { page, portal } = visit
  const admin = await portal.admin()
  await visit.goTo('/')
  await visit.signIn()
  const group = await admin.createGroup(all, { description: all, snippet: all, access: 'org' })
  await visit.goTo(`/community/groups/${group.id}`)
  await expect.poll(() => page.locator('h1 .name').textContent()).toBe(shown(all))
  await expect
    .poll(async () => JSON.parse((await page.locator('pre').textContent()) ?? ''))
    .toMatchObject({ title: all, description: all, snippet: all })
  await expect.poll(() => page.locator('pre').textContent()).not.toContain('\u202e')
  await expect.poll(() => page.title()).toContain(shown(all))
  await expect.poll(() => countIntrudersNow(visit)).toBe(0)
  for (const text of texts) await admin.createGroup(text, { description: text, snippet: text, access: 'org' })
  await visit.goTo('/community/groups')
  for (const text of texts) await page.getByRole('link', { name: shown(text), exact: true }).waitFor()
  await expect.poll(() => countIntrudersNow(visit)).toBe(0)
  expect(await visit.findTroubles()).toEqual([])
})

test('what a form was filled with comes back as it was', async () => {
  await using visit = await openWatchedVisit()
  const { page } = visit
  await visit.goTo('/community/createGroup')
  await visit.signIn()
  await page.getByLabel('title').fill(all)
  await page.getByLabel('description').fill(all)
  await page.getByLabel('tags').fill('t'.repeat(200))
  await page.getByRole('button', { name: 'Create group' }).click()
  await page.getByRole('heading', { name: 'Unable to create group.' }).waitFor()
  await expect.poll(() => page.getByLabel('title').inputValue()).toBe(all)
  await expect.poll(() => page.getByLabel('description').inputValue()).toBe(all)
  await expect.poll(() => countIntrudersNow(visit)).toBe(0)
  expect(await visit.findTroubles()).toEqual([])
})

test('an address shows nothing but text', async () => {
  await using visit = await openWatchedVisit()
  const { page } = visit
  const address = encodeURIComponent(all)
  for (const path of [`/community/groups?q=${address}`, `/community/groups/${address}`]) {
    await visit.goTo(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expect.poll(() => countIntrudersNow(visit)).toBe(0)
  }
  expect(await visit.findTroubles()).toEqual([])
})
