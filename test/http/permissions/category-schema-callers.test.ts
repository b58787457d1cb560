import { describe, expect, test } from 'vitest'
import { groupNotFound, permissionDenied, resourceNotFound, tokenRequired } from '../../support/portal/envelopes.ts'
import { type Client, startPortal, type TestPortal } from '../../support/portal/portal.ts'
import { plainSchema } from '../../support/portal/schema-builder.ts'
import { invalidSchema, openHolder } from '../../support/portal/schema-holder.ts'

const success = { success: true }
type FindCaller = (portal: TestPortal) => Client | Promise<Client>

/** Callers of the schema of a group that `owner` made, with what they are told when they want to change it. */
const groupCallers: readonly { who: string; access: string; find: FindCaller; answer: object }[] = [
  { who: 'the owner', access: 'private', find: (portal) => portal.signIn('owner', password), answer: success },
  { who: 'a manager', access: 'private', find: (portal) => portal.signIn('manager', password), answer: success },
  { who: 'a member', access: 'private', find: (portal) => portal.signIn('member', password), answer: permissionDenied },
  {
    who: 'an administrator, who sees the group only',
    access: 'private',
    find: (portal) => portal.admin(),
    answer: permissionDenied,
  },
  {
    who: 'a colleague who sees the group',
    access: 'org',
    find: (portal) => portal.user('colleague'),
    answer: permissionDenied,
  },
  {
    who: 'a colleague who does not',
    access: 'private',
    find: (portal) => portal.user('colleague'),
    answer: groupNotFound,
  },
  { who: 'an outsider', access: 'org', find: (portal) => portal.otherOrganization(), answer: groupNotFound },
  {
    who: 'an outsider, of a public group',
    access: 'public',
    find: (portal) => portal.otherOrganization(),
    answer: permissionDenied,
  },
  { who: 'nobody', access: 'private', find: (portal) => portal.anonymous, answer: tokenRequired },
  { who: 'nobody, of a public group', access: 'public', find: (portal) => portal.anonymous, answer: tokenRequired },
]

const password = 'correct horse battery staple'

async function openGroup(portal: TestPortal, access: string): Promise<string> {
  const owner = await portal.user('owner', 'org_publisher')
  await portal.user('manager')
  await portal.user('member')
  const { id } = await owner.createGroup('Maps', access === 'public' ? {} : { access })
  if (access === 'public') await (await portal.admin()).post(`/community/groups/${id}/update`, { access })
  await owner.post(`/community/groups/${id}/addUsers`, { users: 'member', admins: 'manager' })
  await owner.post(`/community/groups/${id}/assignCategorySchema`, { categorySchema: plainSchema })
  return `/community/groups/${id}`
}

describe('the schema of a group', () => {
  test.each(groupCallers)('$who ($access) wants to assign and delete it', async ({ access, find, answer }) => {
    await using portal = await startPortal()
    const path = await openGroup(portal, access)
    const caller = await find(portal)
    expect(await caller.post(`${path}/assignCategorySchema`, { categorySchema: plainSchema })).toMatchObject(answer)
    const ifRefused = answer === success ? invalidSchema : answer
    expect(await caller.post(`${path}/assignCategorySchema`, { categorySchema: 'nonsense' })).toMatchObject(ifRefused)
    expect(await caller.post(`${path}/deleteCategorySchema`)).toMatchObject(answer)
    const gone = answer === success ? resourceNotFound : answer
    expect(await caller.post(`${path}/deleteCategorySchema`)).toEqual(gone)
  })

  test.each([
    { who: 'a member', access: 'private', find: (portal: TestPortal) => portal.signIn('member', password), sees: true },
    { who: 'an administrator', access: 'private', find: (portal: TestPortal) => portal.admin(), sees: true },
    { who: 'a colleague', access: 'org', find: (portal: TestPortal) => portal.user('colleague'), sees: true },
    { who: 'a colleague', access: 'private', find: (portal: TestPortal) => portal.user('colleague'), sees: false },
    { who: 'anybody', access: 'public', find: (portal: TestPortal) => portal.anonymous, sees: true },
  ])('$who reads that of a group with access $access: $sees', async ({ access, find, sees }) => {
    await using portal = await startPortal()
    const path = await openGroup(portal, access)
    const caller = await find(portal)
    expect(await caller.get(`${path}/categorySchema`)).toEqual(sees ? plainSchema : groupNotFound)
  })

  test('an unknown group has none', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    const path = `/community/groups/${'0'.repeat(32)}`
    expect(await admin.post(`${path}/assignCategorySchema`, { categorySchema: plainSchema })).toEqual(groupNotFound)
    expect(await admin.post(`${path}/deleteCategorySchema`)).toEqual(groupNotFound)
    expect(await admin.get(`${path}/categorySchema`)).toEqual(groupNotFound)
  })
})

