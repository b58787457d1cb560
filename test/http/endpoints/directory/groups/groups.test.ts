import { groupNotFound, permissionDenied, refused } from '../../../../support/portal/envelopes.ts'
import { exampleOf } from '../../../../support/portal/example-call.ts'
import { type Client, type Parameters, startOfTests, startPortal } from '../../../../support/portal/portal.ts'
import { describe, expect, test } from '../../../../support/portal/test.ts'

/** A group whose maker gives only its title. */
const bare = {
  ...exampleOf('createGroup').group,
  ...{ title: 'Maps', tags: [], access: 'private' },
  id: expect.stringMatching(/^[0-9a-f]{32}$/),
  orgId: expect.stringMatching(/^[A-Za-z0-9]{16}$/),
}

const everything = {
  title: 'Land cover',
  description: 'What covers the land\nand what does not',
  snippet: 'Land cover maps',
  access: 'public',
  sortField: 'modified',
  sortOrder: 'desc',
  isViewOnly: true,
  isInvitationOnly: false,
  autoJoin: true,
}

function update(client: Client, id: string, change: Parameters) {
  return client.post(`/community/groups/${id}/update`, change)
}

describe('createGroup', () => {
  test('needs but a title, and answers the whole group', async ({ admin }) => {
    const answer = await admin.post('/community/createGroup', { title: 'Maps' })
    expect(answer).toEqual({ success: true, group: bare })
    expect(await admin.get(`/community/groups/${answer.group.id}`)).toEqual(answer.group)
  })

  test('keeps all that is said', async ({ admin }) => {
    const { group } = await admin.post('/community/createGroup', { ...everything, tags: 'land, forest ,,land,Wald' })
    expect(group).toEqual({ ...bare, ...everything, tags: ['land', 'forest', 'Wald'] })
    expect(group.orgId).toBe((await admin.get('/portals/self')).id)
  })
})

describe('update', () => {
  test('changes what is given and leaves the rest', async ({ portal, admin }) => {
    const { id } = await admin.createGroup('Maps', { ...everything, title: 'Maps', tags: 'land' })
    const before = await admin.get(`/community/groups/${id}`)
    portal.clock.now += 1000
    expect(await update(admin, id, { snippet: 'New' })).toEqual({ success: true, groupId: id })
    const after = { ...before, snippet: 'New', modified: startOfTests + 1000 }
    expect(await admin.get(`/community/groups/${id}`)).toEqual(after)
    await update(admin, id, { title: 'Charts', tags: 'sea,lake', isViewOnly: 'false', access: 'org' })
    const change = { title: 'Charts', tags: ['sea', 'lake'], isViewOnly: false, access: 'org' }
    expect(await admin.get(`/community/groups/${id}`)).toEqual({ ...after, ...change })
  })

  test('leaves empty fields alone, and clears them when asked; a title stays in any case', async ({ admin }) => {
    const { id } = await admin.createGroup('Maps', { tags: 'land', snippet: 'Short', description: 'Long' })
    const emptied = { title: '', tags: '', snippet: '', sortField: '', access: '' }
    await update(admin, id, emptied)
    expect(await admin.get(`/community/groups/${id}`)).toMatchObject({
      title: 'Maps',
      tags: ['land'],
      snippet: 'Short',
    })
    await update(admin, id, { ...emptied, clearEmptyFields: 'true' })
    expect(await admin.get(`/community/groups/${id}`)).toMatchObject({
      title: 'Maps',
      tags: [],
      snippet: '',
      description: 'Long',
      sortField: 'title',
      access: 'private',
    })
  })

  test('to a wider access takes the privilege to share so, a narrower one nothing', async ({ admin }) => {
    const hermit = await admin.invite('hermit', await admin.createRole('Hermit', ['portal:user:createGroup']))
    const { id } = await hermit.createGroup('Maps')
    expect(await update(hermit, id, { access: 'org' })).toEqual(permissionDenied)
    expect(await update(hermit, id, { access: 'public' })).toEqual(permissionDenied)
    await update(admin, id, { access: 'public' })
    expect(await update(hermit, id, { access: 'public', snippet: 'x' })).toMatchObject({ success: true })
    expect(await update(hermit, id, { access: 'private' })).toMatchObject({ success: true })
  })
})

describe('delete', () => {
  test('removes the group for everybody, and the id is not used again', async ({ admin }) => {
    const { id } = await admin.createGroup('Maps', { access: 'public' })
    expect(await admin.post(`/community/groups/${id}/delete`)).toEqual({ success: true, groupId: id })
    expect(await admin.get(`/community/groups/${id}`)).toEqual(groupNotFound)
    expect(await admin.post(`/community/groups/${id}/delete`)).toEqual(groupNotFound)
    expect(await admin.get('/community/self')).toMatchObject({ groups: [] })
    expect((await admin.createGroup('Maps')).id).not.toBe(id)
  })

  test('is refused for a protected group until it is unprotected', async ({ admin }) => {
    const { id } = await admin.createGroup('Maps')
    expect(await admin.post(`/community/groups/${id}/protect`)).toEqual({ success: true })
    expect(await admin.get(`/community/groups/${id}`)).toMatchObject({ protected: true })
    expect(await admin.post(`/community/groups/${id}/delete`)).toEqual(
      refused('delete group', 'Maps is protected from deletion.'),
    )
    expect(await update(admin, id, { snippet: 'x' })).toMatchObject({ success: true })
    expect(await admin.get(`/community/groups/${id}`)).toMatchObject({ protected: true })
    expect(await admin.post(`/community/groups/${id}/unprotect`)).toEqual({ success: true })
    expect(await admin.post(`/community/groups/${id}/delete`)).toEqual({ success: true, groupId: id })
  })
})

test('hasCategorySchema is true after an assign and false after a delete, wherever the group is shown', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const { id } = await admin.createGroup('Maps')
  const told = async () => [
    (await admin.get(`/community/groups/${id}`)).hasCategorySchema,
    (await admin.get('/community/groups')).results[0].hasCategorySchema,
    (await admin.get('/community/self')).groups[0].hasCategorySchema,
  ]
  expect(await told()).toEqual([false, false, false])
  await admin.post(`/community/groups/${id}/assignCategorySchema`, {
    categorySchema: { categorySchema: [{ title: 'A' }] },
  })
  expect(await told()).toEqual([true, true, true])
  await admin.post(`/community/groups/${id}/deleteCategorySchema`)
  expect(await told()).toEqual([false, false, false])
})
