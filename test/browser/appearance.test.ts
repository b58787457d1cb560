import { expect, test } from 'vitest'
import { openVisit, type Visit } from '../support/browser/browser.ts'

const pages = [
  '/',
  '/community/self',
  '/community/groups',
  '/community/createGroup',
  '/portals/self/createCollaboration',
]

/** Texts whose contrast to what lies behind them is below 4.5, as WCAG AA asks. */
const findPaleTexts = `(() => {
  const parse = (color) => color.match(/[\\d.]+/g).map(Number)
  const channel = (value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4)
  const luminance = ([red, green, blue]) => 0.2126 * channel(red) + 0.7152 * channel(green) + 0.0722 * channel(blue)
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = parse(getComputedStyle(at).backgroundColor)
      if (color[3] !== 0) return color
    }
  }
  const shown = [...document.querySelectorAll('body *')].filter((element) =>
    element.checkVisibility() && [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== ''))
  if (shown.length < 8) return ['Hardly any text.']
  return shown.filter((element) => {
    const [one, other] = [luminance(parse(getComputedStyle(element).color)), luminance(behind(element))]
    return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05) < 4.5
  }).map((element) => element.outerHTML.slice(0, 100))
})()`

function brightnessNow({ page }: Visit): Promise<number> {
  return page.evaluate<number>('Number(getComputedStyle(document.documentElement).backgroundColor.match(/\\d+/)[0])')
}

test.each([
  ['light', 200, 255],
  ['dark', 0, 60],
] as const)('in %s colours every text stands out', async (colorScheme, darkest, brightest) => {
  await using visit = await openVisit({ colorScheme })
  for (const path of pages) {
    await visit.goTo(path)
    const isInRange = (ground: number) => ground >= darkest && ground <= brightest
    await expect.poll(() => brightnessNow(visit)).toSatisfy(isInRange)
    await expect.poll(() => visit.page.evaluate(findPaleTexts)).toEqual([])
  }
  expect(await visit.findTroubles()).toEqual([])
})

test('a phone shows every page without scrolling sideways', async () => {
  await using visit = await openVisit({ viewport: { width: 320, height: 640 } })
  const { page, portal } = visit
  const admin = await portal.admin()
  const group = await admin.createGroup('W'.repeat(250), { description: 'x'.repeat(2_000) })
  await admin.post('/portals/self/createCollaboration', { name: 'M'.repeat(100), workspaceName: 'Base maps' })
  await visit.goTo('/')
  await visit.signIn()
  const lists = ['/community/groups', '/portals/self/users', '/portals/self/collaborations', '/portals/self']
  for (const path of [...pages, ...lists, `/community/groups/${group.id}`]) {
    await visit.goTo(path)
    await expect
      .poll(async () => [path, await page.evaluate('document.documentElement.scrollWidth')])
      .toEqual([path, 320])
  }
})

test('without scripts what is public is readable, and the rest asks for a token', async () => {
  await using visit = await openVisit({ javaScriptEnabled: false })
  const { page, portal } = visit
  await (await portal.admin()).createGroup('Land cover', { access: 'public' })
  await visit.goTo('/')
  await page.getByRole('link', { name: 'Get a token' }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Sign in' }).count()).toBe(0)
  await visit.follow('Groups', 'Land cover')
  await visit.heading('Group Land cover').waitFor()
  await visit.follow('Groups')
  await page.getByLabel('q', { exact: true }).fill('nothing like it')
  await visit.show()
  await page.locator('pre').getByText('"total": 0,').waitFor()
  expect(visit.complaints).toEqual([])
})
