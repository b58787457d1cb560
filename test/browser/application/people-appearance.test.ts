import { expect, test } from 'vitest'
import { findBarriers } from '../../support/browser/accessibility.ts'
import { openApplication } from '../../support/browser/application.ts'
import { adminPassword } from '../../support/portal/portal.ts'

const hostile = '<img src=x onerror="document.title=1">\u202e{{7*7}} a name that is longer than any that a person has'

const paths = [
  '/people',
  '/people/new',
  '/people/users/anna',
  '/people/roles?role=org_viewer',
  '/people/requests',
  '/people/apps',
  '/people/check?user=anna&operation=createGroup',
  '/you',
  '/log',
  '/system',
  '/first-run',
]

test.each([
  { colours: 'light', width: 1280, language: 'en' },
  { colours: 'dark', width: 320, language: 'de' },
  { colours: 'light', width: 320, language: 'ar' },
] as const)('the screens about people and the server, $colours, $width wide, in $language', async (options) => {
  await using application = await openApplication(options)
  const { page, portal } = application
  const admin = await portal.admin()
  await admin.invite('anna')
  await admin.post('/community/users/anna/update', { fullName: hostile, description: hostile })
  await admin.post('/portals/self/createRole', { name: hostile.slice(0, 100) })
  await application.signIn('admin', adminPassword, '/people')
  const troubles: string[] = []
  for (const path of paths) {
    await application.goTo(path)
    await page.locator('cartulary-heading h1').waitFor()
    await page.locator('main cartulary-loading').first().waitFor({ state: 'detached' })
    const isWide = await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')
    if (isWide) troubles.push(`${path} scrolls sideways`)
    troubles.push(...(await findBarriers(page)).map((barrier) => `${path} ${barrier}`))
  }
  expect(troubles).toEqual([])
  expect(await application.findTroubles()).toEqual([])
})
