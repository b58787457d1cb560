import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { openSecureVisit } from '../support/browser/secure-visit.ts'
import { fillInSignIn, serveWebApp } from '../support/browser/web-app.ts'
import { adminPassword } from '../support/portal/portal.ts'
import { Folder } from '../support/portal/process.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const example = read('examples/browser-app.html')
/** The commands that register it. */
const commands = /example-app\.test\.ts -->\n```sh\n(.*?)```/s.exec(read('docs/sign-in.md'))?.[1] ?? ''

test('the example signs in and assigns categories, registered as docs/sign-in.md says', async () => {
  await using visit = await openSecureVisit('/portal')
  const files: Record<string, string> = {}
  await using app = await serveWebApp(files)
  using folder = new Folder()
  // The certificate of the test is its own.
  writeFileSync(join(folder.path, '.curlrc'), 'insecure\n')
  const { page, portal } = visit
  const root = portal.server.publicUrl()
  const script = commands.replaceAll('https://maps.example.com', root).replaceAll('https://app.example.com', app.origin)
  const env = { PATH: process.env['PATH'], CURL_HOME: folder.path, PASSWORD: adminPassword }
  const { stdout } = await promisify(execFile)('bash', ['-euc', script], { env })
  const { client_id } = JSON.parse(stdout)
  files['/browser-app.html'] = example
    .replace("'https://maps.example.com'", `'${root}'`)
    .replace("'the client id'", `'${client_id}'`)

  await page.goto(`${app.origin}/browser-app.html`)
  await visit.heading('Sign in').waitFor()
  await fillInSignIn(page, 'admin', adminPassword)
  await page.getByText('Assigned by admin.').waitFor()
  await expect.poll(() => page.url()).toBe(`${app.origin}/browser-app.html`)
  const admin = await portal.admin()
  expect(await admin.get('/portals/self/categorySchema')).toMatchObject({
    categorySchema: [{ title: 'Region', categories: [{ title: 'Europe' }, { title: 'Asia' }] }],
  })
  // Again: session and consent are there.
  await page.goto(`${app.origin}/browser-app.html`)
  await page.getByText('Assigned by admin.').waitFor()
  // Another user may not do that, and the page says so.
  await admin.invite('anna')
  await visit.goTo('/oauth2/signout')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await visit.heading('Signed out').waitFor()
  await page.goto(`${app.origin}/browser-app.html`)
  await fillInSignIn(page, 'anna', adminPassword)
  await page.getByText('permission').waitFor()
  expect(visit.complaints).toEqual([])
})
