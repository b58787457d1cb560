import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findColourBarriersNow, findOtherBarriersNow } from '../../support/browser/accessibility.ts'
import { openApplication } from '../../support/browser/application.ts'
import { fillApplication, filledScreens } from '../../support/browser/filled-application.ts'

/** Markup, a template, and a mark that turns the direction of what follows: all of it is text. */
const hostile = ' <img src=x onerror="document.title=1">{{7*7}}\u202e'

/** Finds elements made by hostile texts, and elements wider than the window. */
const troublesOfDocument = `(() => {
  const troubles = []
  const visit = (root) => {
    for (const element of root.querySelectorAll('*')) {
      if (element.matches('img, script:not([src]), [onerror]')) troubles.push('markup: ' + element.outerHTML)
      if (element.shadowRoot) visit(element.shadowRoot)
    }
  }
  visit(document)
  return troubles
})()`

/** Own choices that are longer than their field: what is chosen would be cut off. */
const findCutOff = `(() => {
  const troubles = []
  const letters = document.createElement('canvas').getContext('2d')
  const visit = (root) => {
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) visit(element.shadowRoot)
      if (!element.matches('select') || element.clientWidth === 0) continue
      const { font, paddingLeft, paddingRight } = getComputedStyle(element)
      letters.font = font
      const room = element.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight) - 16
      for (const { text } of element.options) {
        if (!text.includes('{{7*7}}') && letters.measureText(text).width > room) troubles.push('cut off: ' + text)
      }
    }
  }
  visit(document)
  return troubles
})()`

/** Finds horizontal overflow of the page, in a window of this width. */
function findOverflowNow(page: Page, width: number): Promise<readonly string[]> {
  return page.evaluate<string[]>(`(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return window.innerWidth !== ${width} ? ['another window'] : scrollWidth > clientWidth ? ['scrolls sideways'] : []
  })()`)
}

/** Sets distances between lines, letters and words as a person may (WCAG 1.4.12), in every shadow root, or takes them back. */
const spaceOut = (isSpaced: boolean) => `(() => {
  window.spacing ??= new CSSStyleSheet()
  window.spacing.replaceSync(\`
    * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
    p { margin-block-end: 2em !important }\`)
  const visit = (root) => {
    const others = root.adoptedStyleSheets.filter((sheet) => sheet !== window.spacing)
    root.adoptedStyleSheets = ${isSpaced} ? [...others, window.spacing] : others
    for (const element of root.querySelectorAll('*')) if (element.shadowRoot) visit(element.shadowRoot)
  }
  visit(document)
})()`

/** Texts that are cut by the element around them. */
const findClipped = `(() => {
  const troubles = []
  const visit = (root) => {
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) visit(element.shadowRoot)
      if (element.matches('h1') && getComputedStyle(element).letterSpacing === 'normal') troubles.push('not spaced out')
      // Texts for screen readers alone are a point.
      if (element.clientWidth < 8 || !element.checkVisibility() || !element.textContent.trim()) continue
      const { overflowX, overflowY } = getComputedStyle(element)
      const isWider = /hidden|clip/.test(overflowX) && element.scrollWidth > element.clientWidth + 2
      const isHigher = /hidden|clip/.test(overflowY) && element.scrollHeight > element.clientHeight + 2
      if (isWider || isHigher) troubles.push('cut: ' + element.outerHTML.slice(0, 200))
    }
  }
  visit(document)
  return troubles
})()`

/** Motion, present or at the next change, although the person asks for less of it. */
const findMoving = `(() => {
  const troubles = document.getAnimations().map(({ animationName, transitionProperty }) => 'moves: ' + (animationName ?? transitionProperty))
  const visit = (root) => {
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) visit(element.shadowRoot)
      const { transitionProperty, transitionDuration, animationName, scrollBehavior } = getComputedStyle(element)
      const isLong = transitionProperty !== 'none' && transitionDuration.split(', ').some((time) => Number.parseFloat(time) > 0.001)
      if (isLong || animationName !== 'none' || scrollBehavior === 'smooth') troubles.push('would move: ' + element.outerHTML.slice(0, 200))
    }
  }
  visit(document)
  return troubles
})()`

/** Reads again until there are no troubles. */
function pollNone(what: string, findNow: () => Promise<readonly string[]>): Promise<void> {
  return expect.poll(findNow, { message: what }).toEqual([])
}

/** Finds controls that are printed and of no use on paper. */
async function findOnPaperNow(page: Page): Promise<readonly string[]> {
  const words = await page
    .locator('nav:not(.print), button, wa-button, header.head, cartulary-partner-files')
    .filter({ visible: true })
    .evaluateAll((elements) => elements.map((element) => element.textContent?.trim()))
  // A column for buttons has a heading without anything below it.
  const actions = await page
    .locator('th', { hasText: /^Actions$/ })
    .filter({ visible: true })
    .count()
  const headings = await page.locator('main h1').filter({ visible: true }).count()
  return [
    ...words.map((word) => `printed: ${word}`),
    ...(headings === 1 ? [] : ['printed without its heading']),
    ...(actions === 0 ? [] : ['printed: actions']),
  ]
}

