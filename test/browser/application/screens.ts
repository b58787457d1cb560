import { fileURLToPath } from 'node:url'
import { test } from 'vitest'
import { openApplication } from '../../support/browser/application.ts'
import { fillApplication, filledScreens } from '../../support/browser/filled-application.ts'
import { startListeningPortal } from '../../support/portal/listening-portal.ts'

const folder = fileURLToPath(new URL('../../../docs/screens/', import.meta.url))

test.each([
  ['1280', 'light', 1280, 'en'],
  ['1280-dark', 'dark', 1280, 'en'],
  ['320', 'light', 320, 'en'],
  ['1280-ar', 'light', 1280, 'ar'],
] as const)('pictures of the application: %s', async (name, colours, width, language) => {
  await using portal = await startListeningPortal()
  const world = await fillApplication(portal)
  await using application = await openApplication({ portal, colours, width, language })
  await application.signIn()
  for (const [screen, open] of filledScreens) {
    await open(application, world)
    await application.page.screenshot({ path: `${folder}app-${screen}-${name}.png`, fullPage: true })
  }
})
