import { runJobs } from '../../../src/background/jobs.ts'
import { findBarriersNow } from '../../support/browser/accessibility.ts'
import { type Application, openApplication } from '../../support/browser/application.ts'
import { expect, test } from '../../support/browser/application-test.ts'
import { pollValue } from '../../support/browser/value.ts'
import { houseOf } from '../../support/portal/house.ts'
import { addressIn, startMailServer } from '../../support/portal/mail-server.ts'
import { adminPassword } from '../../support/portal/portal.ts'

const hostile = '<img src=x onerror="document.title=1">‮{{7*7}}'

/** Console message for a request that was aborted. */
const broken = 'Failed to load resource: net::ERR_FAILED'

/** Rows of the table of users: a username that is the full name stands there once. */
const usernamesNow = (application: Application) =>
  application.page
    .getByRole('main')
    .locator('tbody th')
    .evaluateAll((cells) => cells.map((cell) => (cell.querySelector('.quiet') ?? cell).textContent.trim()))

test('an administrator adds people, finds one, and changes what they are', async ({ application, page, portal }) => {
  await page.clock.install()
  await application.signIn('admin', adminPassword, '/people')
  await application.heading('People').waitFor()
  // How long ago something was stays true while the page is looked at.
  await page.locator('time', { hasText: /^now$/ }).waitFor()
  await page.clock.fastForward('02:10')
  await page.locator('time', { hasText: '2 minutes ago' }).waitFor()

  await page.getByRole('link', { name: 'Add people' }).click()
  await application.heading('Add people').waitFor()
  await page.getByText('Add people from a list').click()
  await page
    .getByLabel('Pasted text')
    .fill(
      [
        'Staff of 2026',
        'Benutzername\tName\tE-Mail\tRolle\tEintritt',
        'anna\tAnna Amsel\tanna@example.org\tPubisher\t2020',
      ]
        .concat([`admin\tAdmin`, `bert\t${hostile}`, 'Sum\t3 people'])
        .join('\n'),
    )
  await page.getByRole('button', { name: 'Show the rows' }).click()
  await page.getByText('Columns not used: Eintritt').waitFor()
  await page.getByText('There is no role “Pubisher”').last().waitFor()
  await page.getByRole('button', { name: 'Take Publisher' }).click()
  await page.getByRole('checkbox', { name: 'Use row 6' }).uncheck()
  await expect.poll(() => findBarriersNow(page)).toEqual([])
  // The connection breaks after the people are created: that their passwords end is tried again.
  await page.route('**/expirePassword', (route) => route.abort(), { times: 1 })
  await page.getByRole('button', { name: 'Create 3 people' }).click()
  await page.getByText('2 people were created').first().waitFor()
  await page.getByText('These people may still keep their temporary password: anna, bert').waitFor()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => page.getByText('may still keep their temporary password').count()).toBe(0)
  await page.getByText('1 row is not applied').waitFor()
  await expect.poll(() => page.locator('.problems').textContent()).toMatch(/admin/)
  const passwords = await pollValue(
    () => page.locator('tbody code').allTextContents(),
    ({ length }) => length === 2,
  )
  // A temporary password is one that has to be changed, once its end has arrived.
  const signInAsAnna = () => portal.anonymous.post('/generateToken', { username: 'anna', password: passwords[0]! })
  await expect.poll(async () => JSON.stringify(await signInAsAnna())).toMatch(/password/i)

  await page.getByRole('navigation', { name: 'Pages about people' }).getByRole('link', { name: 'People' }).click()
  await page.getByLabel('Search').fill('an')
  await expect.poll(() => usernamesNow(application)).toEqual(['anna'])
  await expect.poll(() => page.url()).toContain('q=an')
  await page.getByRole('button', { name: 'Filters', exact: true }).click()
  await page.getByLabel('Role').selectOption('Viewer')
  await page.getByText('No one was found').first().waitFor()
  await page.getByRole('link', { name: 'Remove all filters' }).first().click()
  await expect.poll(() => usernamesNow(application)).toEqual(['admin', 'anna', 'bert'])
  await expect.poll(() => page.getByLabel('Role').inputValue()).toBe('')
  await page.goBack()
  await page.goBack()
  await expect.poll(() => usernamesNow(application)).toEqual(['anna'])
  await expect.poll(() => page.getByLabel('Search').inputValue()).toBe('an')

  await page.getByRole('link', { name: 'Anna Amsel' }).click()
  await application.heading('Anna Amsel').waitFor()
  // An administrator is not made by one press.
  await page.getByLabel('Role').selectOption('Administrator')
  await page.getByRole('button', { name: 'Change the role' }).click()
  await page.locator('#promoting').getByRole('button', { name: 'Cancel' }).click()
  const admin = await portal.admin()
  expect((await admin.get('/community/users/anna'))['role']).toBe('org_publisher')
  await page.getByLabel('Role').selectOption('Viewer')
  await page.getByRole('button', { name: 'Change the role' }).click()
  await expect.poll(async () => (await admin.get('/community/users/anna'))['role']).toBe('org_viewer')

  await page.getByRole('button', { name: 'Change the profile' }).click()
  await page.getByLabel('Full name').fill('Anna Adler')
  await page.getByRole('button', { name: 'Save' }).click()
  await application.heading('Anna Adler').waitFor()

  await page.getByRole('button', { name: 'Disable' }).click()
  await page.locator('cartulary-dialog-form').getByRole('button', { name: 'Disable' }).click()
  await page.getByRole('button', { name: 'Enable' }).click()
  await page.getByRole('button', { name: 'Disable' }).waitFor()

  await page.getByRole('button', { name: 'Make a link to choose a password' }).click()
  await expect.poll(() => page.locator('code[dir=ltr]').textContent()).toMatch(/newPassword\?link=.{20}/)

  // The dialog says what a person owns who leaves: it goes to another one, and then the account is deleted.
  await portal.user('carla')
  await admin.post('/community/users/carla/update', { fullName: 'Carla Crane' })
  const anna = await admin.createGroup('Maps of Anna')
  await admin.post(`/community/groups/${anna.id}/reassign`, { targetUsername: 'anna' })
  const { id: itemId } = await admin.post('/content/users/admin/addItem', { title: 'Robot', type: 'Application' })
  await admin.post(`/content/users/admin/items/${itemId}/reassign`, { targetUsername: 'anna' })
  await admin.post('/oauth2/registerApp', { itemId })
  await page.reload()
  const leaver = page.locator('cartulary-hand-over cartulary-dialog-form')
  await page.getByRole('button', { name: 'Delete' }).click()
  await leaver.getByText('the group Maps of Anna').waitFor()
  await leaver.getByText('1 item', { exact: true }).waitFor()
  await leaver.getByText('Robot').waitFor()
  await expect.poll(() => findBarriersNow(page)).toEqual([])
  await page.getByLabel('Who gets them').pressSequentially('crane')
  await leaver.locator('option[value=carla]', { hasText: 'Carla Crane' }).waitFor({ state: 'attached' })
  await page.getByLabel('Who gets them').fill('carla')
  await leaver.locator('bdi', { hasText: 'Carla Crane' }).waitFor()
  await page.locator('#typed').fill('anna')
  await leaver.getByRole('button', { name: 'Delete' }).click()
  await leaver.getByText('0 of 1 item done').waitFor()
  await runJobs(houseOf(portal))
  await application.heading('People').waitFor()
  await expect.poll(() => usernamesNow(application)).toEqual(['admin', 'bert', 'carla'])
  expect((await admin.get(`/community/groups/${anna.id}`))['owner']).toBe('carla')
  expect((await admin.get(`/content/items/${itemId}`))['owner']).toBe('carla')
  expect(await application.findTroubles()).toEqual([broken])
})

