import { expect, test } from 'vitest'
import { runJobs } from '../../../src/background/jobs.ts'
import { type Application, button, openApplication } from '../../support/browser/application.ts'
import { keepDraft } from '../../support/browser/drafts.ts'
import { houseOf } from '../../support/portal/house.ts'
import { adminPassword } from '../../support/portal/portal.ts'

const schemaOf = (...titles: readonly string[]) => ({
  categorySchema: [{ title: 'Themes', categories: titles.map((title) => ({ title })) }],
})

const link = ({ page }: Application, name: string) => page.getByRole('link', { name, exact: true })

test('a draft is kept, proposed, sent back, taken up again, and published by a second person on a date', async () => {
  await using first = await openApplication()
  const { portal } = first
  const admin = await portal.admin()
  await admin.invite('mira', 'org_admin')
  await admin.post('/portals/self/assignCategorySchema', { categorySchema: JSON.stringify(schemaOf('Water', 'Roads')) })

  const listDrafts = async (): Promise<readonly { readonly categories: number }[]> =>
    (await admin.get('/portals/self/categorySchema/drafts')).drafts

  // The organization asks for a second person.
  await first.signIn('admin', adminPassword, '/settings')
  await first.page
    .getByLabel('Changes of categories')
    .selectOption('A second person publishes those of the organization')
  await button(first, 'Save').click()
  await first.page.getByText('Saved').first().waitFor({ state: 'attached' })

  // A renamed category is kept on the server, and proposed.
  await keepDraft(first, { schema: schemaOf('Lakes', 'Roads'), origins: { '/Themes/Lakes': '/Themes/Water' } })
  await first.goTo('/organization/schema/review')
  await first.page.getByText('Your organization asks for a second person').waitFor()
  await button(first, 'Publish').waitFor({ state: 'detached' })
  await first.page.getByLabel('Why').fill('One word for all waters')
  await button(first, 'Propose …').click()
  await first.page.getByLabel('Name', { exact: true }).fill('Lakes')
  await first.page.getByRole('combobox', { name: 'To' }).fill('mira')
  await first.page.getByLabel('A word to them').fill('Please look.')
  await button(first, 'Propose').click()
  await first.heading('Lakes').waitFor()
  await first.page.getByText('Proposed to mira by admin').waitFor()
  await first.page.getByText('somebody else publishes it').waitFor()

  // The second person sees it, and sends it back.
  await using second = await openApplication({ portal })
  await second.signIn('mira')
  await link(second, 'admin proposes the draft “Lakes”: publish it or send it back').click()
  await second.page.getByText('Please look.').waitFor()
  await second.page.getByText('1 renamed').waitFor()
  await button(second, 'Send back …').click()
  await second.page.getByLabel('Why').fill('Rivers are missing.')
  await button(second, 'Send back').click()
  await second.page.getByText('Sent back by mira').waitFor()

  // The first one goes on with it in the editor, which saves it by itself.
  await first.goTo('/')
  await link(first, 'mira sent the draft “Lakes” back').first().click()
  await first.page.getByText('Rivers are missing.').waitFor()
  await button(first, 'Open in the editor').click()
  const tree = first.page.getByRole('tree')
  await tree.getByText('Roads').click()
  await button(first, 'Add').click()
  await first.page.keyboard.type('Rivers')
  await first.page.keyboard.press('Enter')
  await expect.poll(async () => (await listDrafts()).map(({ categories }) => categories)).toEqual([4])
  await link(first, 'Kept on the server as “Lakes”').click()
  await first.page.getByText('1 added').waitFor()
  await button(first, 'Propose …').click()
  await button(first, 'Propose').click()
  await first.page.getByText('Proposed by admin').waitFor()

  // The second one sets a date, and the server publishes it then.
  await second.goTo('/organization/schema/drafts')
  await link(second, 'Lakes').click()
  await button(second, 'Publish on a date …').click()
  await second.page.getByLabel('Date and time').fill('2099-01-01T08:00')
  await button(second, 'Publish then').click()
  await second.page.getByText('This has to be within a year.').waitFor()
  const inAWeek = new Date(portal.clock.now + 7 * 86_400_000)
  await second.page.getByLabel('Date and time').fill(inAWeek.toISOString().slice(0, 16))
  await button(second, 'Publish then').click()
  await second.page.getByText('mira has it published on').waitFor()
  portal.clock.now = inAWeek.getTime() + 86_400_000
  await runJobs(houseOf(portal))
  const { categorySchema } = await (await portal.admin()).get('/portals/self/categorySchema')
  expect(categorySchema[0].categories.map(({ title }: { title: string }) => title)).toEqual([
    'Lakes',
    'Roads',
    'Rivers',
  ])

  // The copy of the first one is gone by itself, with the news.
  await first.signIn('admin', adminPassword, '/organization/schema')
  await link(first, '“Lakes” was published by mira as version 2.').waitFor()
  await first.page.getByText('No draft: version 2, as it is published').waitFor()

  // The history has all four eyes; what was published is taken back, and the whole deleted, by drafts.
  await using third = await openApplication({ portal })
  await third.signIn('mira', adminPassword, '/organization/schema/history')
  await third.page.getByText('draft “Lakes” by admin, proposed by admin, published by mira').waitFor()
  await third.page.getByText('One word for all waters').waitFor()
  await third.goTo('/organization/schema/history/1?restore=yes')
  await button(third, 'Restore as a draft').click()
  await third.heading('Restore version 1').waitFor()
  await third.page.getByText('Publishing it restores version 1.').waitFor()
  await button(third, 'Open in the editor').waitFor({ state: 'detached' })
  await third.goTo('/organization/schema/review?delete=yes')
  await button(third, 'Delete as a draft').click()
  await third.page.getByText('Publishing it deletes the whole schema.').waitFor()
  await button(third, 'Propose …').click()
  await button(third, 'Propose').click()
  await third.page.getByText('Proposed by mira').waitFor()
  await using fourth = await openApplication({ portal })
  await fourth.signIn('admin', adminPassword, '/organization/schema/drafts')
  await link(fourth, 'Delete the whole schema').click()
  await button(fourth, 'Publish').click()
  await fourth.page.getByText('Published as version 3').first().waitFor()
  expect(await (await portal.admin()).get('/portals/self/categorySchema')).toEqual({ categorySchema: [] })
})

