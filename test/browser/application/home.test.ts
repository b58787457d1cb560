import { findBarriersNow } from '../../support/browser/accessibility.ts'
import { openApplication } from '../../support/browser/application.ts'
import { expect, test } from '../../support/browser/application-test.ts'
import { keepDraft } from '../../support/browser/drafts.ts'
import { hostCollaboration } from '../../support/portal/collaboration-host.ts'
import { adminPassword } from '../../support/portal/portal.ts'

test('the start says what waits for a person, and leads there', async ({ application, page, portal }) => {
  const admin = await portal.admin()
  const anna = await portal.user('anna')
  const groups = []
  for (let number = 1; number <= 21; number++) groups.push(await admin.createGroup(`Group ${number}`))
  await application.signIn('admin', adminPassword, '/')
  const next = page.getByRole('region', { name: 'To do' })
  // An organization without categories waits for the first ones.
  await next.getByRole('link', { name: /no categories yet/ }).waitFor()
  await expect.poll(() => next.getByRole('link').count()).toBe(1)
  // More groups than are listed here are one step away, in their order.
  await page.getByRole('link', { name: 'All your groups' }).waitFor()
  await expect
    .poll(() => page.getByRole('link', { name: /^Group \d+$/ }).allTextContents())
    .toEqual(Array.from({ length: 20 }, (_, index) => `Group ${index + 1}`))

  const [group] = groups
  await admin.post(`/community/groups/${group!.id}/update`, { isInvitationOnly: true, access: 'org' })
  await anna.post(`/community/groups/${group!.id}/join`)
  const { group: coast } = await anna.post('/community/createGroup', {
    title: 'Sea',
    access: 'org',
    isInvitationOnly: true,
  })
  await anna.post(`/community/groups/${coast.id}/invite`, { users: 'admin', role: 'group_member', expiration: 1440 })
  await (await hostCollaboration(portal)).invite()
  await keepDraft(application, { schema: { categorySchema: [{ title: 'Water' }] }, baseVersion: 0 })
  await page.reload()
  await next.getByRole('link', { name: /no guest has answered yet/ }).waitFor()
  await expect
    .poll(() => next.getByRole('link').allTextContents())
    .toEqual([
      '1 invitation to a group: accept or decline it',
      '1 request to join a group of yours: answer it',
      'A draft of the category schema of the organization: review and publish it',
      '1 invitation to Alpine maps: no guest has answered yet',
    ])
  // The latest changes follow once the rest is shown, and items without a category once there are categories.
  const latest = page.getByRole('region', { name: 'Latest changes' })
  await latest.getByRole('link', { name: 'admin invited a guest to a collaboration' }).waitFor()
  const without = page.getByRole('region', { name: 'Coverage of the categories' })
  await expect.poll(() => without.count()).toBe(0)
  await admin.post('/portals/self/assignCategorySchema', { categorySchema: '{"categorySchema":[{"title":"Water"}]}' })
  await admin.post('/content/users/admin/addItem', { title: 'Wells', type: 'Web Map' })
  await page.reload()
  await latest.getByText('Wells').waitFor()
  await without.getByText('0 of 1 item in categories').waitFor()
  await without.getByRole('link', { name: 'Web Map' }).waitFor()
  await expect.poll(() => findBarriersNow(page)).toEqual([])
  await without.getByRole('link', { name: 'admin' }).click()
  await page.getByRole('link', { name: 'Wells' }).waitFor()
  await page.goBack()
  await next.getByRole('link', { name: /request to join/ }).click()
  await application.heading('Requests').waitFor()

  // The organization is named and described.
  await page.goBack()
  await page.getByRole('link', { name: 'Name and settings' }).click()
  await page.locator('input[name=name]').fill('Office of Rivers')
  await page.getByLabel('Description').fill('Maps of all waters')
  await page.locator('select[name=culture]').selectOption('pt-BR')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('banner').getByRole('link', { name: 'Office of Rivers' }).waitFor()
  expect(await admin.get('/portals/self')).toMatchObject({
    name: 'Office of Rivers',
    description: 'Maps of all waters',
    culture: 'pt-BR',
    access: 'private',
  })
  expect(await application.findTroubles()).toEqual([])
})

