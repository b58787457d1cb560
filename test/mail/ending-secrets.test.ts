import { expect, test } from 'vitest'
import { runHousekeeping } from '../../src/cli/housekeeping.ts'
import { startMailServer } from '../support/portal/mail-server.ts'
import { startPortal } from '../support/portal/portal.ts'

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
  const settings = { signInLimit: { failures: 10, minutes: 15 } }
  const keep = () => runHousekeeping({ ...portal.server.dependencies, settings, publicUrl: portal.server.publicUrl })
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
  await keep()
  await keep()
  await mails.mail(4)
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
  const settings = { signInLimit: { failures: 10, minutes: 15 } }
  await runHousekeeping({ ...portal.server.dependencies, settings, publicUrl: portal.server.publicUrl })
  const { text } = await mails.mail(1)
  expect(titles.filter((title) => text.includes(`"${title}"`))).toEqual(['Long', 'Longer'])
  expect(mails.received).toHaveLength(1)
})
