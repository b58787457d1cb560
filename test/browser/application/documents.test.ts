import { findBarriersNow, findColourBarriersNow } from '../../support/browser/accessibility.ts'
import { expect, test } from '../../support/browser/application-test.ts'

test('the documentation is read in any window, in the colours that a person has chosen', async ({ application }) => {
  const { page } = application
  const overflowNow = () =>
    page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')
  for (const path of ['/docs', '/docs/governing#moves', '/docs/importing', '/docs/decisions', '/docs/glossary']) {
    await application.goTo(path)
    await page.locator('main h1').waitFor()
    await expect.poll(() => findBarriersNow(page), { message: path }).toEqual([])
    await page.setViewportSize({ width: 320, height: 640 })
    await expect.poll(overflowNow, { message: path }).toBe(0)
    await page.setViewportSize({ width: 1280, height: 800 })
  }
  await page.evaluate(`localStorage.setItem('cartulary.theme /', 'dark')`)
  await application.goTo('/docs/limits')
  await page.locator('html.wa-dark').waitFor()
  await expect.poll(() => findColourBarriersNow(page)).toEqual([])
  const ground = 'getComputedStyle(document.documentElement).backgroundColor'
  await expect.poll(() => page.evaluate(ground)).toBe('rgb(16, 18, 25)')
  await page.getByRole('link', { name: 'All documents' }).click()
  await page.getByRole('link', { name: 'Governing a category schema' }).click()
  await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Moves' }).click()
  await expect.poll(() => page.url()).toBe(`${application.origin}/docs/governing#moves`)
  expect(await application.findTroubles()).toEqual([])
})

test('help stands beside a screen, or below it on a phone, and opens the place of the documentation', async ({
  application,
}) => {
  const { page, context } = application
  await application.signIn('admin', undefined, '/organization/schema/history')
  const helps = page.getByRole('complementary', { name: 'Help' })
  await helps.getByText('Each change is a version.').waitFor()
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    // One of the two places is shown.
    await expect.poll(() => helps.count()).toBe(1)
    const isBelowNow = async () =>
      (await helps.boundingBox())!.x < 40 && (await page.locator('main').boundingBox())!.x < 40
    await expect.poll(isBelowNow).toBe(width === 390)
  }
  const opened = context.waitForEvent('page')
  await helps.getByRole('link', { name: 'Read more in the documentation' }).click()
  const document = await opened
  await expect.poll(() => document.url()).toBe(`${application.origin}/docs/governing#versions`)
  await document.getByRole('heading', { name: 'Versions', exact: true }).waitFor()
  await application.walkTo('/people/apps')
  await helps.getByText('A program uses an app').waitFor()
})
