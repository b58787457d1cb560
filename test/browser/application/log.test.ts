import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { findBarriersNow } from '../../support/browser/accessibility.ts'
import { openApplication } from '../../support/browser/application.ts'
import { expect, test } from '../../support/browser/application-test.ts'
import { outline } from '../../support/inputs/outline.ts'
import { adminPassword } from '../../support/portal/portal.ts'

/** Labels of the entries of the main menu. */
async function menuNow(page: Page): Promise<readonly string[]> {
  const entries = await page.locator('cartulary-main-menu .wide nav a').allTextContents()
  return entries.map((entry) => entry.trim())
}

/** Goes back to the log without filters, whose form is empty then. */
async function goBackToAll(page: Page): Promise<void> {
  await page.goBack()
  await expect.poll(() => new URL(page.url()).search).toBe('')
  await expect.poll(() => page.locator('select[name=operation]').inputValue()).toBe('')
  await expect.poll(() => page.getByLabel('Done by').inputValue()).toBe('')
  await expect.poll(() => page.getByLabel(/Show the tokens/).isChecked()).toBe(false)
}

test('the log is filtered by form and by address, opened, and exported', async () => {
  await using application = await openApplication({ language: 'en-GB' })
  const { page, portal } = application
  const anna = await portal.user('anna')
  const group = await anna.createGroup('=Maps\u202e <b>of</b> water')
  await anna.post('/portals/self/deleteCategorySchema')
  await application.signIn('admin', adminPassword, '/log')
  await application.heading('Log').waitFor()
  await expect.poll(() => menuNow(page)).toContain('System')
  await expect.poll(() => menuNow(page)).toEqual(expect.arrayContaining(['Log', 'Collaborations']))
  const entries = page.locator('cartulary-log-entry summary')
  await entries.first().waitFor()
  // Day and hours as the region of the browser writes them.
  await expect.poll(() => entries.first().locator('time').textContent()).toMatch(/^\d+ [A-Z][a-z]+ \d{4}, \d\d:\d\d$/)

  // The filters are folded: the entries begin high on the page.
  await expect
    .poll(() => entries.evaluateAll((all) => all.filter((entry) => entry.getBoundingClientRect().bottom < 800).length))
    .toBeGreaterThan(2)
  await page.getByRole('button', { name: 'Filters', exact: true }).click()
  // In words, and without what apps do by themselves until it is asked for.
  const done = (words: string | RegExp) => page.locator('cartulary-log-entry strong').getByText(words, { exact: true })
  await done('anna created a group').waitFor()
  await page.getByText(/^\d+ entries$/).waitFor({ state: 'attached' })
  await page.getByText('=Maps[U+202E] <b>of</b> water').waitFor()
  await expect.poll(() => done(/: Issue tokens to an app$/).count()).toBe(0)
  await page.getByLabel(/Show the tokens/).check()
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await done(/: Issue tokens to an app$/)
    .first()
    .waitFor()
  await expect.poll(() => new URL(page.url()).searchParams.get('tokens')).toBe('true')
  await goBackToAll(page)
  await page.locator('select[name=operation]').selectOption({ label: 'Delete the category schema of the organization' })
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await expect.poll(() => entries.count()).toBe(1)
  await page.getByText('1 entry', { exact: true }).waitFor({ state: 'attached' })
  await expect.poll(() => new URL(page.url()).searchParams.get('actions')).toBe('deletePortalCategorySchema')
  // An operation named as in the API is shown beside one chosen by its label.
  await goBackToAll(page)
  await page.locator('select[name=operation]').selectOption({ label: 'Delete the category schema of the organization' })
  await page.getByText('More filters').click()
  await page.getByLabel('Names in the API').fill('createGroup')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await expect.poll(() => entries.count()).toBe(2)
  await expect
    .poll(() => new URL(page.url()).searchParams.get('actions'))
    .toBe('deletePortalCategorySchema,createGroup')
  await done('anna created a group').waitFor()
  await goBackToAll(page)

  await page.getByLabel('Done by').fill('anna')
  await page.getByLabel('Outcome').selectOption('Refused')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await expect.poll(() => entries.count()).toBe(1)
  await expect
    .poll(() => Object.fromEntries(new URL(page.url()).searchParams))
    .toEqual({ actors: 'anna', outcome: 'refused' })
  await goBackToAll(page)
  await expect.poll(() => entries.count()).toBeGreaterThan(2)
  await expect.poll(() => page.getByLabel('Done by').inputValue()).toBe('')

  // Typed words are searched for without a key; answers that come late, and letters of which none is searched for, do no harm.
  await page.getByLabel('Search words').pressSequentially('bogus')
  await page.getByText('Nothing was found').waitFor()
  await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe('bogus')
  await page.getByLabel('Search words').fill('deleteCategorySchema ')
  await expect.poll(() => entries.count()).toBe(1)
  await expect.poll(() => page.getByLabel('Search words').inputValue()).toBe('deleteCategorySchema ')
  // Words of the page are those of its language.
  await page.getByLabel('Search words').fill('anna categ delete')
  await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe('anna categ delete')
  await expect.poll(() => entries.count()).toBe(1)
  await done('anna: Delete the category schema of the organization').waitFor()
  await page.getByLabel('Search words').fill('')
  await expect.poll(() => entries.count()).toBeGreaterThan(2)

  // Filters that are chosen and not applied are removed too.
  await page.getByLabel('Outcome').selectOption('Refused')
  await page.getByLabel('Done by').fill('anna')
  await page.getByRole('link', { name: 'Remove all filters' }).first().click()
  await expect.poll(() => page.getByLabel('Outcome').inputValue()).toBe('')
  await expect.poll(() => page.getByLabel('Done by').inputValue()).toBe('')

  // By keyboard: an entry opens, and the address has it.
  await application.goTo(`/log?types=g&actors=anna&zone=utc`)
  await entries.first().focus()
  await page.keyboard.press('Enter')
  await page.getByText('Id of the request').waitFor()
  await expect.poll(() => page.url()).toContain('entry=')
  await expect.poll(() => entries.first().textContent()).toContain('UTC')
  const details = page.locator('.facts')
  await expect
    .poll(() => details.getByRole('link', { name: '=Maps[U+202E] <b>of</b> water' }).getAttribute('href'))
    .toContain(`/groups/${group.id}`)
  await expect
    .poll(() => details.locator('code').allTextContents())
    .toEqual(expect.arrayContaining([group.id, 'createGroup']))
  await page.reload()
  await page.getByText('Id of the request').waitFor()
  // Active filters are seen while the filters are folded, each with a way out of it.
  const active = page.getByRole('group', { name: 'Active filters' }).getByRole('link')
  await expect
    .poll(async () => (await active.allTextContents()).map((text) => text.replace(/\s+/g, ' ').trim()))
    .toEqual(['Remove the filter Done by: anna', 'Remove the filter Group', 'Remove all filters'])
  await page.getByRole('button', { name: 'Filters (2)' }).click()
  await expect.poll(() => page.getByRole('checkbox', { name: 'Group', exact: true }).isChecked()).toBe(true)
  await active.filter({ hasText: 'Done by' }).click()
  await expect.poll(() => page.getByLabel('Done by').inputValue()).toBe('')
  await page.goBack()

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export as CSV' }).press('Enter')
  const file = await readFile(await (await download).path(), 'utf8')
  expect(file.startsWith('\u{feff}id,itemTitle,')).toBe(true)
  expect(file).toContain(group.id)
  expect(file).toContain(`'=Maps\u202e`)
  await page.getByText('1 entry exported').waitFor({ state: 'attached' })

  // A description of each change in words, with names marked as such.
  for (const username of ['bert', 'carla']) await portal.user(username)
  const admin = await portal.admin()
  await admin.post(`/community/groups/${group.id}/addUsers`, { users: 'bert,carla' })
  const categorySchema = outline('Themes', '  Water')
  await admin.post('/portals/self/assignCategorySchema', { categorySchema, comment: 'The first' })
  await application.goTo('/log?actions=assignPortalCategorySchema')
  await entries.first().press('Enter')
  await details.getByText('What changed').waitFor()
  await details.getByText('1 added', { exact: true }).waitFor()
  await details.getByRole('link', { name: 'Ministry of Maps' }).waitFor()
  const renamed = outline('Themes', '  Inland waters')
  const moves = JSON.stringify([{ from: '/Themes/Water', to: '/Themes/Inland waters' }])
  await admin.post('/portals/self/assignCategorySchema', { categorySchema: renamed, moves })
  await application.goTo('/log?actions=assignPortalCategorySchema')
  await entries.first().press('Enter')
  await done('admin published version 2: 1 renamed and items followed').waitFor()
  await details.getByText('Themes › Water renamed to Themes › Inland waters').waitFor()
  await expect.poll(() => findBarriersNow(page)).toEqual([])
  await details.getByRole('link', { name: '2', exact: true }).click()
  await application.heading('Version 2').waitFor()
  await application.goTo('/log?actions=addGroupUsers')
  await entries.first().press('Enter')
  await details.getByText('bert and carla', { exact: true }).waitFor()
  expect(await application.findTroubles()).toEqual([])
})

test('whom the log is not for, reads why', async ({ application, page, portal }) => {
  await portal.user('anna')
  await application.signIn('anna', adminPassword, '/log')
  await page.getByRole('alert').waitFor()
  // The menu does not lead there.
  await expect.poll(() => menuNow(page)).toEqual(['Home', 'Categories', 'Groups', 'Content', 'People'])
  await expect.poll(() => page.getByRole('search').count()).toBe(0)
  // Nor do the pages about people, where a role has only to do with categories.
  const admin = await portal.admin()
  const { id } = await admin.post('/portals/self/createRole', { name: 'Keeper', description: 'Of categories' })
  const privileges = JSON.stringify({ privileges: ['portal:admin:updateItemCategorySchema'] })
  await admin.post(`/portals/self/roles/${id}/setPrivileges`, { privileges })
  await admin.post('/portals/self/updateUserRole', { user: 'anna', role: id })
  await page.reload()
  await expect.poll(() => menuNow(page)).toEqual(['Home', 'Categories', 'Groups', 'Content', 'Requests'])
  await page.getByRole('link', { name: 'Requests' }).click()
  await application.heading('Requests').waitFor()
  await expect.poll(() => page.getByRole('navigation', { name: 'Pages about people' }).count()).toBe(0)
})
