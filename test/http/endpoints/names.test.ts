import { expect, test } from 'vitest'
import { hostCollaboration } from '../../support/portal/collaboration-host.ts'
import { refused } from '../../support/portal/envelopes.ts'
import { startPortal } from '../../support/portal/portal.ts'

const unseen = ['', '\u200b', ' \u2060\u00ad', '\u3164\u2800', '\u{e0041}\ufe0f']

test.each(unseen)('a title of what is not seen is as if there were none: %j', async (title) => {
  await using portal = await startPortal()
  const { client: admin, path } = await hostCollaboration(portal)
  const post = (where: string, parameters = {}) => admin.post(where, parameters)
  expect(await post('/community/createGroup', { title })).toEqual(refused('create group', 'title: give a value.'))
  expect(await post('/content/users/admin/addItem', { title, type: 'Web Map' })).toEqual(
    refused('add item', 'title: give a value.'),
  )
  expect(await post('/portals/self/createCollaboration', { name: title, workspaceName: 'Base maps' })).toEqual(
    refused('create collaboration', 'name: give a value.'),
  )
  const { id } = await admin.createGroup('Maps')
  await post(`/community/groups/${id}/update`, { title, clearEmptyFields: true })
  expect(await admin.get(`/community/groups/${id}`)).toMatchObject({ title: 'Maps' })
  expect(await post(`${path}/updateInfo`, { name: title, description: 'New' })).toEqual(
    refused('update collaboration', 'name: give a value.'),
  )
  const [{ id: workspaceId }] = (await admin.get(`${path}/workspaces`)).workspaces
  expect(await post(`${path}/workspaces/${workspaceId}/updateInfo`, { name: title })).toEqual(
    refused('update workspace', 'name: give a value.'),
  )
  expect(await admin.get(path)).toMatchObject({ name: 'Alpine maps' })
  const item = (await post('/content/users/admin/addItem', { title: 'Lakes', type: 'Web Map' })).id
  await post(`/content/users/admin/items/${item}/update`, { title, clearEmptyFields: true })
  expect(await admin.get(`/content/items/${item}`)).toMatchObject({ title: 'Lakes' })
})

const brokenName = 'Maps\tand\u0085seas'

test('names and titles are one line without control characters, and the parameter is named', async () => {
  await using portal = await startPortal()
  const { client: admin, path } = await hostCollaboration(portal)
  const { id: groupId } = await admin.createGroup('Maps')
  const { id: itemId } = await admin.post('/content/users/admin/addItem', { title: 'Lakes', type: 'Web Map' })
  const { id: roleId } = await admin.post('/portals/self/createRole', { name: 'Host' })
  const [{ id: workspaceId }] = (await admin.get(`${path}/workspaces`)).workspaces
  const named = { name: 'Seas', workspaceName: 'Base maps' }
  for (const [task, name, where, others] of [
    ['update organization', 'name', '/portals/self/update', {}],
    ['create group', 'title', '/community/createGroup', {}],
    ['update group', 'title', `/community/groups/${groupId}/update`, {}],
    ['add item', 'title', '/content/users/admin/addItem', { type: 'Web Map' }],
    ['update item', 'title', `/content/users/admin/items/${itemId}/update`, {}],
    ['create role', 'name', '/portals/self/createRole', {}],
    ['update role', 'name', `/portals/self/roles/${roleId}/update`, {}],
    ['update user', 'fullName', '/community/users/admin/update', {}],
    ['update user', 'lastName', '/community/users/admin/update', {}],
    ['create collaboration', 'name', '/portals/self/createCollaboration', named],
    ['create collaboration', 'workspaceName', '/portals/self/createCollaboration', named],
    ['create collaboration', 'hostContactFirstname', '/portals/self/createCollaboration', named],
    ['update collaboration', 'name', `${path}/updateInfo`, {}],
    ['add workspace', 'collaborationWorkspaceName', `${path}/addWorkspace`, {}],
    ['update workspace', 'name', `${path}/workspaces/${workspaceId}/updateInfo`, {}],
  ] as const) {
    expect(await admin.post(where, { ...others, [name]: brokenName })).toEqual(
      refused(task, `${name}: has a control character.`),
    )
  }
  const invitations = [{ username: 'bruno', password: 'a long enough password', fullname: brokenName }]
  expect(await admin.post('/portals/self/invite', { invitationList: JSON.stringify({ invitations }) })).toEqual(
    refused('invite users', 'invitationList: /invitations/0/fullname has a control character.'),
  )
})

test('names of a person and of a contact that show nothing are empty', async () => {
  await using portal = await startPortal()
  const { client: admin } = await hostCollaboration(portal)
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
