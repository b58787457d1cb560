import { describe, expect, test } from 'vitest'
import { groupNotFound, permissionDenied, refused, tokenRequired } from '../../../../support/portal/envelopes.ts'
import { type Client, type Parameters, startOfTests, startPortal } from '../../../../support/portal/portal.ts'

const id32 = expect.stringMatching(/^[0-9a-f]{32}$/)

/** A group whose maker gives only its title. */
const bare = {
  id: id32,
  title: 'Maps',
  owner: 'admin',
  description: '',
  snippet: '',
  tags: [],
  phone: null,
  access: 'private',
  created: startOfTests,
  modified: startOfTests,
  sortField: 'title',
  sortOrder: 'asc',
  isViewOnly: false,
  isInvitationOnly: true,
  autoJoin: false,
  leavingDisallowed: false,
  hiddenMembers: false,
  membershipAccess: 'org',
  displaySettings: { itemTypes: '' },
  capabilities: [],
  thumbnail: null,
  protected: false,
  orgId: expect.stringMatching(/^[A-Za-z0-9]{16}$/),
  hasCategorySchema: false,
  userMembership: { username: 'admin', memberType: 'owner', applications: 0 },
  collaborationInfo: {},
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
  test('needs but a title, and answers the whole group', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    const answer = await admin.post('/community/createGroup', { title: 'Maps' })
    expect(answer).toEqual({ success: true, group: bare })
    expect(await admin.get(`/community/groups/${answer.group.id}`)).toEqual(answer.group)
  })

  test('keeps all that is said', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    const { group } = await admin.post('/community/createGroup', { ...everything, tags: 'land, forest ,,land,Wald' })
    expect(group).toEqual({ ...bare, ...everything, tags: ['land', 'forest', 'Wald'] })
    expect(group.orgId).toBe((await admin.get('/portals/self')).id)
  })

  test('sets nothing that is not the maker’s to say', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    await admin.invite('anna')
    const { group } = await admin.post('/community/createGroup', {
      title: 'Maps',
      id: 'f'.repeat(32),
      groupId: 'f'.repeat(32),
      owner: 'anna',
      ownerId: 'anna',
      orgId: 'x',
      portalId: 'x',
      protected: 'true',
      isProtected: 'true',
      hasCategorySchema: 'true',
      created: '1',
      createdAt: '1',
      ['__proto__']: 'x',
    })
    expect(group).toEqual(bare)
    expect(group.id).not.toBe('f'.repeat(32))
  })

  test('makes two groups of one title two groups', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    const [one, two] = [await admin.createGroup('Maps'), await admin.createGroup('Maps')]
    expect(one.id).not.toBe(two.id)
  })

  test.each([{}, { title: '' }, { title: ' \n ' }])('without a title is refused: %j', async (parameters) => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    expect(await admin.post('/community/createGroup', parameters)).toEqual(
      refused('create group', 'title: give a value.'),
    )
    expect(await admin.get('/community/groups')).toMatchObject({ total: 0 })
  })

  test.each([
    ['access', 'shared', 'has to be one of private, org, public.'],
    ['sortOrder', 'up', 'has to be one of asc, desc.'],
    ['isViewOnly', '1', 'has to be true or false.'],
    ['isInvitationOnly', 'yes', 'has to be true or false.'],
    ['autoJoin', 'on', 'has to be true or false.'],
    ['title', 'a\u0000b', 'has a control character.'],
    ['tags', 'a,b\u0007', 'an entry has a control character.'],
  ])('with %s=%j is refused', async (name, value, problem) => {
    await using portal = await startPortal()
    const answer = await (await portal.admin()).post('/community/createGroup', { title: 'Maps', [name]: value })
    expect(answer).toEqual(refused('create group', `${name}: ${problem}`))
  })

  test('reports all that is wrong together', async () => {
    await using portal = await startPortal()
    const answer = await (await portal.admin()).post('/community/createGroup', { access: 'shared', autoJoin: '?' })
    expect(answer).toEqual(
      refused(
        'create group',
        'title: give a value.',
        'access: has to be one of private, org, public.',
        'autoJoin: has to be true or false.',
      ),
    )
  })

  test('is for those with the privilege', async () => {
    await using portal = await startPortal()
    const viewer = await portal.user('viewer', 'org_viewer')
    expect(await viewer.post('/community/createGroup', { title: '' })).toEqual(permissionDenied)
    expect(await portal.anonymous.post('/community/createGroup', { title: 'Maps' })).toEqual(tokenRequired)
  })

  test.each([
    ['private', true, true],
    ['org', false, true],
    ['public', false, false],
  ])('with access %s takes the privilege to share so', async (access, without, withOrg) => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    const role = (name: string, ...more: string[]) => admin.createRole(name, ['portal:user:createGroup', ...more])
    const hermit = await admin.invite('hermit', await role('Hermit'))
    const local = await admin.invite('local', await role('Local', 'portal:user:shareGroupToOrg'))
    const make = async (client: Client) =>
      (await client.post('/community/createGroup', { title: 'Maps', access })).success === true
    expect([await make(hermit), await make(local), await make(admin)]).toEqual([without, withOrg, true])
  })
})

