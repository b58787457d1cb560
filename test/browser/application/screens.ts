import { test } from 'vitest'
import { openApplication } from '../../support/browser/application.ts'
import { fillApplication, filledScreens } from '../../support/browser/filled-application.ts'
import { startListeningPortal } from '../../support/portal/listening-portal.ts'
import { areAll, findPath } from '../pictures.ts'

const looks = [
  ['1280', 'light', 1280, 'en'],
  ['1280-dark', 'dark', 1280, 'en'],
  ['320', 'light', 320, 'en'],
  ['1280-ar', 'light', 1280, 'ar'],
] as const

test.each(areAll ? looks : looks.slice(0, 1))(
  'pictures of the application: %s',
  async (name, colours, width, language) => {
    await using portal = await startListeningPortal()
    const world = await fillApplication(portal)
    await using application = await openApplication({ portal, colours, width, language })
    await application.signIn()
    for (const [screen, open] of filledScreens) {
      const path = findPath(`app-${screen}-${name}`)
      if (path === undefined) continue
      await open(application, world)
      const { page } = application
      // Its buttons stay at the end of the window, which is as high as the page here.
      await page.setViewportSize({ width, height: screen === 'import' ? 3000 : 800 })
      await page.screenshot({ path, fullPage: true })
    }
  },
)
