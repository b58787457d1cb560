import { expect, test } from 'vitest'
import { openApplication } from '../../support/browser/application.ts'

test('the link of the first start leads to an organization, once, whose first change of the sample categories is published', async () => {
  await using application = await openApplication({ environment: { ADMIN_PASSWORD: '' } })
  const { page, portal } = application
  const { secret, portal: made } = portal.server.firstRun!
  // The link opens for a day.
  portal.clock.now = made.createdAt
  await application.goTo(`/first-run#${secret}`)
  await application.heading('Set up this server').waitFor()
  await page.getByLabel('Name of the organization').fill('Ministry of <b>Seas</b>')
  // The secret is neither in the address nor in the history.
  await expect.poll(() => page.url()).toBe(`${application.origin}/first-run`)
  await page.goBack()
  await expect.poll(() => page.url()).not.toContain(secret)
  await application.goTo('/first-run')
  // The page can be loaded again: the tab has the secret until it is used.
  await page.reload()
  await page.getByLabel('Name of the organization').fill('Ministry of <b>Seas</b>')

  await page.getByLabel('Username').fill('ma')
  await page.getByLabel('Password', { exact: false }).first().fill('short')
  await page.getByText('A username has 3 to 128').waitFor()
  await page.getByLabel('Username').fill('maria')
  await page.getByLabel('Full name').focus()
  await page.getByText('The password has 5 characters').waitFor()
  // The list of common ones is the server's, and what was typed stays.
  await page.locator('input[name=password]').fill('password123')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').waitFor()
  await expect.poll(() => page.getByLabel('Name of the organization').inputValue()).toBe('Ministry of <b>Seas</b>')
  await page.locator('input[name=password]').fill('correct horse battery')
  await page.getByLabel(/sample content/).check()
  await page.keyboard.press('Enter')

  // The person is signed in, and sees the sample categories.
  await page.waitForURL(`${application.origin}/organization/schema`)
  await expect.poll(() => page.evaluate('JSON.stringify(sessionStorage)')).not.toContain(secret)
  await page.getByRole('treeitem').first().click()
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('treeitem').getByRole('textbox').fill('Of our own')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Review and publish' }).click()
  await page.getByText('1 added').waitFor()
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.locator('strong').getByText('Published as version 2').waitFor()
  const maria = await portal.signIn('maria', 'correct horse battery')
  const { categorySchema } = await maria.get('/portals/self/categorySchema')
  expect(JSON.stringify(categorySchema)).toContain('"Of our own"')

  // The administrator of the operator sees how the server does.
  await application.goTo('/system')
  await page.getByRole('img', { name: /^Requests of each minute/ }).waitFor()
  await page.getByText('Ready', { exact: true }).waitFor()

  await application.goTo(`/first-run#${secret}`)
  await page.getByText('This link is no longer valid').waitFor()
  await expect.poll(() => page.evaluate('JSON.stringify(sessionStorage)')).not.toContain(secret)
  await application.goTo('/first-run')
  await page.getByText('Open the link that the server printed').waitFor()
  expect(await application.findTroubles()).toEqual([])
})
