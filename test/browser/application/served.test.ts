import type { Response } from 'playwright-core'
import { expect, test } from '../../support/browser/application-test.ts'

/** First paint of a person who has never been there. */
const maxRequests = 12
/** Script and style of it, as they are sent. */
const maxBytes = 150 * 1024

async function sizeOf(response: Response): Promise<number> {
  return (await response.request().sizes()).responseBodySize
}

test.for(['/', '/organization/schema'])(
  'the application opens at %s, loads little, and nothing of another origin',
  async (path, { application }) => {
    const responses: Response[] = []
    application.page.on('response', (response) => responses.push(response))
    await application.page.goto(application.origin + path, { waitUntil: 'networkidle' })
    await expect.poll(() => application.page.title()).toContain('Cartulary')
    expect(application.complaints).toEqual([])
    expect(
      responses.map((response) => response.url()).filter((url) => !url.startsWith(`${application.origin}/`)),
    ).toEqual([])
    expect(responses.length).toBeLessThanOrEqual(maxRequests)
    const code = responses.filter((response) => /\.(js|css)$/.test(new URL(response.url()).pathname))
    const sizes = await Promise.all(code.map(sizeOf))
    // Files that are sent uncompressed would be larger compressed.
    const plain = sizes.filter((_, number) => code[number]!.headers()['content-encoding'] !== 'br')
    expect(Math.max(0, ...plain)).toBeLessThan(256)
    const bytes = sizes.reduce((sum, size) => sum + size, 0)
    expect(bytes).toBeLessThanOrEqual(maxBytes)
  },
)

test('its policy lets nothing run that a text brings', async ({ application }) => {
  await application.page.goto(`${application.origin}/`)
  const refused = await application.page.evaluate(`(async () => {
    const found = []
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => found.push(effectiveDirective))
    const attempt = (work) => { try { work() } catch { /* Trusted Types throw. */ } }
    attempt(() => { document.createElement('div').innerHTML = '<b>text</b>' })
    attempt(() => trustedTypes.createPolicy('another', {}))
    attempt(() => document.body.setAttribute('style', 'color: red'))
    attempt(() => document.body.setAttribute('onclick', 'alert(1)'))
    await fetch('https://elsewhere.example/').catch(() => {})
    await new Promise((resolve) => {
      document.body.append(Object.assign(document.createElement('img'), { src: 'https://elsewhere.example/', onerror: resolve }))
    })
    // Earlier refusals are reported before this timer fires.
    await new Promise((resolve) => setTimeout(resolve))
    return found.sort()
  })()`)
  expect(refused).toEqual([
    'connect-src',
    'img-src',
    'require-trusted-types-for',
    'require-trusted-types-for',
    'style-src-attr',
    'trusted-types',
  ])
})
