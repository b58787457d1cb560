import { expect, test } from 'vitest'
import { keepHouse } from '../../src/cli/housekeeping.ts'
import { startMailServer } from '../support/portal/mail-server.ts'
import { startPortal } from '../support/portal/portal.ts'

const day = 86_400_000

test('the owner of an app and administrators are told once, 30 days before its secret ends, and again of the next one', async () => {
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
  const keep = () => keepHouse({ ...portal.server.dependencies, settings, publicUrl: portal.server.publicUrl })
  await keep()
  expect(mails.received).toEqual([])
  portal.clock.now += day
  await keep()
  await keep()
  await mails.mail(2)
  expect(mails.received.flatMap(({ to }) => to)).toEqual(['anna@example.com', 'admin@example.com'])
  expect(mails.received).toHaveLength(2)
  const { headers, text } = mails.received[0]!
  const end = new Date(app.secretExpires).toISOString()
  expect(headers.get('subject')).toBe(`The secret of "Robot" ends on ${end.slice(0, 10)}`)
  expect(text).toContain(`client id ${app.client_id}`)
  await (await portal.admin()).post(`/oauth2/apps/${app.client_id}/renewSecret`, { expiration: '30' })
  await keep()
  await mails.mail(4)
  expect(mails.received).toHaveLength(4)
})
