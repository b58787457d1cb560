import { readFile } from 'node:fs/promises'
import type { Download, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findBarriersNow } from '../../support/browser/accessibility.ts'
import { type Application, openApplication } from '../../support/browser/application.ts'
import { keyboardOf } from '../../support/browser/keyboard.ts'
import { pollValue } from '../../support/browser/value.ts'
import { anInvitationRequest, invitationNames, signatory, writeFile } from '../../support/inputs/signed-files.ts'
import { hostCollaboration } from '../../support/portal/collaboration-host.ts'

/** A file as a browser saved it. */
interface SavedFile {
  readonly name: string
  readonly text: string
}

const hostile = `"><img src=x onerror=alert(1)> {0} \${7*7} \u202eevil`
/** The character that would reorder it is seen by its name. */
const hostileSeen = hostile.replace('\u202e', '[U+202E]')

/** Runs an action that makes the browser save a file; resolves with the file. */
async function save({ page }: Application, act: () => Promise<unknown>): Promise<SavedFile> {
  const [download] = await Promise.all([page.waitForEvent('download'), act()])
  return read(download)
}

async function read(download: Download): Promise<SavedFile> {
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') }
}

/** Drops a file somewhere into the window, as a person does from a folder. */
async function drop({ page }: Application, { name, text }: SavedFile): Promise<void> {
  const transfer = await page.evaluateHandle<DataTransferLike>(
    `(() => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}))
      return transfer
    })()`,
  )
  await page.dispatchEvent('h1', 'dragover', { dataTransfer: transfer })
  await page.getByText('Drop the file to have it checked').waitFor()
  await page.dispatchEvent('h1', 'drop', { dataTransfer: transfer })
}

type DataTransferLike = object

function button(page: Page, name: string) {
  return page.getByRole('button', { name, exact: true })
}

function isFocusedNow(page: Page, name: string): Promise<boolean> {
  return button(page, name).evaluate((element) => element.matches(':focus, :focus-within'))
}

/** Fingerprint of the organization's key, as the API has it. */
async function readFingerprint({ portal }: Application): Promise<string> {
  const { fingerprintHex } = await (await portal.admin()).get('/portals/self/publicKey')
  return fingerprintHex
}

/** Invites by the wizard, from the page of the collaboration; resolves with the invitation file. */
async function invite(host: Application, guestUrl: string): Promise<SavedFile> {
  const { page } = host
  await button(page, 'Invite a guest')
    .or(page.getByRole('link', { name: 'Invite a guest' }))
    .click()
  await page.getByLabel('Address of the guest’s portal').fill('ftp://guest')
  await button(page, 'Next').click()
  await page.getByText('Give the address of a portal').waitFor()
  await page.getByLabel('Address of the guest’s portal').fill(guestUrl)
  await expect.poll(() => page.getByLabel('Protocol').inputValue()).toBe('http')
  await button(page, 'Next').click()
  await page.getByRole('heading', { name: 'Workspaces' }).waitFor()
  await page.getByLabel('What the guest does in Base maps').selectOption('send')
  await button(page, 'Next').click()
  await page.getByLabel('Hours until it expires').fill('24')
  await button(page, 'Next').click()
  await page.getByText('Base maps: Sends content').waitFor()
  return save(host, () => button(page, 'Create the invitation').click())
}

async function accept(guest: Application, invitation: SavedFile, isKeyKnown = false): Promise<SavedFile> {
  const { page } = guest
  await drop(guest, invitation)
  await page.getByRole('heading', { name: 'Invitation from Ministry of Maps' }).waitFor()
  if (isKeyKnown) await page.getByText('This key of the organization has been known to you since').waitFor()
  else await page.getByLabel('I compared the fingerprint').check()
  return save(guest, () => button(page, 'Accept the invitation').click())
}

