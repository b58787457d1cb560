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
