import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { type Application, openApplication } from '../../support/browser/application.ts'
import { fillApplication } from '../../support/browser/filled-application.ts'
import { pollValue } from '../../support/browser/value.ts'
import { type ListeningPortal, startListeningPortal } from '../../support/portal/listening-portal.ts'

const longName = 'Ministerium für Umwelt, Landwirtschaft und Geoinformation'
/** Words are longest in German, and the other way round in Arabic. */
const windows = [
  ['de', 1280],
  ['de', 390],
  ['ar', 1280],
  ['ar', 390],
] as const

/** A filled organization with a long name. */
async function fillPortal(): Promise<AsyncDisposable & { portal: ListeningPortal; world: World }> {
  const portal = await startListeningPortal()
  const world = await fillApplication(portal)
  await (await portal.admin()).post('/portals/self/update', { name: longName })
  return { portal, world, [Symbol.asyncDispose]: () => portal[Symbol.asyncDispose]() }
}
type World = Awaited<ReturnType<typeof fillApplication>>

/** Where the element is, in whole pixels. */
async function placeOf(element: Locator): Promise<{ x: number; y: number; end: number; bottom: number }> {
  await element.waitFor()
  const box = await pollValue(
    () => element.boundingBox(),
    (value) => value !== null,
  )
  const { x, y, width, height } = box!
  return { x: Math.round(x), y: Math.round(y), end: Math.round(x + width), bottom: Math.round(y + height) }
}

const rowOf = (page: Page, name: string) => page.getByRole('treeitem', { name })

test.each(windows)(
  'in the editor nothing moves under the pointer, whatever comes meanwhile: %s, %i px',
  async (language, width) => {
    await using filled = await fillPortal()
    const { portal } = filled
    await using application = await openApplication({ portal, language, width })
    const { page } = application
    await application.signIn('admin', undefined, '/organization/schema')
    const target = rowOf(page, 'Alps')
    const before = await placeOf(target)
    /** Clicks where the row was before all changes. */
    const clickThere = async (after: string) => {
      await page.mouse.click(before.x + 150, (before.y + before.bottom) / 2)
      await expect.poll(() => target.getAttribute('aria-selected'), { message: after }).toBe('true')
      if (width < 640) await page.keyboard.press('Escape')
      expect(await placeOf(target), after).toEqual(before)
    }
    const rename = async (title: string, name: string) => {
      await rowOf(page, title).click()
      if (width < 640) await page.keyboard.press('Escape')
      await page.keyboard.press('F2')
      await page.keyboard.type(name)
      await page.keyboard.press('Enter')
    }
    // The first letter of an edit, and the draft on the server some time later.
    await rename('World', 'Worlds')
    await clickThere('the first letter')
    await page.locator('cartulary-keep-draft a').waitFor({ state: 'attached' })
    await clickThere('kept on the server')
    // Another person publishes.
    const admin = await portal.admin()
    await admin.post('/portals/self/assignCategorySchema', { categorySchema: '[{"title":"Theirs"}]' })
    await page.evaluate('document.dispatchEvent(new Event("visibilitychange"))')
    await page.locator('#moved-on').waitFor()
    await clickThere('published meanwhile')
    // The network goes, and comes again.
    await application.context.setOffline(true)
    await page.locator('.offline').waitFor()
    await clickThere('no network')
    await application.context.setOffline(false)
    await page.locator('.offline').waitFor({ state: 'detached' })
    await clickThere('the network is there again')
    // Review refuses a title; a narrow window scrolls to it.
    if (width < 640) return
    await rename('Worlds', 'a/b')
    await page.locator('#review').click()
    await page.locator('.form [aria-invalid=true]').first().waitFor()
    await clickThere('refused')
  },
)

