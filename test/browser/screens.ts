import { fileURLToPath } from 'node:url'
import { test } from 'vitest'
import { openSecureVisit } from '../support/browser/secure-visit.ts'
import { openSignInPages, signInPages } from '../support/browser/sign-in-pages.ts'

const folder = fileURLToPath(new URL('../../docs/screens/', import.meta.url))

/** The others look like one of these. */
const shown = new Set(['sign-in', 'wrong-password', 'go-on', 'code', 'sign-out', 'too-many-failures', 'unknown-app'])

test.each([
  [320, 'light'],
  [1280, 'light'],
  [320, 'dark'],
  [1280, 'dark'],
] as const)('pictures %i pixels wide, in %s colours', async (width, colorScheme) => {
  await using visit = await openSecureVisit('/portal', { viewport: { width, height: 640 }, colorScheme })
  await openSignInPages(visit)
  for (const [name, , open] of signInPages) {
    await open(visit)
    if (!shown.has(name)) continue
    await visit.page.screenshot({
      path: `${folder}${name}-${width}${colorScheme === 'dark' ? '-dark' : ''}.png`,
      fullPage: true,
    })
  }
})