test('host and guest come together, and an invitation that was taken back brings no one in', async () => {
  await using host = await openApplication({ environment: { ORGANIZATION_NAME: 'Ministry of Maps' } })
  await using guest = await openApplication({ environment: { ORGANIZATION_NAME: 'Institute of Glaciers' } })
  const guestUrl = guest.portal.server.publicUrl()
  await host.signIn()
  await host.page.getByRole('link', { name: 'Collaborations' }).click()
  await host.page.getByText('No collaboration yet').waitFor()
  await host.page.getByRole('main').locator('wa-button', { hasText: 'New collaboration' }).click()
  await host.page.getByLabel('Name', { exact: false }).first().fill(hostile)
  await host.page.getByLabel('Name of the workspace').fill('Base maps')
  await button(host.page, 'Create').click()
  await host.heading(hostileSeen).waitFor()
  const invitation = await invite(host, guestUrl)
  const fileName = `img-src-x-onerror-alert-1-0-7-for-${new URL(guestUrl).host.replace(':', '-')}.invite`
  expect(invitation.name).toBe(fileName)
  await host.heading('Invite a guest').waitFor()
  await host.page.getByText(`Send ${fileName}`).waitFor()
  const inMail = encodeURIComponent(await readFingerprint(host))
  await host.page.locator(`a[href^="mailto:"][href*="${inMail}"]`).waitFor()
  await expect.poll(() => findBarriersNow(host.page)).toEqual([])

  await guest.signIn('admin', undefined, '/collaborations')
  await guest.heading('Collaborations').waitFor()
  const response = await accept(guest, invitation)
  expect(response.name).toBe('collaboration-localhost.response')
  await guest.page.getByRole('heading', { name: 'The invitation is accepted' }).waitFor()
  // The guest sees what the host is asked to compare.
  const guestKey = await readFingerprint(guest)
  await guest.page.locator('code', { hasText: guestKey }).waitFor()
  await expect.poll(() => findBarriersNow(guest.page)).toEqual([])

  // One file, dropped twice: it is imported, then refused with the name of the user who imported it.
  await host.page.getByRole('link', { name: 'Open the invitation' }).click()
  await host.page.getByText('Waiting for an answer').waitFor()
  await host.page
    .getByRole('timer')
    .getByText(/^23 hours, \d+ minutes left$/)
    .waitFor()
  await drop(host, response)
  await host.page.getByRole('heading', { name: 'Response from Institute of Glaciers' }).waitFor()
  await host.page.locator('code', { hasText: guestKey }).waitFor()
  await button(host.page, 'Import the response').click()
  await host.page.getByLabel('I compared the fingerprint').check()
  await button(host.page, 'Import the response').click()
  await host.page.getByRole('heading', { name: 'Institute of Glaciers takes part now' }).waitFor()
  await host.page.getByText('Accepted', { exact: true }).waitFor()
  await drop(host, response)
  await host.page.getByText(/^admin imported the response to this invitation already, on /).waitFor()
  await host.page.getByRole('link', { name: hostileSeen }).first().click()
  await host.page
    .getByRole('cell', { name: 'Institute of Glaciers', exact: false })
    .or(host.page.getByRole('rowheader', { name: /Institute of Glaciers/ }))
    .first()
    .waitFor()

  // The guest leaves, is invited again, and answers; meanwhile the host takes the invitation back.
  await button(host.page, 'Remove Institute of Glaciers').click()
  await host.page.getByLabel('Type Institute of Glaciers to confirm').fill('Institute of Glaciers')
  await host.page.locator('wa-dialog[open]').getByRole('button', { name: 'Remove', exact: true }).click()
  await button(host.page, 'Remove Institute of Glaciers').waitFor({ state: 'detached' })
  host.portal.clock.now += 1_000
  const second = await invite(host, guestUrl)
  await host.page.getByRole('link', { name: 'Open the invitation' }).click()
  const late = await accept(guest, second, true)
  const takeBack = host.page.locator('wa-dialog[open]').getByRole('button', { name: 'Revoke', exact: true })
  await button(host.page, 'Revoke').click()
  await host.page.getByText('The guest can no longer answer this invitation').waitFor()
  await expect.poll(() => takeBack.isDisabled()).toBe(true)
  await host.page.getByLabel(/Type localhost:\d+ to confirm/).fill(new URL(guestUrl).host)
  await takeBack.click()
  await host.page.getByText('Revoked', { exact: true }).waitFor()
  await host.page.getByText('Revoked by admin').waitFor()
  await host.page.getByRole('link', { name: 'Invite again' }).click()
  await expect
    .poll(() => host.page.getByLabel('Address of the guest’s portal').inputValue())
    .toBe(new URL(guestUrl).host)
  await host.page.getByText('This guest was invited on').waitFor()
  await button(host.page, 'Next').click()
  await expect.poll(() => host.page.getByLabel('What the guest does in Base maps').inputValue()).toBe('send')
  await host.page.getByRole('link', { name: 'Guest', exact: true }).click()
  await host.page.getByRole('link', { name: 'Open the invitation' }).click()
  await host.page.getByText('Revoked by admin').waitFor()
  await drop(host, late)
  await host.page.getByText(/^admin revoked this invitation on /).waitFor()
  await host.page.getByText('The invitation has been revoked.').waitFor()
  await expect.poll(() => button(host.page, 'Import the response').count()).toBe(0)
  await expect.poll(() => findBarriersNow(host.page)).toEqual([])

  // A file that is no partner file is refused without a request to the server.
  await drop(host, { name: `${hostile}.invite`, text: '<script>alert(1)</script>' })
  await host.page.getByText('This is neither an invitation nor a response.', { exact: false }).waitFor()
  expect([await host.findTroubles(), await guest.findTroubles()]).toEqual([[], []])
})

