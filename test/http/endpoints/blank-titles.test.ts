import { expect, test } from 'vitest'
import { hostCollaboration } from '../../support/portal/collaboration-host.ts'
import { refused } from '../../support/portal/envelopes.ts'
import { startPortal } from '../../support/portal/portal.ts'

const unseen = ['\u200b', ' \u2060\u00ad', '\u3164\u2800', '\u{e0041}\ufe0f']

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
  await post(`${path}/updateInfo`, { name: title })
  expect(await admin.get(path)).toMatchObject({ name: 'Alpine maps' })
  const item = (await post('/content/users/admin/addItem', { title: 'Lakes', type: 'Web Map' })).id
  await post(`/content/users/admin/items/${item}/update`, { title, clearEmptyFields: true })
  expect(await admin.get(`/content/items/${item}`)).toMatchObject({ title: 'Lakes' })
})