test('a draft goes on elsewhere; one that another person saves, restores, deletes or may not save any more is not lost', async () => {
  await using first = await openApplication()
  const { portal, page } = first
  const admin = await portal.admin()
  await portal.user('mira', 'org_admin')
  const assign = (path: string, ...titles: string[]) =>
    admin.post(`${path}/assignCategorySchema`, { categorySchema: JSON.stringify(schemaOf(...titles)) })
  await assign('/portals/self', 'Water')
  const draftsOf = async (path = '/portals/self') =>
    (await admin.get(`${path}/categorySchema/drafts`)).drafts.map((draft: WholeDraft) => [
      draft.modifiedBy,
      draft.categories,
    ])
  const add = async ({ page }: Application, title: string) => {
    await page.getByRole('treeitem', { name: 'Themes' }).click()
    await button({ page } as Application, 'Add inside').click()
    await page.keyboard.type(title)
    await page.keyboard.press('Enter')
  }
  // The answer to the first save is lost on its way.
  await page.route(
    '**/categorySchema/drafts',
    async (route) => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )
  await first.signIn('admin', adminPassword, '/organization/schema')
  await add(first, 'Roads')
  await page.getByText('Not on the server yet').waitFor()
  await add(first, 'Rails')
  await expect.poll(() => draftsOf()).toEqual([['admin', 4]])

  // The person goes on with it at another machine, and comes back to the first.
  await using elsewhere = await openApplication({ portal })
  await elsewhere.signIn('admin', adminPassword, '/organization/schema')
  await elsewhere.page.getByRole('button', { name: 'Go on with “Draft of admin' }).click()
  await elsewhere.page.getByRole('treeitem', { name: 'Rails' }).waitFor()
  await add(elsewhere, 'Ships')
  await expect.poll(() => draftsOf()).toEqual([['admin', 5]])
  const [{ id: begun }] = (await admin.get('/portals/self/categorySchema/drafts')).drafts
  await add(first, 'Trams')
  await page.getByText('admin has saved “Draft of admin').waitFor()
  await button(first, 'Keep mine as another draft').click()
  await expect.poll(async () => (await draftsOf()).length).toBe(2)

  // Another person takes one up: what the first one has is not overwritten, and neither is theirs.
  await using other = await openApplication({ portal })
  await other.signIn('mira', adminPassword, `/organization/schema/drafts/${begun}`)
  await button(other, 'Open in the editor').click()
  await add(other, 'Paths')
  await expect
    .poll(async () => (await draftsOf()).map(([by]: readonly string[]) => by).sort())
    .toEqual(['admin', 'mira'])
  await add(elsewhere, 'Canals')
  await elsewhere.page.getByText('mira has saved “Draft of admin').waitFor()

  // The schema is restored meanwhile, and then the right is lost.
  await assign('/portals/self', 'Air')
  await admin.post('/portals/self/categorySchema/versions/1/restore')
  await other.page.reload()
  await other.page.getByText('Version 3 has been published since').waitFor()
  await admin.post('/portals/self/updateUserRole', { user: 'mira', role: 'org_user' })
  await add(other, 'Stairs')
  await other.page.locator('cartulary-bottom-bar').getByRole('alert').waitFor()
  await other.page.getByRole('treeitem', { name: 'Stairs' }).waitFor()

  // A group is deleted while its draft is written.
  const { id } = await admin.createGroup('Rivers')
  await assign(`/community/groups/${id}`, 'Water')
  await first.goTo(`/groups/${id}/schema`)
  await add(first, 'Locks')
  await expect.poll(() => draftsOf(`/community/groups/${id}`)).toEqual([['admin', 3]])
  await admin.post(`/community/groups/${id}/delete`)
  await add(first, 'Weirs')
  await page.locator('cartulary-bottom-bar').getByRole('alert').getByText('Group does not exist').waitFor()
  await page.getByRole('treeitem', { name: 'Weirs' }).waitFor()
})

interface WholeDraft {
  readonly modifiedBy: string
  readonly categories: number
}
