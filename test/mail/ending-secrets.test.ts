import { expect, test } from 'vitest'
import { runHousekeeping } from '../../src/background/housekeeping.ts'
import { readConfig } from '../../src/config.ts'
import { openMailTransport } from '../../src/dependencies.ts'
import { openOutbox } from '../../src/mail/outbox.ts'
import { housekeep, houseOf } from '../support/portal/house.ts'
import { startMailServer } from '../support/portal/mail-server.ts'
import { startPortal } from '../support/portal/portal.ts'
import { until } from '../support/until.ts'

const day = 86_400_000

test('the owner of an app and administrators are notified 30 days before its secret ends, and again 7 days before', async () => {
  await using mails = await startMailServer()
  await using portal = await startPortal({ environment: mails.settings, isReused: false })
  const admin = await portal.admin()
  const anna = await portal.user('anna')
  for (const { username } of [admin, anna]) {
    await admin.post(`/community/users/${username}/update`, { email: `${username}@example.com` })
  }
  const { id: itemId } = await anna.post('/content/users/anna/addItem', { title: 'Robot', type: 'Application' })
  const app = await anna.post('/oauth2/registerApp', { itemId, appType: 'server', expiration: '31' })
  const keep = () => housekeep(portal)
  await keep()
  expect(mails.received).toEqual([])
  portal.clock.now += day
  await keep()
  await keep()
  await mails.mail(2)
  expect(mails.received.flatMap(({ to }) => to)).toEqual(['anna@example.com', 'admin@example.com'])
  expect(mails.received).toHaveLength(2)
  const { headers, text } = mails.received[0]!
  expect(headers.get('subject')).toBe('Secrets of apps end at maps.example.com')
  expect(text).toContain(`the app "Robot" (client id ${app.client_id}) of `)
  expect(text).toContain(new Date(app.secretExpires).toISOString())
  // Again, as the first may have been lost.
  portal.clock.now += 23 * day
  await until('they are sent again', async () => {
    await keep()
    return mails.received.length >= 4
  })
  expect(mails.received).toHaveLength(4)
})

test('no reminder is sent of a secret that was made for a month or less, and one mail has all secrets of an owner', async () => {
  await using mails = await startMailServer()
  await using portal = await startPortal({ environment: mails.settings, isReused: false })
  const admin = await portal.admin()
  await admin.post('/community/users/admin/update', { email: 'admin@example.com' })
  const titles = ['Short', 'Long', 'Longer']
  for (const [at, title] of titles.entries()) {
    const { id: itemId } = await admin.post('/content/users/admin/addItem', { title, type: 'Application' })
    await admin.post('/oauth2/registerApp', { itemId, appType: 'server', expiration: String(30 + at) })
  }
  portal.clock.now += 2 * day
  await housekeep(portal)
  const { text } = await mails.mail(1)
  expect(titles.filter((title) => text.includes(`"${title}"`))).toEqual(['Long', 'Longer'])
  expect(mails.received).toHaveLength(1)
})

test('a reminder that the mail server did not get before the server ended is sent after the next start', async () => {
  const away = await startMailServer()
  await using portal = await startPortal({ environment: away.settings, isReused: false })
  await away[Symbol.asyncDispose]()
  const admin = await portal.admin()
  await admin.post('/community/users/admin/update', { email: 'admin@example.com' })
  const { id: itemId } = await admin.post('/content/users/admin/addItem', { title: 'Robot', type: 'Application' })
  await admin.post('/oauth2/registerApp', { itemId, appType: 'server', expiration: '31' })
  portal.clock.now += 2 * day
  const { dependencies } = portal.server
  await housekeep(portal)
  await dependencies.mailer!.end()
  await using mails = await startMailServer()
  const transport = await openMailTransport(readConfig({ ...mails.settings, PUBLIC_URL: 'http://maps.example.com' }))
  const mailer = openOutbox(transport!, dependencies.now)
  const keep = () => runHousekeeping({ ...houseOf(portal), mailer })
  await keep()
  // A clock that jumps while the mail is sent sends no second one.
  portal.clock.now += 1
  await keep()
  await mails.mail(1)
  const app = () =>
    dependencies.storage.read(({ oauth }) =>
      oauth.listEndingSecrets({ from: 0, to: Number.MAX_SAFE_INTEGER }, { longerThan: 0, reminders: 1 }, 1),
    )
  await until('it counts as sent', async () => (await app()).length === 0)
  await keep()
  expect(mails.received).toHaveLength(1)
  await mailer.end()
})
