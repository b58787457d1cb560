import { expect, test } from 'vitest'
import { startPortal } from '../support/portal.ts'

test('a manager replaces the schema', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const manager = await portal.user('manager')
  const group = await admin.createGroup('Maps')
  await admin.post(`/community/groups/${group.id}/addUsers`, { admins: 'manager' })
  const categorySchema = { categorySchema: [{ title: 'Region' }] }
  const answer = await manager.post(`/community/groups/${group.id}/assignCategorySchema`, { categorySchema })
  expect(answer).toEqual({ success: true })
  expect(await manager.get(`/community/groups/${group.id}/categorySchema`)).toEqual(categorySchema)
})