test('an invitation is made, prolonged and taken back by the keyboard alone', async () => {
  await using application = await openApplication({ colours: 'dark' })
  const { page } = application
  const host = await hostCollaboration(application.portal)
  const { enter, tabTo } = keyboardOf(application)
  await application.signIn('admin', undefined, `/collaborations/${host.collaborationId}`)
  await application.heading('Alpine maps').waitFor()
  await enter('Invite a guest')
  await page.getByLabel('Address of the guest’s portal').waitFor()
  await page.getByLabel('Address of the guest’s portal').focus()
  await page.keyboard.type('maps.example.org/portal')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Workspaces' }).waitFor()
  await enter('Next')
  await page.getByLabel('Hours until it expires').waitFor()
  await enter('Next')
  await page.getByText('https://maps.example.org/portal').waitFor()
  await tabTo('Create the invitation')
  const first = await save(application, () => page.keyboard.press('Enter'))
  expect(first.name).toBe('Alpine-maps-for-maps.example.org.invite')
  await enter('Open the invitation')
  await application.heading('Invitation to https://maps.example.org/portal').waitFor()
  application.portal.clock.now += 60_000
  await enter('Refresh')
  await page.getByText('The file that you sent before becomes invalid', { exact: false }).waitFor()
  const inDialog = page.locator('wa-dialog[open]').getByRole('button', { name: 'Refresh', exact: true })
  await expect.poll(() => inDialog.evaluate((element) => element.matches(':focus'))).toBe(true)
  const renewed = await save(application, () => page.keyboard.press('Enter'))
  expect(renewed.text).not.toBe(first.text)
  await page.getByText('Refreshed by admin', { exact: false }).waitFor()
  await expect.poll(() => isFocusedNow(page, 'Refresh')).toBe(true)
  await enter('Revoke')
  await page.locator('wa-dialog[open]').getByLabel('Type maps.example.org to confirm').waitFor()
  await expect.poll(() => findBarriersNow(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect.poll(() => isFocusedNow(page, 'Revoke')).toBe(true)
  await page.keyboard.press('Enter')
  await page.getByLabel('Type maps.example.org to confirm').and(page.locator(':focus')).waitFor()
  await page.keyboard.type('maps.example.org')
  await page.keyboard.press('Enter')
  await page.getByText('Revoked by admin').waitFor()
  expect(await host.client.get(`${host.path}/invitations`)).toMatchObject({
    collaborationInvitations: [{ status: 'host_invalidated' }],
  })
  expect(await application.findTroubles()).toEqual([])
})

test('a host that signs with another key than before: both fingerprints, in plain words, before anything is accepted', async () => {
  await using guest = await openApplication({ environment: { ORGANIZATION_NAME: 'Institute of Glaciers' } })
  const { page, portal } = guest
  const root = portal.server.publicUrl()
  const invitationBy = (number: number, changes: Record<string, string>) => ({
    name: 'seas.invite',
    text: writeFile(invitationNames, anInvitationRequest(root, portal.clock.now, changes), signatory(number)),
  })
  const known = invitationBy(1, { collaborationName: 'Soundings (2026)', hostPortalName: 'Institute of Seas (Kiel)' })
  const admin = await portal.admin()
  const { hostKeyFingerprintHex: knownHex } = await admin.post('/portals/self/validateCollaborationInvitation', {
    invitationJSON: known.text,
  })
  await admin.post('/portals/self/acceptCollaborationInvitation', { invitationJSON: known.text })

  // The list shows which organization each collaboration belongs to.
  await guest.signIn('admin', undefined, '/collaborations')
  await page.getByRole('cell', { name: 'Institute of Seas (Kiel) https://seas.example.org' }).waitFor()

  await drop(
    guest,
    invitationBy(2, { id: '4'.repeat(32), collaborationId: '5'.repeat(32), collaborationName: 'Tides' }),
  )
  await page.getByRole('heading', { name: 'Signed with a different key than before' }).waitFor()
  const keys = page.locator('code.key')
  const [first, second] = await pollValue(
    () => keys.allTextContents(),
    ({ length }) => length === 2,
  )
  expect(first).toBe(knownHex)
  expect(second).toMatch(/^[0-9a-f]{4}( [0-9a-f]{4}){15}$/)
  expect(second).not.toBe(first)
  await expect.poll(() => page.getByText('acceptNewKey').count()).toBe(0)
  await expect.poll(() => findBarriersNow(page)).toEqual([])
  // Nothing is accepted before the new one was compared.
  await button(page, 'Accept the invitation').click()
  expect((await admin.get('/portals/self/collaborations')).total).toBe(1)
  await page.getByLabel('I compared the new fingerprint').check()
  await save(guest, () => button(page, 'Accept the invitation').click())
  await page.getByRole('link', { name: 'Tides' }).first().waitFor()

  // Another portal that names the same URL: the known one and the new one, by their ids.
  const claimed = { id: '6'.repeat(32), collaborationId: '7'.repeat(32), collaborationName: 'Currents' }
  const other = invitationBy(3, { ...claimed, hostPortalId: 'InstituteOfFish1' })
  const { hostKeyFingerprintHex: otherHex } = await admin.post('/portals/self/validateCollaborationInvitation', {
    invitationJSON: other.text,
    acceptNewKey: true,
  })
  await drop(guest, other)
  await page.getByRole('heading', { name: 'Another portal at a known address' }).waitFor()
  await expect.poll(() => keys.allTextContents()).toEqual([second, otherHex])
  await expect
    .poll(() => page.locator('.sides .quiet').allTextContents())
    .toEqual([
      expect.stringMatching(/^Portal \W?InstituteOfSeas1\W?, known at this address since \W?\w+ \d+, 20/),
      expect.stringMatching(/^Portal \W?InstituteOfFish1\W?, from this file$/),
    ])
  await page.getByText('If you continue, both are known at this address.').waitFor()
  await expect.poll(() => page.getByText('only the new key is valid').count()).toBe(0)
  await expect.poll(() => page.getByText('1970').count()).toBe(0)
  await expect.poll(() => findBarriersNow(page)).toEqual([])
  await page.getByLabel('I compared the id of the portal and its fingerprint').check()
  await save(guest, () => button(page, 'Accept the invitation').click())
  await page.getByRole('link', { name: 'Currents' }).first().waitFor()
  const again = invitationBy(2, { id: '8'.repeat(32), collaborationId: '9'.repeat(32) })
  expect(
    await admin.post('/portals/self/validateCollaborationInvitation', { invitationJSON: again.text }),
  ).toMatchObject({ hostKey: { state: 'known' } })
  expect(await guest.findTroubles()).toEqual([])
})