test.each([
  ['title', 250],
  ['snippet', 250],
  ['description', 10_000],
  ['sortField', 64],
])('%s takes %i characters and not one more, on create and update', async (name, max) => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const longest = '🗺'.repeat(max / 2)
  const problem = `${name}: has ${max + 1} characters; at most ${max} are allowed.`
  const { group } = await admin.post('/community/createGroup', { title: 'Maps', [name]: longest })
  expect(group).toMatchObject({ [name]: longest })
  const create = await admin.post('/community/createGroup', { title: 'Maps', [name]: `${longest}x` })
  expect(create).toEqual(refused('create group', problem))
  expect(await update(admin, group.id, { [name]: 'x'.repeat(max) })).toMatchObject({ success: true })
  expect(await update(admin, group.id, { [name]: `${longest}x` })).toEqual(refused('update group', problem))
})

test('tags are 128 of 128 characters at most', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const tags = (count: number) => Array.from({ length: count }, (_, tag) => `tag${tag}`).join()
  const create = (value: string) => admin.post('/community/createGroup', { title: 'Maps', tags: value })
  expect((await create(tags(128))).group.tags).toHaveLength(128)
  expect(await create(tags(129))).toEqual(refused('create group', 'tags: has 129 entries; at most 128 are allowed.'))
  expect((await create('🗺'.repeat(64))).group.tags).toEqual(['🗺'.repeat(64)])
  expect(await create(`${'🗺'.repeat(64)}x`)).toEqual(
    refused('create group', 'tags: an entry has 129 characters; at most 128 are allowed.'),
  )
})

describe('update', () => {
  test('changes what is given and leaves the rest', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
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

  test('leaves empty fields alone, and clears them when asked; a title stays in any case', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
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

  test('reaches neither owner nor id nor protection', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    await admin.invite('anna')
    const { id } = await admin.createGroup('Maps')
    await update(admin, id, {
      owner: 'anna',
      id: 'x',
      orgId: 'x',
      protected: 'true',
      isProtected: 'true',
      ownerId: 'x',
    })
    expect(await admin.get(`/community/groups/${id}`)).toEqual(bare)
  })

  test('is for owner, managers, administrators and holders of the privilege', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    const owner = await admin.invite('owner')
    const manager = await admin.invite('manager')
    const member = await admin.invite('member')
    const clerkRole = await admin.createRole('Clerk', ['portal:admin:updateGroups', 'portal:user:viewOrgGroups'])
    const clerk = await admin.invite('clerk', clerkRole)
    const stranger = await admin.invite('stranger', 'org_publisher')
    const { id } = await owner.createGroup('Maps', { access: 'org' })
    await owner.post(`/community/groups/${id}/addUsers`, { users: 'member', admins: 'manager' })
    for (const client of [owner, manager, admin, clerk]) {
      expect(await update(client, id, { snippet: 'x' })).toEqual({ success: true, groupId: id })
    }
    for (const client of [member, stranger])
      expect(await update(client, id, { snippet: 'x' })).toEqual(permissionDenied)
    expect(await update(portal.anonymous, id, { snippet: 'x' })).toEqual(tokenRequired)
  })

  test('to a wider access takes the privilege to share so, a narrower one nothing', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
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
  test('removes the group for everybody, and the id is not used again', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    const { id } = await admin.createGroup('Maps', { access: 'public' })
    expect(await admin.post(`/community/groups/${id}/delete`)).toEqual({ success: true, groupId: id })
    expect(await admin.get(`/community/groups/${id}`)).toEqual(groupNotFound)
    expect(await admin.post(`/community/groups/${id}/delete`)).toEqual(groupNotFound)
    expect(await admin.get('/community/self')).toMatchObject({ groups: [] })
    expect((await admin.createGroup('Maps')).id).not.toBe(id)
  })

  test('is for the owner, administrators and holders of the privilege, not for managers', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    const owner = await admin.invite('owner')
    const manager = await admin.invite('manager')
    const reaperRole = await admin.createRole('Reaper', ['portal:admin:deleteGroups', 'portal:user:viewOrgGroups'])
    const reaper = await admin.invite('reaper', reaperRole)
    const make = async () => {
      const { id } = await owner.createGroup('Maps', { access: 'org' })
      await owner.post(`/community/groups/${id}/addUsers`, { admins: 'manager' })
      return id
    }
    const id = await make()
    expect(await manager.post(`/community/groups/${id}/delete`)).toEqual(permissionDenied)
    expect(await portal.anonymous.post(`/community/groups/${id}/delete`)).toEqual(tokenRequired)
    for (const client of [owner, admin, reaper]) {
      expect(await client.post(`/community/groups/${await make()}/delete`)).toMatchObject({ success: true })
    }
  })

  test('is refused for a protected group until it is unprotected', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
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

  test.each(['protect', 'unprotect'])('%s is not for managers', async (verb) => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    const manager = await admin.invite('manager')
    const { id } = await admin.createGroup('Maps')
    await admin.post(`/community/groups/${id}/addUsers`, { admins: 'manager' })
    expect(await manager.post(`/community/groups/${id}/${verb}`)).toEqual(permissionDenied)
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

describe.each(['f'.repeat(32), '__proto__', 'constructor', '%', "' or 1=1 --"])('the group %s', (id) => {
  test('is not there, for reading or for changing', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    await admin.createGroup('Maps')
    const path = `/community/groups/${encodeURIComponent(id)}`
    expect(await admin.get(path)).toEqual(groupNotFound)
    expect(await admin.get(`${path}/users`)).toEqual(groupNotFound)
    expect(await portal.anonymous.get(path)).toEqual(tokenRequired)
    const verbs = [
      'update',
      'delete',
      'protect',
      'unprotect',
      'reassign',
      'addUsers',
      'removeUsers',
      'updateUsers',
      'join',
      'leave',
    ]
    for (const verb of verbs) expect(await admin.post(`${path}/${verb}`)).toEqual(groupNotFound)
  })
})