test('by keyboard alone: a role with its privileges, and what it lets its holder do', async () => {
  await using application = await openApplication()
  const { page, portal } = application
  await portal.user('anna')
  // The dialog opens although the roles are not read yet.
  const read = Promise.withResolvers<void>()
  await page.route(/portals\/self\/roles/, (route) => read.promise.then(() => route.fallback()), { times: 1 })
  await application.signIn('admin', adminPassword, '/people/roles')
  await page.getByRole('button', { name: 'New role' }).focus()
  await page.keyboard.press('Enter')
  await page.getByLabel('Name', { exact: true }).and(page.locator(':focus')).waitFor()
  read.resolve()
  // The connection breaks while the privileges are set: what is cancelled is no part of the next role.
  await page.route(/setPrivileges/, (route) => route.abort(), { times: 1 })
  await page.keyboard.type('Given up')
  await page.getByLabel('Begin with the privileges of').selectOption('Publisher')
  await page.getByRole('button', { name: 'Create', exact: true }).press('Enter')
  await page.getByText('The server did not answer').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'New role' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Enter')
  await page.getByLabel('Name', { exact: true }).and(page.locator(':focus')).waitFor()
  await page.getByLabel('Begin with the privileges of').selectOption('')
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('Cataloguer')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Cataloguer' }).waitFor()
  // The focus is back before the next step.
  await page.getByRole('button', { name: 'New role' }).and(page.locator(':focus')).waitFor()
  await page.getByRole('checkbox', { name: 'Create groups.' }).focus()
  await page.keyboard.press('Space')
  await page.getByText('1 privilege changed, not saved yet').waitFor()
  await page.getByRole('button', { name: 'Save the privileges' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Nothing changed').waitFor()
  const role = (await pollValue(
    async () => new URL(page.url()).searchParams.get('role'),
    (id) => id !== null,
  ))!
  const admin = await portal.admin()
  expect((await admin.get(`/portals/self/roles/${role}/privileges`))['privileges']).toEqual(['portal:user:createGroup'])
  await admin.post('/portals/self/updateUserRole', { user: 'anna', role })

  // The question is an address.
  await application.goTo('/people/check?user=anna&operation=createGroup')
  await page.getByText('Yes', { exact: true }).waitFor()
  await page.getByText('anna may do this: Create a group').first().waitFor()
  await page.getByLabel('Find an operation').focus()
  await page.keyboard.type('publish schema group')
  await page.getByText('2 operations fit').waitFor()
  await page.keyboard.press('Tab')
  await page.locator('select[name=operation]').and(page.locator(':focus')).waitFor()
  await page.keyboard.press('p')
  await page.getByText('parameters of assignGroupCategorySchema').waitFor({ state: 'attached' })
  await page.locator('input[name=groupId]').focus()
  const group = await admin.createGroup(hostile)
  await page.keyboard.type(group.id)
  await page.keyboard.press('Enter')
  await page.getByText('No', { exact: true }).waitFor()
  await expect.poll(() => new URL(page.url()).searchParams.get('groupId')).toBe(group.id)
  await page.goBack()
  await page.getByText('Yes', { exact: true }).waitFor()

  // A missing privilege is shown with the roles that have it, and given; everyday words find an operation.
  await application.goTo('/people/check?user=anna&operation=inviteUsers')
  await page.getByText('No', { exact: true }).waitFor()
  const missing = page.locator('cartulary-missing-privilege')
  await missing.getByRole('link', { name: 'Administrator' }).waitFor()
  await expect.poll(() => findBarriersNow(page)).toEqual([])
  await missing.getByRole('button', { name: 'Give the privilege to the role Cataloguer' }).press('Enter')
  await missing.getByText(/^Everyone who has the role gets it immediately/).waitFor()
  await missing.getByRole('button', { name: 'Give', exact: true }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('Yes', { exact: true }).waitFor()
  expect((await admin.get(`/portals/self/roles/${role}/privileges`))['privileges']).toEqual([
    'portal:user:createGroup',
    'portal:admin:inviteUsers',
  ])
  await page.getByLabel('Find an operation').fill('categorise items')
  await page.locator('option[value=updateItems]').waitFor({ state: 'attached' })

  // A request to join is answered, and the focus stays in its section.
  await admin.post(`/community/groups/${group.id}/update`, { isInvitationOnly: true, access: 'public' })
  await portal.user('bert')
  await (await portal.signIn('bert', adminPassword)).post(`/community/groups/${group.id}/join`)
  await application.goTo('/people/requests')
  await page.getByRole('button', { name: /^Accept/ }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Requests to join your groups' }).and(page.locator(':focus')).waitFor()
  expect((await admin.get(`/community/groups/${group.id}/users`))['users']).toContain('bert')
  expect(await application.findTroubles()).toEqual([broken])
})

test('people with an e-mail address are sent a link, and the others get a password', async () => {
  await using mails = await startMailServer()
  await using application = await openApplication({ environment: mails.settings })
  const { page } = application
  await application.signIn('admin', adminPassword, '/people/new')
  await application.heading('Add people').waitFor()
  await page.getByText('Add people from a list').click()
  await page.getByLabel('Pasted text').fill('Username\tName\tE-mail\nanna\tAnna Amsel\tanna@example.org\nbert')
  await page.getByRole('button', { name: 'Show the rows' }).click()
  await page.getByRole('button', { name: 'Create 2 people' }).click()
  await page.getByText('A link was sent to 1 person').waitFor()
  await expect.poll(() => page.locator('#created tbody th').allTextContents()).toEqual(['bert'])

  await page.goto(addressIn(await mails.mail(1), '/newPassword'))
  await page.getByLabel('New password', { exact: true }).fill('chosen by anna alone')
  await page.getByLabel('New password again').fill('chosen by anna alone')
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByRole('heading', { name: 'Password changed' }).waitFor()

  await page.goto(`${application.portal.server.publicUrl()}/sharing/rest/oauth2/lostPassword`)
  await page.getByLabel('Username').fill('anna')
  await page.getByRole('button', { name: 'Send a link' }).click()
  await page.getByRole('heading', { name: 'Look at your mail' }).waitFor()
})
