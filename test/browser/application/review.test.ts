import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { CategorySchema } from '../../../src/categories/schema.ts'
import { type Application, button, openApplication } from '../../support/browser/application.ts'
import { countDraftsNow, keepDraft, removeDrafts } from '../../support/browser/drafts.ts'
import { keyboardOf } from '../../support/browser/keyboard.ts'
import { outline } from '../../support/inputs/outline.ts'
import { sketch } from '../../support/inputs/sketch.ts'
import { startListeningPortal } from '../../support/portal/listening-portal.ts'
import type { Client } from '../../support/portal/portal.ts'

const first = outline('Themes', '  Water', '    Rivers', '  Land', 'Regions', '  Europe')
const edited = outline('Themes', '  Waters: All of them', '    Rivers', '  Soil', 'Regions', '  Europe', '  Asia')
const origins = {
  '/Themes/Waters': '/Themes/Water',
  '/Themes/Waters/Rivers': '/Themes/Water/Rivers',
  '/Themes/Soil': null,
  '/Regions/Asia': null,
}
const review = '/organization/schema/review'

async function publish(admin: Client, categorySchema: CategorySchema, ifVersion = 0): Promise<void> {
  const answer = await admin.post('/portals/self/assignCategorySchema', { categorySchema, ifVersion })
  expect(answer).toEqual({ success: true, version: ifVersion + 1 })
}

async function readSketch(admin: Client): Promise<string> {
  return sketch(await admin.get('/portals/self/categorySchema'))
}

/** The text of each category in the tree of what would change. */
function linesNow({ page }: Application) {
  return page
    .locator('cartulary-difference .line')
    .evaluateAll((lines) => lines.map((line) => line.textContent?.replace(/\s+/g, ' ').trim()))
}

test('what would change is looked at, a move is taken, it is published, and undone from the history', async () => {
  await using application = await openApplication()
  const { page, portal } = application
  const admin = await portal.admin()
  await publish(admin, first)
  const categories = '/Themes/Land,/Themes/Water/Rivers'
  const { id } = await admin.post('/content/users/admin/addItem', { title: 'Map', type: 'Web Map', categories })
  const categoriesOfItem = async () => (await admin.get(`/content/items/${id}`)).categories
  await application.signIn()
  await keepDraft(application, { schema: edited, origins })
  await application.goTo(review)

  await page.getByText('1 item has a category that will not be in the schema any more:').waitFor()
  await page.getByLabel('Items whose category is removed').waitFor()
  await expect
    .poll(() => linesNow(application))
    .toEqual([
      'Themes',
      'Renamed Waters was /Themes/Water Changed 1 item follows Description: All of them',
      'Removed Land 1 item has this category',
      'Added Soil',
      'Regions',
      'Added Asia',
    ])
  // Another tab edits the same draft, and takes that back.
  const tab = await application.context.newPage()
  await tab.goto(`${application.origin}/`)
  for (const [from, to] of [
    ['Asia', 'Antarctica'],
    ['Antarctica', 'Asia'],
  ] as const) {
    await tab.evaluate(
      ([from, to]) => {
        const name = Object.keys(localStorage).find((name) => name.startsWith('cartulary.draft/'))!
        const draft = JSON.parse(localStorage.getItem(name)!.replace(from, to))
        localStorage.setItem(name, JSON.stringify({ ...draft, saved: draft.saved + 1 }))
      },
      [from, to] as const,
    )
    await page.locator('cartulary-difference').getByText(to).waitFor()
  }
  await button(application, 'Take as a move').click()
  await page.getByText('Renamed Soil').or(page.getByText('was /Themes/Land')).first().waitFor()
  await expect
    .poll(() => page.getByText('Items follow from /Themes/Land to /Themes/Soil', { exact: true }).count())
    .toBeGreaterThan(0)
  await button(application, 'Not a move').click()
  await button(application, 'Take as a move').click()
  await button(application, 'Not a move').waitFor()
  await page.getByRole('heading', { name: 'Moves that you have taken' }).waitFor()
  await page.getByLabel('Show unchanged categories too').check()
  await expect.poll(() => linesNow(application)).toContain('Europe')
  await page.getByLabel('Why').fill('Wider themes')
  await page.reload()
  await expect.poll(() => page.getByLabel('Why').inputValue()).toBe('Wider themes')
  await button(application, 'Publish').click()
  await page.locator('strong').getByText('Published as version 2').waitFor()
  await page.getByText('The draft is removed.').waitFor()
  await expect.poll(() => countDraftsNow(application)).toBe(0)
  expect(await categoriesOfItem()).toEqual(['/Themes/Soil', '/Themes/Waters/Rivers'])
  // Published alone, it went as a draft of the server all the same.
  const { draft } = await admin.get('/portals/self/categorySchema/versions/2')
  expect(draft).toMatchObject({ savedBy: 'admin', publishedBy: 'admin', proposedBy: null, comment: 'Wider themes' })
  expect((await admin.get('/portals/self/categorySchema/drafts')).drafts).toEqual([])

  await page.getByRole('link', { name: 'History', exact: true }).click()
  await page.getByRole('cell', { name: 'Published · 2 moves Wider themes' }).waitFor()
  await button(application, 'Compare the two chosen').click()
  await page.getByRole('heading', { name: 'Version 2' }).waitFor()
  await expect.poll(() => new URL(page.url()).search).toBe('?from=1&to=2')
  await page.getByText('was /Themes/Land').waitFor()
  await page.getByRole('link', { name: 'Version 1' }).click()
  await page.getByText('Restore…').click()
  await page.getByText('1 item follows a move.').waitFor()
  await page.getByLabel('Why').fill('Too wide')
  await page.getByLabel('Items go back').uncheck()
  await page.getByText('1 item follows a move.').waitFor({ state: 'hidden' })
  await page.getByLabel('Items go back').check()
  await page.getByText('1 item follows a move.').waitFor()
  await expect.poll(() => page.getByLabel('Why').inputValue()).toBe('Too wide')
  await button(application, 'Restore version 1').click()
  await page.locator('strong').getByText('Version 1 is restored, as version 3.').waitFor()
  expect(await readSketch(admin)).toBe(sketch(first))
  expect(await categoriesOfItem()).toEqual(['/Themes/Land', '/Themes/Water/Rivers'])
  await page.goBack()
  await page.goBack()
  await page.getByRole('heading', { name: 'Compare two versions' }).waitFor()
  expect(await application.findTroubles()).toEqual([])
})

