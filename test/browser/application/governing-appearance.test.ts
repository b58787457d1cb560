import { expect, test } from 'vitest'
import { findBarriers } from '../../support/browser/accessibility.ts'
import { type Application, openApplication } from '../../support/browser/application.ts'
import { keepDraft } from '../../support/browser/drafts.ts'

const hostile = [
  '<img src=x onerror=alert(1)>',
  `"><script>alert(1)<\\script>`,
  "' onmouseover='alert(1)",
  '{{alert(1)}} javascript:alert(1)',
  'W'.repeat(100),
]

/** Every state of the screens that publish and keep a schema: its address, and what is there when it is complete. */
const states: readonly (readonly [string, string, string])[] = [
  ['review', '/organization/schema/review', 'cartulary-plan .line'],
  ['conflict', '/organization/schema/review', 'cartulary-conflict fieldset'],
  ['deletion', '/organization/schema/review?delete=yes', 'cartulary-plan .line'],
  ['history', '/organization/schema/history', 'tbody tr'],
  ['version', '/organization/schema/history/1', 'cartulary-schema-list li'],
  ['restore', '/organization/schema/history/1?restore=yes', 'cartulary-plan .line'],
  ['comparison', '/organization/schema/compare?from=1&to=2', 'cartulary-difference .line'],
  ['files', '/organization/schema/import?template=iso-topic-categories', 'cartulary-templates li'],
]

const schemaOf = (suffix: string) => ({
  categorySchema: hostile.map((title, position) => ({
    title: position === 4 ? title : `${title}${suffix}`,
    description: `${title} ${suffix}`,
    categories: [{ title }],
  })),
})

async function openStates(options: Parameters<typeof openApplication>[0]): Promise<Application> {
  const application = await openApplication(options)
  const admin = await application.portal.admin()
  for (const [version, suffix] of ['', ' 2'].entries()) {
    const answer = await admin.post('/portals/self/assignCategorySchema', {
      categorySchema: schemaOf(suffix),
      ifVersion: version,
      comment: hostile[0],
    })
    expect(answer).toEqual({ success: true, version: version + 1 })
  }
  await application.signIn()
  return application
}

async function show(application: Application, [name, address, selector]: (typeof states)[number]): Promise<void> {
  const baseVersion = name === 'conflict' ? 1 : 2
  await keepDraft(application, { schema: schemaOf(' mine'), baseVersion })
  await application.goTo(address)
  await application.page.locator(selector).first().waitFor()
}

test.each([
  { colours: 'light', language: 'en' },
  { colours: 'dark', language: 'en' },
  { colours: 'light', language: 'ar' },
] as const)('every state is accessible in $colours, in $language; titles are text', async (options) => {
  await using application = await openStates(options)
  const { page } = application
  for (const state of states) {
    await show(application, state)
    expect({ state: state[0], barriers: await findBarriers(page) }).toEqual({ state: state[0], barriers: [] })
    expect(await page.locator('img, script:not([src]), [onmouseover], [onerror]').count()).toBe(0)
  }
  expect(await application.findTroubles()).toEqual([])
})

test('nothing is cut off or scrolls sideways where there is little room', async () => {
  await using application = await openStates({ width: 320 })
  for (const state of states) {
    await show(application, state)
    const width = await application.page.evaluate<number>('document.documentElement.scrollWidth')
    expect({ state: state[0], width }).toEqual({ state: state[0], width: 320 })
  }
})
