import { expect, test } from 'vitest'
import { housekeep } from '../support/portal/house.ts'
import { startMailServer } from '../support/portal/mail-server.ts'
import { startPortal } from '../support/portal/portal.ts'
import { aSchema } from '../support/portal/schema-builder.ts'

const day = 86_400_000

test('a draft that was not touched for a year ends, and who saved it is notified once, 30 days before', async () => {
  await using mails = await startMailServer()
  await using portal = await startPortal({ environment: mails.settings, isReused: false })
  let admin = await portal.admin()
  await admin.post('/community/users/admin/update', { email: 'admin@example.com' })
  const { id } = await admin.createGroup('Maps')
  const path = `/community/groups/${id}/categorySchema/drafts`
  const create = async (name: string) =>
    (await admin.post(path, { name, categorySchema: aSchema({ title: 'A' }) })).draftId as string
  await create('Rivers')
  const second = await create('Lakes')
  const keepAfter = async (days: number) => {
    portal.clock.now += days * day
    await housekeep(portal)
    admin = await portal.admin()
    const { drafts } = await admin.get(path)
    return drafts.map((draft: { name: string }) => draft.name).toSorted()
  }
  expect(await keepAfter(335)).toEqual(['Lakes', 'Rivers'])
  expect(mails.received).toEqual([])
  await admin.post(`${path}/${second}/propose`, { note: 'Look at it.' })
  expect(await keepAfter(1)).toEqual(['Lakes', 'Rivers'])
  expect(await keepAfter(1)).toEqual(['Lakes', 'Rivers'])
  const { to, text } = await mails.mail(1)
  expect(to).toEqual(['admin@example.com'])
  expect(text).toContain('"Rivers" of "Maps"')
  expect(text).not.toContain('Lakes')
  expect(await keepAfter(29)).toEqual(['Lakes'])
  expect(mails.received).toHaveLength(1)
})