test('by keyboard alone: review, publish, compare, restore, delete, and restore again', async () => {
  await using application = await openApplication()
  const { page, portal } = application
  const admin = await portal.admin()
  await publish(admin, first)
  await application.signIn()
  await keepDraft(application, { schema: edited, origins })
  await application.goTo(review)
  const { enter, tabTo } = keyboardOf(application)
  const seeFocused = (words: string) => page.locator('strong:focus', { hasText: words }).waitFor()
  await button(application, 'Publish').waitFor()
  await enter('Take as a move')
  await button(application, 'Not a move').waitFor()
  await tabTo('Why')
  await page.keyboard.type('Wider')
  await enter('Publish')
  await seeFocused('Published as version 2')
  await enter('History')
  await page.getByRole('cell', { name: /Wider/ }).waitFor()
  await enter('Compare the two chosen')
  await page.getByText('was /Themes/Land').waitFor()
  await enter('Version 1')
  await page.getByText('Restore…').waitFor()
  await enter('Restore…')
  await button(application, 'Restore version 1').waitFor()
  await page.getByText('was /Themes/Soil').or(page.getByText('was /Themes/Waters')).first().waitFor()
  await enter('Restore version 1')
  await seeFocused('Version 1 is restored, as version 3.')
  expect(await readSketch(admin)).toBe(sketch(first))

  await application.goTo(review)
  await page.getByText('There is nothing to publish').waitFor()
  await enter('Delete the whole schema…')
  await page.getByText('6 removed').waitFor()
  await enter('Delete the whole schema…')
  await page.locator('#typed:focus').waitFor()
  await page.keyboard.type('Ministry of Map')
  await page.keyboard.press('Enter')
  expect(await readSketch(admin)).toBe(sketch(first))
  await page.keyboard.type('s')
  await page.keyboard.press('Enter')
  await seeFocused('The schema is deleted.')
  await application.heading('The schema is deleted.').waitFor()
  expect(await readSketch(admin)).toBe('')
  await enter('Undo: back to version 3')
  await button(application, 'Restore version 3').waitFor()
  await page.getByText('6 added').waitFor()
  await enter('Restore version 3')
  await seeFocused('Version 3 is restored, as version 5.')
  expect(await readSketch(admin)).toBe(sketch(first))
  expect(await application.findTroubles()).toEqual([])
})

/** Both begin with version 1; the other one publishes first. */
async function openConflict(one: Application, theirs: CategorySchema): Promise<Client> {
  const admin = await one.portal.admin()
  await publish(admin, first)
  const rival = await one.portal.user('rival', 'org_admin')
  await one.signIn()
  await keepDraft(one, { schema: edited, origins })
  await one.goTo(review)
  await button(one, 'Publish').waitFor()
  await using other = await openApplication({ portal: one.portal })
  await other.signIn('rival')
  await keepDraft(other, {
    schema: theirs,
    username: 'rival',
    origins: {
      '/Themes/Waterways': '/Themes/Water',
      '/Themes/Waterways/Rivers': '/Themes/Water/Rivers',
      '/Regions/Europe/Norway': null,
    },
  })
  await other.goTo(review)
  await other.page.getByLabel('Why').fill('Theirs')
  await button(other, 'Publish').click()
  await other.page.locator('strong').getByText('Published as version 2').waitFor()
  await one.page.getByLabel('Why').fill('Mine')
  await button(one, 'Publish').click()
  await one.page.getByText('Version 2 was published after you began your draft from version 1').waitFor()
  return rival
}

