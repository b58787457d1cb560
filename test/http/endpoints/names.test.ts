import { startPortal } from '../../support/portal/portal.ts'
import { expect, test } from '../../support/portal/test.ts'

const unseen = ['', '\u200b', ' \u2060\u00ad', '\u3164\u2800', '\u{e0041}\ufe0f']

test.each(unseen)('a title stays where one of what is not seen is given, even to clear it: %j', async (title) => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const { id } = await admin.createGroup('Maps')
  await admin.post(`/community/groups/${id}/update`, { title, clearEmptyFields: true })
  expect(await admin.get(`/community/groups/${id}`)).toMatchObject({ title: 'Maps' })
  const item = (await admin.post('/content/users/admin/addItem', { title: 'Lakes', type: 'Web Map' })).id
  await admin.post(`/content/users/admin/items/${item}/update`, { title, clearEmptyFields: true })
  expect(await admin.get(`/content/items/${item}`)).toMatchObject({ title: 'Lakes' })
})

test('names of a person and of a contact that show nothing are empty', async ({ admin }) => {
  const invitations = [
    { username: 'bruno', password: 'a long enough password', fullname: '\u200b', firstname: 'Bruno' },
  ]
  await admin.post('/portals/self/invite', { invitationList: JSON.stringify({ invitations }) })
  expect(await admin.get('/community/users/bruno')).toMatchObject({ fullName: 'Bruno' })
  const { collaboration } = await admin.post('/portals/self/createCollaboration', {
    name: 'Seas',
    workspaceName: 'Base maps',
    hostContactFirstname: '\u2060 \u00ad',
  })
  expect(collaboration.config).toMatchObject({ hostContactFirstname: '' })
})
