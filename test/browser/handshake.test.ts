import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { openVisit, type Visit } from '../support/browser/browser.ts'
import { pollValue } from '../support/browser/value.ts'
import { type CollaborationHost, hostCollaboration } from '../support/portal/collaboration-host.ts'

/** The administrators of two servers, each at a browser of their own, signed in. */
async function openBothSides(): Promise<BothSides> {
  const host = await openVisit({}, { ORGANIZATION_NAME: 'Ministry of Maps', PUBLIC_URL: 'http://host.test/portal' })
  const guest = await openVisit(
    {},
    { ORGANIZATION_NAME: 'Institute of Glaciers', PUBLIC_URL: 'http://guest.test/portal' },
  )
  const collaboration = await hostCollaboration(host.portal, undefined, { name: 'Alpine data' })
  for (const visit of [host, guest]) {
    await visit.goTo('/portals/self')
    await visit.signIn()
  }
  return {
    host,
    guest,
    collaboration,
    async [Symbol.asyncDispose]() {
      await guest[Symbol.asyncDispose]()
      await host[Symbol.asyncDispose]()
    },
  }
}

interface BothSides extends AsyncDisposable {
  readonly host: Visit
  readonly guest: Visit
  readonly collaboration: CollaborationHost
}

/** A file as a browser saves it, and as a file field takes it. */
interface SavedFile {
  readonly name: string
  readonly mimeType: string
  readonly buffer: Buffer
}

/** Sends the form and saves the file that it answers. */
async function save({ page }: Visit, button: string, name: string): Promise<SavedFile> {
  await page.getByRole('button', { name: button }).click()
  const link = page.getByRole('link', { name: `Save ${name}` })
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
  expect(download.suggestedFilename()).toBe(name)
  return { name, mimeType: 'application/octet-stream', buffer: await readFile(await download.path()) }
}

async function invite({ host, guest, collaboration }: BothSides): Promise<SavedFile> {
  const { page } = host
  await host.goTo(collaboration.path)
  await host.follow('Invite participant')
  await page.getByLabel('guestPortalUrl').fill(guest.portal.server.publicUrl())
  const access = JSON.stringify([{ [collaboration.workspaceId]: 'send' }])
  await page.getByLabel('collaborationWorkspacesParticipantConfigJSON').fill(access)
  return save(host, 'Invite participant', 'collaboration-guest.test.invite')
}

/** Gives a file to the form of an operation and sends it. */
async function give({ page }: Visit, button: string, field: string, file: SavedFile): Promise<void> {
  await page.getByLabel(field, { exact: true }).setInputFiles(file)
  await page.getByRole('button', { name: button }).click()
}

async function accept({ guest, collaboration }: BothSides, invitation: SavedFile): Promise<SavedFile> {
  await guest.goTo('/portals/self/acceptCollaborationInvitation')
  await guest.page.getByLabel('guestContactFirstname').fill('Gian')
  await give(guest, 'Accept invitation', 'invitationFile', invitation)
  await guest.notice('Done')
  await guest.goTo(`/portals/self/collaborations/${collaboration.collaborationId}`)
  await guest.follow('Export response')
  return save(guest, 'Export response', 'collaboration-guest.test.response')
}

/** The fingerprint of a portal's own key, as its page shows it. */
async function readFingerprint(visit: Visit): Promise<string> {
  await visit.goTo('/portals/self')
  await visit.follow('Public key')
  await visit.heading('Public key').waitFor()
  return pollValue(
    async () => (await visit.page.locator('dt:text-is("fingerprint") + dd').textContent()) ?? '',
    (fingerprint) => fingerprint !== '',
  )
}

test('host and guest come together by their pages alone', async () => {
  await using sides = await openBothSides()
  const { host, guest, collaboration } = sides
  const [hostKey, guestKey] = [await readFingerprint(host), await readFingerprint(guest)]
  expect([hostKey, guestKey]).toEqual([expect.stringMatching(/^[\w-]{43}$/), expect.stringMatching(/^[\w-]{43}$/)])
  const invitation = await invite(sides)

  await guest.goTo('/portals/self')
  await guest.follow('Validate invitation')
  await give(guest, 'Validate invitation', 'invitationFile', invitation)
  await guest.notice('Done')
  await guest.answer.getByText(hostKey, { exact: true }).waitFor()
  await guest.answer.getByText('Alpine data', { exact: true }).waitFor()
  const response = await accept(sides, invitation)

  await host.goTo(collaboration.path)
  await host.follow('Validate response')
  await give(host, 'Validate response', 'invitationResponseFile', response)
  await host.notice('Done')
  await host.answer.getByText(guestKey, { exact: true }).waitFor()
  await host.follow('Back to Collaboration', 'Import response')
  await give(host, 'Import response', 'invitationResponseFile', response)
  await host.notice('Done')

  await host.follow('Back to Collaboration', 'Participants')
  await host.page.getByRole('link', { name: 'Ministry of Maps', exact: true }).waitFor()
  await host.follow('Institute of Glaciers')
  await host.page.getByText('Gian', { exact: true }).waitFor()
  expect([await host.findTroubles(), await guest.findTroubles()]).toEqual([[], []])
})

test('an invitation that was invalidated by its form brings no guest in', async () => {
  await using sides = await openBothSides()
  const { host, collaboration } = sides
  const response = await accept(sides, await invite(sides))

  await host.goTo(collaboration.path)
  await host.follow('Invitations', sides.guest.portal.server.publicUrl(), 'Invalidate invitation')
  await host.page.getByRole('button', { name: 'Invalidate invitation' }).click()
  await host.notice('Done')

  await host.goTo(`${collaboration.path}/importInvitationResponse`)
  await give(host, 'Import response', 'invitationResponseFile', response)
  await host.notice('Unable to import invitation response.')
  await host.answer.getByText('Invitation has been invalidated.', { exact: true }).waitFor()
  const chosen = 'document.querySelector("input[type=file]").files[0].name'
  await expect.poll(() => host.page.evaluate<string>(chosen)).toBe(response.name)
  expect(await collaboration.client.get(`${collaboration.path}/participants`)).toMatchObject({ total: 1 })
  expect(await host.findTroubles()).toEqual([])
})

test('a file that was not chosen is not sent, and the answer says what to give', async () => {
  await using visit = await openVisit()
  await visit.goTo('/portals/self/acceptCollaborationInvitation')
  await visit.signIn()
  const sent = visit.page.waitForRequest((request) => request.url().endsWith('/acceptCollaborationInvitation'))
  await visit.page.getByRole('button', { name: 'Accept invitation' }).click()
  const body = (await sent).postData()
  expect(body).toContain('name="f"')
  expect(body).not.toContain('invitationFile')
  await visit.answer.getByText('Give either invitationFile or invitationJSON.', { exact: true }).waitFor()
})