const theirs = outline('Themes: topics', '  Waterways', '    Rivers', '  Land', 'Regions', '  Europe', '    Norway')

test('of two persons who edit one schema, the second sees both sides, answers what both have changed, and loses nothing', async () => {
  await using one = await openApplication()
  const { page } = one
  const rival = await openConflict(one, theirs)
  await page.getByText('rival ·').waitFor()
  await page.getByText('Theirs', { exact: true }).waitFor()
  for (const name of ['What version 2 changed', 'What your draft changed']) {
    await page.getByRole('heading', { name }).waitFor()
  }
  await page.getByText('Common starting point (version 1)').waitFor()
  const question = page.getByRole('group', { name: 'Title of /Themes/Water' })
  await button(one, 'Merge both in my draft').click()
  await page.getByRole('alert').getByText('Choose for each of these places first.').waitFor()
  expect(await readSketch(rival)).toBe(sketch(theirs))
  await expect.poll(() => question.getByRole('radio').allTextContents()).toHaveLength(2)
  await question.getByLabel('Yours: Waters').check()
  await button(one, 'Merge both in my draft').click()
  await page.getByText('Your draft is now based on version 2').waitFor()
  await button(one, 'Undo this').click()
  await page.getByRole('heading', { name: 'Merge both' }).waitFor()
  await question.getByLabel('Yours: Waters').check()
  await button(one, 'Merge both in my draft').click()
  await button(one, 'Publish').click()
  await page.locator('strong').getByText('Published as version 3').waitFor()
  expect(await readSketch(rival)).toBe(
    'Themes: topics (Waters: All of them (Rivers), Soil), Regions (Europe (Norway), Asia)',
  )
  const version = await rival.get('/portals/self/categorySchema/versions/3')
  expect(version).toMatchObject({ comment: 'Mine', moves: [{ from: '/Themes/Waterways', to: '/Themes/Waters' }] })
  expect(await one.findTroubles()).toEqual([])
})

test('the second overwrites knowingly, after the plan has shown what that undoes', async () => {
  await using one = await openApplication()
  const { page } = one
  const rival = await openConflict(one, theirs)
  await button(one, 'Show what overwriting would do').click()
  await page.getByText('Your draft is now based on version 2').waitFor()
  await expect
    .poll(() => linesNow(one))
    .toEqual([
      'Themes Changed Description: topics',
      'Renamed Waters was /Themes/Waterways Changed Description: All of them',
      'Removed Land',
      'Added Soil',
      'Regions',
      'Europe',
      'Removed Norway',
      'Added Asia',
    ])
  expect(await readSketch(rival)).toBe(sketch(theirs))
  // Another tab discards the draft meanwhile.
  await page.route(
    '**/publish',
    async (route) => {
      await removeDrafts(one)
      await route.continue()
    },
    { times: 1 },
  )
  await button(one, 'Publish').click()
  await page.locator('strong').getByText('Published as version 3').waitFor()
  await page.getByText('The draft is removed.').waitFor()
  expect(await readSketch(rival)).toBe(sketch(edited))
})

test('a server that restarts in the middle: the draft is kept, and the next attempt publishes it once', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'review-'))
  const environment = { DATABASE_URL: `file:${join(folder.path, 'portal.db')}` }
  const before = await startListeningPortal(environment)
  const { port } = new URL(before.server.publicUrl())
  await publish(await before.admin(), first)
  await using application = await openApplication({ portal: before })
  const { page } = application
  await application.signIn()
  await keepDraft(application, { schema: edited, origins })
  await application.goTo(review)
  await button(application, 'Publish').waitFor()
  await before[Symbol.asyncDispose]()
  await button(application, 'Publish').click()
  await page.getByText('Nothing is lost: your draft is still in this browser.').waitFor()
  await expect.poll(() => countDraftsNow(application)).toBe(1)
  await using after = await startListeningPortal({ ...environment, PORT: port })
  const admin = await after.admin()
  // The answer to the second attempt is lost on its way: it has been done all the same.
  await page.route(
    '**/publish',
    async (route) => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )
  const lost = page.waitForEvent('requestfailed')
  await button(application, 'Try again').click()
  await lost
  await page.getByText('Nothing is lost: your draft is still in this browser.').waitFor()
  await button(application, 'Publish').click()
  await page.locator('strong').getByText('Published as version 2').waitFor()
  expect(await readSketch(admin)).toBe(sketch(edited))
  expect((await admin.get('/portals/self/categorySchema/versions')).total).toBe(2)
  await expect.poll(() => countDraftsNow(application)).toBe(0)
})
