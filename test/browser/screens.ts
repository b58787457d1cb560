import { test } from 'vitest'
import { openSecureVisit } from '../support/browser/secure-visit.ts'
import { openSignInPages, signInPages } from '../support/browser/sign-in-pages.ts'
import { areAll, findPath } from './pictures.ts'

/** The others look like one of these. */
const shown = new Set(['sign-in', 'wrong-password', 'go-on', 'code', 'sign-out', 'too-many-failures', 'unknown-app'])

const looks = [
  [1280, 'light'],
  [320, 'light'],
  [320, 'dark'],
  [1280, 'dark'],
] as const

test.each(areAll ? looks : looks.slice(0, 1))('pictures %i pixels wide, in %s colours', async (width, colorScheme) => {
  await using visit = await openSecureVisit('/portal', { viewport: { width, height: 640 }, colorScheme })
  await openSignInPages(visit)
  for (const [name, , open] of signInPages) {
    await open(visit)
    const path = findPath(`${name}-${width}${colorScheme === 'dark' ? '-dark' : ''}`)
    if (shown.has(name) && path !== undefined) await visit.page.screenshot({ path, fullPage: true })
  }
})