describe('the schema of the organization', () => {
  const assigner =
    (role: string): FindCaller =>
    (portal) =>
      portal.user('assigner', role)
  const withPrivilege =
    (...privileges: string[]): FindCaller =>
    async (portal) => {
      const admin = await portal.admin()
      return admin.invite('assigner', await admin.createRole('Curators', privileges))
    }

  test.each([
    { who: 'a default administrator', find: assigner('org_admin'), assign: success, remove: success },
    {
      who: 'a custom role with portal:admin:updateItemCategorySchema',
      find: withPrivilege('portal:admin:updateItemCategorySchema'),
      assign: success,
      remove: permissionDenied,
    },
    {
      who: 'a custom role with other privileges',
      find: withPrivilege('portal:admin:categorizeItems'),
      assign: permissionDenied,
      remove: permissionDenied,
    },
    { who: 'a publisher', find: assigner('org_publisher'), assign: permissionDenied, remove: permissionDenied },
    { who: 'a user', find: assigner('org_user'), assign: permissionDenied, remove: permissionDenied },
    { who: 'a viewer', find: assigner('org_viewer'), assign: permissionDenied, remove: permissionDenied },
    {
      who: 'an administrator of another one',
      find: (portal: TestPortal) => portal.otherOrganization(),
      assign: resourceNotFound,
      remove: resourceNotFound,
    },
    { who: 'nobody', find: (portal: TestPortal) => portal.anonymous, assign: tokenRequired, remove: tokenRequired },
  ])('$who wants to assign and delete it', async ({ find, assign, remove }) => {
    await using portal = await startPortal()
    const { path } = await openHolder(portal, 'organization')
    const caller = await find(portal)
    expect(await caller.post(`${path}/assignCategorySchema`, { categorySchema: plainSchema })).toEqual(assign)
    const ifRefused = assign === success ? invalidSchema : assign
    expect(await caller.post(`${path}/assignCategorySchema`, { categorySchema: 'nonsense' })).toMatchObject(ifRefused)
    expect(await caller.post(`${path}/deleteCategorySchema`)).toEqual(remove)
  })

  test('whoever may not delete it is not told whether there is one', async () => {
    await using portal = await startPortal()
    const { path } = await openHolder(portal, 'organization')
    const user = await portal.user('somebody')
    expect(await user.post(`${path}/deleteCategorySchema`)).toEqual(permissionDenied)
  })

  test('an unknown organization has none', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    for (const operation of ['assignCategorySchema', 'deleteCategorySchema', 'categorySchema']) {
      expect(await admin.post(`/portals/abcdefgh12345678/${operation}`)).toEqual(resourceNotFound)
    }
  })

  test.each([
    { who: 'a viewer', access: 'private', sees: plainSchema },
    { who: 'an outsider', access: 'private', sees: resourceNotFound },
    { who: 'an outsider', access: 'public', sees: plainSchema },
    { who: 'nobody', access: 'private', sees: tokenRequired },
    { who: 'nobody', access: 'public', sees: plainSchema },
  ])('$who reads that of one with access $access', async ({ who, access, sees }) => {
    await using portal = await startPortal()
    const holder = await openHolder(portal, 'organization')
    await holder.assign(plainSchema)
    await holder.client.post(`${holder.path}/update`, { access })
    const caller =
      who === 'nobody'
        ? portal.anonymous
        : who === 'an outsider'
          ? await portal.otherOrganization()
          : await portal.user('viewer', 'org_viewer')
    expect(await caller.get(`${holder.path}/categorySchema`)).toEqual(sees)
  })
})
