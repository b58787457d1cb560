import { expect, test } from 'vitest'
import { findBarriersNow } from '../../support/browser/accessibility.ts'
import { openApplication } from '../../support/browser/application.ts'
import { doJobs } from '../../support/browser/jobs.ts'
import { pollValue } from '../../support/browser/value.ts'
import { adminPassword } from '../../support/portal/portal.ts'

test('a group is made, found again page by page, and leads to its categories', async () => {
  await using app = await openApplication()
  const { page } = app
  const admin = await app.portal.signIn('admin', adminPassword)
  for (let number = 0; number < 26; number += 1) await admin.createGroup(`Maps ${number}`)
  await app.signIn('admin', adminPassword, '/groups')
  await page.getByText('26 groups').waitFor()
  await expect.poll(() => page.getByRole('row').count()).toBe(26)
  await page.getByRole('link', { name: 'Next' }).click()
  await page.getByText('26–26 of 26').waitFor()
  await page.goBack()
  await page.getByText('1–25 of 26').waitFor()
  const barriersNow = async () => (await findBarriersNow(page)).filter((barrier) => !barrier.includes('class="skip"'))
  await expect.poll(barriersNow).toEqual([])

  await page.getByRole('button', { name: 'Create a group' }).click()
  await page.getByLabel('Title').fill('Rivers & <b>lakes</b>')
  await page.getByLabel('Summary').fill('Water')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Rivers & <b>lakes</b>' }).waitFor()
  await page.getByRole('cell', { name: 'Owner' }).waitFor()
  await expect.poll(barriersNow).toEqual([])

  await page.getByRole('main').getByRole('link', { name: 'Categories', exact: true }).click()
  await page.getByText('There are no categories yet').waitFor()
  await page.getByRole('button', { name: 'Add the first category' }).click()
  await page.keyboard.type('Basins')
  await page.keyboard.press('Enter')
  await page.getByText('nothing was published before').waitFor()
  await page.getByText('6 of 99 characters').waitFor()

  await app.goTo('/groups?q=rivers')
  await page.getByText('1 group', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Rivers & <b>lakes</b>' }).waitFor()
  expect(app.complaints).toEqual([])
})

test('where the server ends a page early, the next one begins behind it', async () => {
  await using app = await openApplication()
  const { page } = app
  const admin = await app.portal.admin()
  // Groups of the maximum size: no page has all of them.
  const large = {
    description: '水'.repeat(10_000),
    tags: Array.from({ length: 128 }, (_, at) => '水'.repeat(125) + at),
  }
  const made = Array.from({ length: 20 }, (_, at) => `Maps ${String(at).padStart(2, '0')}`)
  for (const title of made) await admin.createGroup(title, { ...large, tags: large.tags.join(',') })
  await app.signIn('admin', adminPassword, '/groups')
  await page.getByText('20 groups').waitFor()
  const links = page.getByRole('link', { name: /^Maps/ })
  const seen = await pollValue(
    () => links.allTextContents(),
    ({ length }) => length > 0 && length < 20,
  )
  await page.getByText(`1–${seen.length} of 20`).waitFor()
  await page.getByRole('link', { name: 'Next' }).click()
  await page.getByText(`${seen.length + 1}–20 of 20`).waitFor()
  await expect.poll(async () => [...seen, ...(await links.allTextContents())].sort()).toEqual(made)
  await expect.poll(() => page.getByRole('link', { name: 'Next' }).count()).toBe(0)
})

test('a group is administered on its page: by its owner, by a manager, and by those who come and go', async () => {
  await using app = await openApplication()
  await using _jobs = doJobs(app)
  const { page, portal } = app
  const main = page.getByRole('main')
  const dialog = page.locator('cartulary-dialog-form').filter({ has: page.locator('wa-dialog[open]') })
  const admin = await portal.admin()
  const anna = await portal.user('anna')
  const bert = await portal.user('bert')
  for (const name of ['carla', 'dora', 'emil']) await portal.user(name)
  await admin.post('/community/users/carla/disable')
  const { id } = await anna.createGroup('Coasts', { access: 'org', isInvitationOnly: true })
  const path = `/community/groups/${id}`
  await anna.post(`${path}/assignCategorySchema`, { categorySchema: JSON.stringify([{ title: 'Shore' }]) })
  const membersNow = async () => {
    const { owner, admins, users } = await admin.get(`${path}/users`)
    return { owner, admins: [...admins].sort(), users: [...users].sort() }
  }
  const barriersNow = async () => (await findBarriersNow(page)).filter((barrier) => !barrier.includes('class="skip"'))

  // Several people are added: who is left out is named, with the reason.
  await app.signIn('anna', adminPassword, `/groups/${id}`)
  await app.heading('Coasts').waitFor()
  await page.getByRole('button', { name: 'Add people' }).click()
  await dialog.getByRole('searchbox').and(page.locator(':focus')).waitFor()
  await dialog.getByText('Choose at least one person.').waitFor()
  await page.keyboard.type('bert')
  await dialog.getByRole('checkbox', { name: 'bert' }).check()
  await dialog.getByRole('searchbox').fill('carl')
  await dialog.getByRole('checkbox', { name: 'carla' }).check()
  await expect.poll(barriersNow).toEqual([])
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await main.getByText('1 person was added').waitFor()
  await main.getByText('carla: is disabled and cannot sign in').waitFor()
  await expect.poll(membersNow).toEqual({ owner: 'anna', admins: ['anna'], users: ['bert'] })

  // Bert is made a manager, removed, and is one again after Undo.
  await page.getByLabel('Role of bert in the group').selectOption('Manager')
  await expect.poll(membersNow).toMatchObject({ admins: ['anna', 'bert'] })
  await page.getByRole('button', { name: /^Remove.*bert/ }).click()
  await expect.poll(membersNow).toMatchObject({ admins: ['anna'], users: [] })
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(membersNow).toMatchObject({ admins: ['anna', 'bert'] })

  // Items of Bert leave the group with him: that is asked.
  const item = await bert.post('/content/users/bert/addItem', { title: 'Cliffs', type: 'Web Map', tags: 'maps' })
  await bert.post(`/content/items/${item.id}/share`, { groups: id })
  await page.getByRole('button', { name: /^Remove.*bert/ }).click()
  await dialog.getByText('One of their items is no longer shared with it.').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await page.getByRole('button', { name: 'Invite people' }).click()
  await dialog.getByRole('searchbox').fill('dora')
  await dialog.getByRole('checkbox', { name: 'dora' }).waitFor()
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: /^Remove.*dora/ }).waitFor()
  await dialog.getByLabel('They become').selectOption({ index: 1 })
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
  await main.getByText('1 person was invited').waitFor()
  const dora = await portal.signIn('dora', adminPassword)
  const { userInvitations } = await dora.get('/community/users/dora/invitations')
  expect(userInvitations).toMatchObject([{ groupId: id, role: 'group_admin' }])

  await page.getByRole('button', { name: 'Edit the group' }).click()
  await dialog.getByLabel('Title').fill('Shores')
  await dialog.getByLabel('Tags').fill('sea, sand')
  await dialog.getByLabel('Only the owner and managers see who the members are').check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await app.heading('Shores').waitFor()
  expect(await anna.get(path)).toMatchObject({ tags: ['sea', 'sand'], hiddenMembers: true, isInvitationOnly: true })

  await page.reload()
  await main.getByText('1 item · 1 without a category of the group').waitFor()
  await main.getByRole('link', { name: 'Categorize them' }).click()
  await page.getByLabel('Select Cliffs').click()
  await page.getByRole('button', { name: 'Categorize', exact: true }).click()
  await page.locator('cartulary-category-picker input').first().fill('Shore')
  await page.locator('cartulary-category-picker').getByText('Shore').last().click()
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect
    .poll(async () => (await anna.get(`/content/groups/${id}/search`)).results[0].groupCategories)
    .toEqual(['/Shore'])

  // Bert becomes the owner; Anna stays a manager, who may not delete.
  await app.goTo(`/groups/${id}`)
  await page.getByRole('button', { name: 'Hand over' }).click()
  await dialog.getByRole('radio', { name: 'bert' }).check()
  await dialog.getByRole('button', { name: 'Hand over' }).click()
  await expect.poll(() => page.getByRole('button', { name: 'Hand over' }).count()).toBe(0)
  await expect.poll(membersNow).toEqual({ owner: 'bert', admins: ['anna', 'bert'], users: [] })
  await page.getByRole('button', { name: 'Edit the group' }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Delete' }).count()).toBe(0)

  // Who does not belong to it asks to join, and changes nothing.
  await app.signIn('emil', adminPassword, `/groups/${id}`)
  await main.getByText('You do not see who belongs to this group.').waitFor()
  await page.getByRole('button', { name: 'Ask to join' }).click()
  await main.getByText('You have asked to join.').waitFor()
  for (const name of ['Add people', 'Invite people', 'Edit the group', 'Leave the group']) {
    await expect.poll(() => page.getByRole('button', { name }).count(), { message: name }).toBe(0)
  }
  await app.signIn('bert', adminPassword, `/groups/${id}`)
  await page.getByRole('button', { name: /^Accept.*emil/ }).click()
  await page.getByRole('heading', { name: 'Requests to join' }).and(page.locator(':focus')).waitFor()
  await page.getByLabel('Role of emil in the group').waitFor()
  await expect.poll(barriersNow).toEqual([])
  await app.signIn('emil', adminPassword, `/groups/${id}`)
  await page.getByRole('button', { name: 'Leave the group' }).click()
  await dialog.getByRole('button', { name: 'Leave the group' }).click()
  await page.getByRole('button', { name: 'Ask to join' }).waitFor()
  await expect.poll(membersNow).toEqual({ owner: 'bert', admins: ['anna', 'bert'], users: [] })

  // The deletion names the loss, and asks for the title.
  await app.signIn('bert', adminPassword, `/groups/${id}`)
  await page.getByRole('button', { name: 'Protect from deletion' }).click()
  await page.getByRole('button', { name: 'Allow deletion' }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByText('its one category').waitFor()
  await dialog.getByText('the sharing of one item with it').waitFor()
  await dialog.getByLabel('Type').fill('Shores')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await app.heading('Groups').waitFor()
  expect((await admin.get(path))['error']).toBeDefined()
  expect(app.complaints).toEqual([])
})