test('the start does not say that nothing waits before it knows, nor where it has not looked at everything', async () => {
  await using application = await openApplication()
  const { page, portal } = application
  const admin = await portal.admin()
  await admin.post('/portals/self/assignCategorySchema', { categorySchema: '{"categorySchema":[{"title":"Water"}]}' })
  const nothing = page.getByText('Nothing at the moment.')
  const more = page.getByRole('link', { name: 'There may be more invitations' })
  await application.signIn('admin', adminPassword, '/')
  await nothing.waitFor()
  await expect.poll(() => more.count()).toBe(0)

  const collaborations = /\/portals\/self\/collaborations\?/
  const held = Promise.withResolvers<void>()
  await page.route(collaborations, async (route) => {
    await held.promise
    await route.abort()
  })
  await page.reload()
  await page.getByRole('link', { name: 'Open the category schema' }).waitFor()
  await expect.poll(() => nothing.count()).toBe(0)
  held.resolve()
  await more.waitFor()
  await expect.poll(() => nothing.count()).toBe(0)
  await page.unroute(collaborations)

  // One collaboration more than the page looks at.
  for (let number = 1; number <= 10; number++) await hostCollaboration(portal, admin, { name: `Maps ${number}` })
  await page.reload()
  await nothing.waitFor()
  await hostCollaboration(portal, admin)
  await page.reload()
  await more.waitFor()
  await expect.poll(() => nothing.count()).toBe(0)
  await more.click()
  await application.heading('Collaborations').waitFor()
})

test('the start says what needs a person on the server, and leads to the page that names it', async () => {
  await using application = await openApplication()
  const { page, portal } = application
  const { attention, now } = portal.server.dependencies
  attention.record('backupFailed', true, now())
  await application.signIn('admin', adminPassword, '/')
  const next = page.getByRole('region', { name: 'To do' })
  await next.getByRole('link', { name: '1 problem on the server: see System' }).click()
  await page.getByText('The last backup failed: see the log of the server for the reason.').waitFor()
  await expect.poll(() => findBarriersNow(page)).toEqual([])
  attention.record('backupFailed', false, now())
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect.poll(() => page.getByText('The last backup failed').count()).toBe(0)
})

test('the bell counts notices until they were seen, and a notice of a draft leads there', async ({
  application,
  page,
  portal,
}) => {
  const admin = await portal.admin()
  const mira = await portal.user('mira', 'org_admin')
  const drafts = '/portals/self/categorySchema/drafts'
  const categorySchema = '{"categorySchema":[{"title":"Water"}]}'
  const { draftId } = await admin.post(drafts, { name: 'Lakes', categorySchema })
  await admin.post(`${drafts}/${draftId}/propose`)
  await mira.post(`${drafts}/${draftId}/return`, { note: 'Two names' })
  await application.signIn('admin', adminPassword, '/groups')
  await page.getByRole('link', { name: 'Notices: 1 new' }).waitFor()
  const host = await hostCollaboration(portal)
  const { path } = await host.invite()
  await mira.post(`${path}/invalidate`)
  // It counts again on each screen.
  await page.getByRole('link', { name: 'Content', exact: true }).click()
  await page.getByRole('link', { name: 'Notices: 2 new' }).click()
  await page.getByText('New', { exact: true }).first().waitFor()
  await page.getByRole('link', { name: 'Notices', exact: true }).waitFor()
  await expect.poll(() => findBarriersNow(page)).toEqual([])
  const revoked = 'mira revoked your invitation of https://guest.example.org/portal to “Alpine maps”'
  await page.getByRole('link', { name: revoked }).click()
  await application.heading('Alpine maps').waitFor()
  await page.goBack()
  await page.getByRole('link', { name: 'mira sent the draft “Lakes” back' }).click()
  await application.heading('Lakes').waitFor()
  await page.reload()
  await page.getByRole('link', { name: 'Notices', exact: true }).waitFor()
})