/** Texts from left to right, as the hostile ones are, in a run from right to left: there their brackets stand at the wrong end. */
const findTurned = `(() => {
  const troubles = []
  const isKeptApart = (element) => {
    for (let each = element; each; each = each.parentElement) {
      const { direction, unicodeBidi, display } = getComputedStyle(each)
      if (direction === 'ltr' || unicodeBidi === 'plaintext') return true
      if (display !== 'inline' && display !== 'contents') return false
    }
    return false
  }
  const visit = (root) => {
    const nodes = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT)
    while (nodes.nextNode()) {
      const { currentNode: node } = nodes
      if (node.shadowRoot) visit(node.shadowRoot)
      if (node.nodeType !== Node.TEXT_NODE || !node.data.replace(/\\u2068[^\\u2069]*\\u2069/g, '').includes('{{7*7}}')) continue
      if (!isKeptApart(node.parentElement)) troubles.push('turned: ' + node.parentElement.outerHTML.slice(0, 200))
    }
  }
  visit(document)
  return troubles
})()`

test('every screen: light, dark, forced colours, narrow, large and spaced text, less motion, paper; whatever is written is text', async () => {
  await using application = await openApplication()
  const { page, portal } = application
  const world = await fillApplication(portal, hostile)
  await application.signIn()
  for (const [screen, open] of filledScreens) {
    await open(application, world)
    await pollNone(screen, () => findColourBarriersNow(page))
    await pollNone(screen, () => page.evaluate<string[]>(troublesOfDocument))
    await pollNone(screen, () => page.evaluate<string[]>(findCutOff))
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.locator('html.wa-dark').waitFor()
    await pollNone(`${screen}, dark`, () => findColourBarriersNow(page))
    await page.emulateMedia({ colorScheme: 'light', media: 'print' })
    await pollNone(`${screen}, paper`, () => findOnPaperNow(page))
    await page.emulateMedia({ media: 'screen', forcedColors: 'active' })
    await pollNone(`${screen}, forced colours`, () => findColourBarriersNow(page))
    await page.emulateMedia({ forcedColors: 'none' })
    await pollNone(`${screen}, less motion`, () => page.evaluate<string[]>(findMoving))
    await page.evaluate(`document.documentElement.style.fontSize = '200%'`)
    await pollNone(`${screen}, text of 200 %`, () => findOverflowNow(page, 1280))
    await page.evaluate(`document.documentElement.style.fontSize = ''`)
    await page.setViewportSize({ width: 320, height: 800 })
    await pollNone(`${screen}, 320 pixels`, () => findOverflowNow(page, 320))
    await page.evaluate(spaceOut(true))
    await pollNone(`${screen}, spaced out, 320 pixels`, () => findOverflowNow(page, 320))
    await pollNone(`${screen}, spaced out, 320 pixels`, () => page.evaluate<string[]>(findClipped))
    await page.evaluate(spaceOut(false))
    await page.setViewportSize({ width: 1280, height: 800 })
  }
  expect(await application.findTroubles()).toEqual([])
})

test('the editor by touch; what is closed in the tree is on paper', async () => {
  await using application = await openApplication({ width: 400, hasTouch: true })
  const { page, portal } = application
  await fillApplication(portal)
  await application.signIn()
  await page.locator('summary[aria-label="Main menu"]').tap()
  await page.getByRole('navigation').getByRole('link', { name: 'Categories' }).tap()
  // The names of rows end with the numbers of categories and items.
  const row = (name: string) => page.getByRole('treeitem', { name })
  await row('Topic').locator('.toggle').tap()
  await row('Topic 4 inside').waitFor()
  await expect.poll(() => row('Soil').count()).toBe(0)
  await page.emulateMedia({ media: 'print' })
  await row('Soil').waitFor()
  await page.emulateMedia({ media: 'screen' })
  await row('Soil').waitFor({ state: 'detached' })
  await row('Africa').tap()
  await page.getByRole('button', { name: 'Move to …' }).tap()
  await page.locator('wa-dialog[open]').getByRole('button', { name: 'Cancel' }).tap()
  await page.getByRole('button', { name: 'Delete', exact: true }).tap()
  await row('Africa').waitFor({ state: 'detached' })
  await page.locator('cartulary-undo-messages').getByRole('button', { name: 'Undo' }).tap()
  await row('Africa').waitFor()
  await page.getByLabel('Account').tap()
  await page.getByLabel('Language').waitFor()
})

test('every screen in Arabic, narrow', async () => {
  await using application = await openApplication({ language: 'ar', width: 320 })
  const { page, portal } = application
  const world = await fillApplication(portal, hostile)
  await application.signIn()
  // A name is kept apart from the sentence once.
  await expect.poll(() => page.locator('main h1').textContent()).toMatch(/^مرحبًا، \u2068[^\u2068\u2069]+\u2069$/u)
  /** How far from the right end of their place texts begin. */
  const indentsNow = (places: string) =>
    page.locator(places).evaluateAll((elements) =>
      elements.map((element) => {
        const range = element.ownerDocument.createRange()
        range.selectNodeContents(element)
        return Math.round(element.getBoundingClientRect().right - range.getBoundingClientRect().right)
      }),
    )
  // Where the first letters are those of another direction too.
  await expect.poll(() => indentsNow('header a.name')).toEqual([0])
  await application.goTo('/log')
  await page.locator('.cells > span').first().waitFor()
  await expect.poll(async () => (await indentsNow('.cells > span')).filter((indent) => indent !== 0)).toEqual([])
  for (const [screen, open] of filledScreens) {
    await open(application, world)
    // Its colours are those of every language.
    await pollNone(screen, () => findOtherBarriersNow(page))
    await pollNone(screen, () => findOverflowNow(page, 320))
    await pollNone(screen, () => page.evaluate<string[]>(findTurned))
  }
  expect(await application.findTroubles()).toEqual([])
})