test.each(windows)(
  'the second tick of a selection is where the first one saw it: %s, %i px',
  async (language, width) => {
    await using filled = await fillPortal()
    await using application = await openApplication({ portal: filled.portal, language, width })
    const { page } = application
    await application.signIn('admin', undefined, '/content')
    const ticks = page.locator('cartulary-item-list li input')
    const before = await placeOf(ticks.nth(1))
    await ticks.first().check()
    await page.locator('cartulary-bottom-bar').getByRole('status').waitFor()
    await page.mouse.click((before.x + before.end) / 2, (before.y + before.bottom) / 2)
    await expect.poll(() => ticks.nth(1).isChecked()).toBe(true)
    const bar = await placeOf(page.locator('cartulary-bottom-bar'))
    expect(bar.bottom).toBeLessThanOrEqual(800)
    expect(await placeOf(ticks.nth(1))).toEqual(before)
  },
)

test.each(['de', 'ar'] as const)('menus stay within a window of 320 px: %s', async (language) => {
  await using filled = await fillPortal()
  await using application = await openApplication({ portal: filled.portal, language, width: 320 })
  await application.signIn('admin', undefined, '/organization/schema')
  await rowOf(application.page, 'Alps').waitFor()
  const buttons = application.page.locator('cartulary-popup summary').filter({ visible: true })
  await expect.poll(() => buttons.count()).toBe(3)
  for (const button of await buttons.all()) {
    await button.click()
    const panel = await placeOf(application.page.locator('cartulary-popup details[open] .panel'))
    expect(panel.x).toBeGreaterThanOrEqual(0)
    expect(panel.y).toBeGreaterThanOrEqual(0)
    expect(panel.end).toBeLessThanOrEqual(320)
    expect(panel.bottom).toBeLessThanOrEqual(800)
    await button.click()
  }
})

/** Places of the actions beside the heading. */
async function actionsNow({ page }: Application): Promise<readonly { x: number; y: number }[]> {
  const buttons = await page
    .locator('main cartulary-heading > :is(wa-button, cartulary-popup)')
    .filter({ visible: true })
    .all()
  return Promise.all(buttons.map(placeOf))
}

test.each(['de', 'ar'] as const)('actions of a heading stay together; a wide window is used: %s', async (language) => {
  await using filled = await fillPortal()
  const { portal, world } = filled
  await using application = await openApplication({ portal, language })
  const { page } = application
  await application.signIn()
  for (const path of [
    `/groups/${world.group}`,
    `/collaborations/${world.collaboration}/invitations/${world.invitation}`,
  ]) {
    await application.goTo(path)
    await expect.poll(async () => (await actionsNow(application)).length).toBeGreaterThan(2)
    await expect
      .poll(async () => new Set((await actionsNow(application)).map(({ y }) => y)).size, { message: path })
      .toBe(1)
  }
  await page.setViewportSize({ width: 1920, height: 800 })
  for (const path of [`/groups/${world.group}`, `/content/${world.item}`, '/people/users/anna']) {
    await application.goTo(path)
    await page.locator('main h2').nth(2).waitFor()
    const starts = (
      await Promise.all((await page.locator('main h2').filter({ visible: true }).all()).map(placeOf))
    ).map((place) => (language === 'ar' ? 1920 - place.end : place.x))
    expect(Math.max(...starts) - Math.min(...starts), path).toBeGreaterThan(600)
  }
  // The button that closes a dialog has the words of the language.
  await application.goTo(`/content/${world.item}`)
  const close = page.locator('wa-dialog [part=close-button] wa-icon').first()
  await expect.poll(() => close.getAttribute('label')).toBe(language === 'de' ? 'Schließen' : 'اغلاق')
  // The list has the width, and the form of a change stands beside it.
  await application.goTo('/content')
  const tick = page.locator('cartulary-item-list li input').nth(1)
  const before = await placeOf(tick)
  await tick.check()
  await page.locator('cartulary-bottom-bar').getByRole('button').nth(-1).click()
  await page.locator('cartulary-bulk-panel h2').waitFor()
  expect(await placeOf(tick)).toEqual(before)
})
