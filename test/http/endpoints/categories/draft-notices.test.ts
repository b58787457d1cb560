import { runJobs } from '../../../../src/background/jobs.ts'
import { houseOf } from '../../../support/portal/house.ts'
import { startMailServer } from '../../../support/portal/mail-server.ts'
import { type Client, startPortal } from '../../../support/portal/portal.ts'
import { expect, test } from '../../../support/portal/test.ts'

const drafts = '/portals/self/categorySchema/drafts'
const categorySchema = JSON.stringify({ categorySchema: [{ title: 'Water' }] })

async function noticesOf(client: Client, username: string) {
  const { notifications } = await client.get(`/community/users/${username}/notifications`)
  return (notifications as { type: string; read: boolean; data: { draft?: { by: string } } }[]).map(
    ({ type, read, data }) => [type, read, data.draft?.by],
  )
}

test('persons of a draft are notified of what others do to it; who it is proposed to by mail too', async () => {
  await using mails = await startMailServer()
  await using portal = await startPortal({ environment: mails.settings })
  const admin = await portal.admin()
  const mira = await portal.user('mira', 'org_admin')
  await admin.post('/community/users/mira/update', { email: 'mira@example.com' })
  const { draftId } = await admin.post(drafts, { name: 'Lakes and "more"', categorySchema })
  const draft = `${drafts}/${draftId}`

  await admin.post(`${draft}/propose`, { to: 'mira' })
  const mail = await mails.mail(1)
  expect(mail.to).toEqual(['mira@example.com'])
  expect(mail.text).toContain(
    'admin proposes the draft "Lakes and  more " of a category schema of "Ministry of Maps" to',
  )
  expect(await noticesOf(mira, 'mira')).toEqual([['draft_proposed', false, 'admin']])

  portal.clock.now += 1
  await mira.post(`${draft}/return`, { note: 'Two names' })
  expect(await noticesOf(admin, 'admin')).toEqual([['draft_returned', false, 'mira']])
  const until = String(portal.clock.now)
  portal.clock.now += 1
  await mira.post(`${draft}/update`, { comment: 'Looked at' })
  await admin.post(`${draft}/propose`)
  await mira.post(`${draft}/publish`)
  expect(await admin.post('/community/users/admin/notifications/markRead', { until })).toEqual({ success: true })
  expect(await noticesOf(admin, 'admin')).toEqual([
    ['draft_published', false, 'mira'],
    ['draft_returned', true, 'mira'],
  ])
  // Who published it knows, and a proposal without a name is on the first page of all.
  expect(await noticesOf(mira, 'mira')).toEqual([['draft_proposed', false, 'admin']])
  await admin.post('/community/users/admin/notifications/markRead')
  expect((await noticesOf(admin, 'admin')).map(([, read]) => read)).toEqual([true, true])
})

test('at its time, a draft that is published and one that is refused notify who set the time', async ({ portal }) => {
  const admin = await portal.admin()
  const schedule = async (name: string) => {
    const { draftId } = await admin.post(drafts, { name, categorySchema, baseVersion: '0' })
    portal.clock.now += 1
    await admin.post(`${drafts}/${draftId}/publish`, { publishAt: String(portal.clock.now + 60_000) })
  }
  await schedule('First')
  await schedule('Second')
  portal.clock.now += 120_000
  await runJobs(houseOf(portal))
  await runJobs(houseOf(portal))
  // The second one is based on the version before the first.
  expect((await noticesOf(admin, 'admin')).toSorted()).toEqual([
    ['draft_failed', false, ''],
    ['draft_published', false, ''],
  ])
})
