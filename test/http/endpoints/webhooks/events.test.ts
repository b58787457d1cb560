import { HookReader } from '../../../support/portal/hook-reader.ts'
import { test as base, describe, expect } from '../../../support/portal/test.ts'

/** With a webhook of the administrator that asks for everything, sign-ins too. */
const test = base.extend('hook', ({ admin, anna: _ }) => HookReader.make(admin, '/,/users/signIn'))

const schemaOf = (...titles: readonly string[]) => ({
  categorySchema: [{ title: 'Categories', categories: titles.map((title) => ({ title })) }],
})

describe('an event reports', () => {
  test('of a group: its making, what changed, its protection, its owner, its end', async ({ admin, hook }) => {
    const { id } = await admin.createGroup('Lakes')
    const path = `/community/groups/${id}`
    await admin.post(`${path}/update`, { title: 'Rivers', snippet: 'All', leavingDisallowed: 'true' })
    await admin.post(`${path}/update`, { title: 'Rivers' })
    await admin.post(`${path}/protect`)
    await admin.post(`${path}/protect`)
    await admin.post(`${path}/unprotect`)
    await admin.post(`${path}/reassign`, { targetUsername: 'anna' })
    await admin.post(`${path}/delete`)
    const of = { title: 'Rivers', owner: 'admin' }
    expect(await hook.reported()).toEqual([
      ['group add', id, { title: 'Lakes', owner: 'admin' }],
      ['group update', id, { ...of, changed: ['title', 'snippet', 'leavingDisallowed'] }],
      ['group protect', id, of],
      ['group unprotect', id, of],
      ['group reassign', id, { title: 'Rivers', owner: 'anna', previousOwner: 'admin' }],
      ['group delete', id, { title: 'Rivers', owner: 'anna' }],
    ])
  })

  test('of members: who came and went, and how', async ({ admin, anna, hook }) => {
    const { id } = await admin.createGroup('Open', { isInvitationOnly: 'false', access: 'org' })
    const path = `/community/groups/${id}`
    await hook.fetch()
    await anna.post(`${path}/join`)
    await anna.post(`${path}/leave`)
    await admin.post(`${path}/invite`, { users: 'anna,nobody', role: 'group_member', expiration: '60' })
    const { userInvitations } = await anna.get('/community/users/anna/invitations')
    await anna.post(`/community/users/anna/invitations/${userInvitations[0].id}/accept`)
    await admin.post(`${path}/updateUsers`, { admins: 'anna' })
    await admin.post(`${path}/removeUsers`, { users: 'anna' })
    await admin.post(`${path}/addUsers`, { users: 'anna' })
    await admin.post(`${path}/addUsers`, { users: 'anna' })
    const of = { title: 'Open', owner: 'admin', usernames: ['anna'] }
    expect(await hook.reported()).toEqual([
      ['group addUsers', id, { ...of, reason: 'join' }],
      ['group removeUsers', id, { ...of, reason: 'leave' }],
      ['group invite', id, of],
      ['group addUsers', id, { ...of, reason: 'accept' }],
      ['group updateUsers', id, of],
      ['group removeUsers', id, of],
      ['group addUsers', id, of],
    ])
  })

  test('of an item: what changed of it, and with whom it is shared', async ({ admin, anna, hook }) => {
    const { id: groupId } = await admin.createGroup('Maps')
    await admin.post('/portals/self/assignCategorySchema', schemaOf('Water', 'Land'))
    await hook.fetch()
    const { id } = await admin.post('/content/users/admin/addItem', { title: 'Lake', type: 'Web Map', text: '{}' })
    const own = `/content/users/admin/items/${id}`
    await admin.post(`${own}/update`, { title: 'Lakes', tags: 'a,b', text: '{"a":1}' })
    await admin.post(`${own}/update`, { title: 'Lakes', tags: 'a,b', text: '{"a":1}' })
    await admin.post('/content/updateItems', { items: [{ [id]: { categories: ['/Categories/Water'] } }] })
    await admin.post(`${own}/share`, { org: 'true', groups: groupId })
    await admin.post(`${own}/share`, { org: 'true', groups: groupId })
    await admin.post(`${own}/unshare`, { groups: groupId })
    await admin.post(`${own}/protect`)
    await admin.post(`${own}/unprotect`)
    await admin.post(`${own}/reassign`, { targetUsername: 'anna' })
    await anna.post(`/content/users/anna/items/${id}/delete`)
    const of = { title: 'Lakes', type: 'Web Map', owner: 'admin' }
    expect(await hook.reported()).toEqual([
      ['item add', id, { ...of, title: 'Lake' }],
      ['item update', id, { ...of, changed: ['title', 'tags', 'text'] }],
      [
        'item update',
        id,
        { ...of, changed: ['categories'], categories: { added: ['/Categories/Water'], removed: [] } },
      ],
      ['item share', id, { ...of, access: 'org', groups: [groupId] }],
      ['item unshare', id, { ...of, access: 'org', groups: [groupId] }],
      ['item protect', id, of],
      ['item unprotect', id, of],
      ['item reassign', id, { ...of, owner: 'anna', previousOwner: 'admin' }],
      ['item delete', id, { ...of, owner: 'anna' }],
    ])
  })

  test('of categories of a group, an event an item, in deliveries of 100', async ({ admin, hook }) => {
    const { id: groupId } = await admin.createGroup('Maps')
    await admin.post(`/community/groups/${groupId}/assignCategorySchema`, schemaOf('Water'))
    const ids: string[] = []
    for (let at = 0; at < 3; at += 1) {
      const { id } = await admin.post('/content/users/admin/addItem', { title: `Map ${at}`, type: 'Web Map' })
      await admin.post(`/content/items/${id}/share`, { groups: groupId })
      ids.push(id)
    }
    await hook.fetch()
    const items = ids.map((id) => ({ [id]: ['/Categories/Water'] }))
    await admin.post(`/content/groups/${groupId}/updateCategories`, { items })
    const [delivery, ...others] = await hook.fetch()
    expect(others).toEqual([])
    expect(delivery.events.map(({ id }: { id: string }) => id).toSorted()).toEqual(ids.toSorted())
    expect(delivery.events[0]).toMatchObject({
      operation: 'updateCategories',
      source: 'items',
      properties: { groupId, categories: { added: ['/Categories/Water'], removed: [] } },
    })
  })

  test('of a schema: its version, what changed, and where to read it', async ({ portal, admin, hook }) => {
    const { id } = await admin.createGroup('Lakes')
    const path = `/community/groups/${id}`
    await hook.fetch()
    await admin.post(`${path}/assignCategorySchema`, schemaOf('Water', 'Land'))
    await admin.post(`${path}/assignCategorySchema`, { ...schemaOf('Waters', 'Land', 'Air'), comment: 'More' })
    await admin.post(`${path}/categorySchema/versions/1/restore`)
    await admin.post(`${path}/deleteCategorySchema`)
    const url = (version: number) =>
      `${portal.server.publicUrl()}/sharing/rest${path}/categorySchema/versions/${version}`
    const none = { added: 0, removed: 0, renamed: 0, moved: 0, merged: 0, changed: 0, reordered: 0 }
    const reported = await hook.reported()
    expect(reported.map(([event]) => event)).toEqual([
      'group assignCategorySchema',
      'group assignCategorySchema',
      'group assignCategorySchema',
      'group deleteCategorySchema',
    ])
    const plain = { moves: [], restoredFrom: null, comment: null }
    expect(reported.map(([, , properties]) => properties)).toEqual([
      {
        version: 1,
        previousVersion: 0,
        action: 'assign',
        ...plain,
        summary: expect.objectContaining({ added: 1 }),
        url: url(1),
      },
      {
        version: 2,
        previousVersion: 1,
        action: 'assign',
        ...plain,
        comment: 'More',
        summary: expect.any(Object),
        url: url(2),
      },
      {
        version: 3,
        previousVersion: 2,
        action: 'restore',
        ...plain,
        restoredFrom: 1,
        summary: expect.any(Object),
        url: url(3),
      },
      {
        version: 4,
        previousVersion: 3,
        action: 'delete',
        ...plain,
        summary: expect.objectContaining({ removed: 1 }),
        url: url(4),
      },
    ])
    expect(Object.keys(reported[0]![2])).toEqual([
      'version',
      'previousVersion',
      'action',
      'summary',
      'moves',
      'restoredFrom',
      'comment',
      'url',
    ])
    expect(none).toMatchObject(Object.fromEntries(Object.keys(reported[1]![2].summary).map((name) => [name, 0])))
  })

  test('of a draft: that it was proposed, sent back, published', async ({ admin, hook }) => {
    const { id } = await admin.createGroup('Lakes')
    const path = `/community/groups/${id}/categorySchema/drafts`
    await hook.fetch()
    const { draftId } = await admin.post(path, { name: 'Spring', ...schemaOf('Water') })
    await admin.post(`${path}/${draftId}/propose`, { note: 'Please look' })
    await admin.post(`${path}/${draftId}/return`, { note: 'Not yet' })
    await admin.post(`${path}/${draftId}/publish`)
    const of = { draft: 'Spring', draftId, reviewer: null }
    expect(await hook.reported()).toEqual([
      ['group proposeSchemaDraft', id, { ...of, note: 'Please look' }],
      ['group returnSchemaDraft', id, { ...of, note: 'Not yet' }],
      ['group assignCategorySchema', id, expect.objectContaining({ version: 1, draft: 'Spring' })],
    ])
  })

  test('of people and roles', async ({ portal, admin, anna, hook }) => {
    await hook.fetch()
    const roleId = await admin.createRole('Cataloguer', ['portal:user:createItem'])
    await anna.post('/community/users/anna/update', { fullname: 'Anna Atlas', description: 'Maps' })
    await admin.post('/portals/self/updateUserRole', { user: 'anna', role: roleId })
    await admin.post('/community/users/anna/disable')
    await admin.post('/community/users/anna/disable')
    await admin.post('/portals/self/enableUsers', { users: 'anna' })
    await portal.signIn('anna', 'correct horse battery staple')
    await admin.post('/community/users/anna/delete')
    await admin.post(`/portals/self/roles/${roleId}/update`, { name: 'Curator' })
    await admin.post(`/portals/self/roles/${roleId}/delete`)
    const reported = await hook.reported()
    const annaId = reported[2]![1]
    expect(reported).toEqual([
      ['role add', roleId, { name: 'Cataloguer', added: [], removed: [] }],
      ['role setPrivileges', roleId, { name: 'Cataloguer', added: ['portal:user:createItem'], removed: [] }],
      ['user update', annaId, { username: 'anna', changed: expect.arrayContaining(['fullName', 'description']) }],
      ['user updateRole', annaId, { username: 'anna', role: roleId, previousRole: 'org_user' }],
      ['user disable', annaId, { username: 'anna' }],
      ['user enable', annaId, { username: 'anna' }],
      ['user signIn', annaId, { username: 'anna', via: 'password' }],
      ['user delete', annaId, { username: 'anna' }],
      ['role update', roleId, { name: 'Curator', added: [], removed: [] }],
      ['role delete', roleId, { name: 'Curator', added: [], removed: ['portal:user:createItem'] }],
    ])
  })

  test('of an invitation: that it was sent, and invalidated once', async ({ host, hook }) => {
    await hook.fetch()
    const { id, path } = await host.invite()
    await host.client.post(`${path}/invalidate`)
    await host.client.post(`${path}/invalidate`)
    const of = {
      invitationId: id,
      guestPortalUrl: 'https://guest.example.org/portal',
      workspaces: [{ id: host.workspaceId, accessMode: 'send' }],
      name: 'Alpine maps',
    }
    expect(await hook.reported()).toEqual([
      ['collaboration inviteParticipant', host.collaborationId, { ...of, status: 'host_created' }],
      ['collaboration invalidateInvitation', host.collaborationId, { ...of, status: 'host_invalidated' }],
    ])
  })

  test('nothing of what was refused, of drafts that are written, and of dry runs', async ({ admin, anna, hook }) => {
    const { id } = await admin.createGroup('Lakes')
    await hook.fetch()
    await anna.post(`/community/groups/${id}/update`, { title: 'Mine' })
    await admin.post(`/community/groups/${id}/assignCategorySchema`, { categorySchema: '[' })
    await admin.post(`/community/groups/${id}/assignCategorySchema`, { ...schemaOf('Water'), dryRun: 'true' })
    await admin.post(`/community/groups/${id}/categorySchema/drafts`, { name: 'Spring', ...schemaOf('Water') })
    expect(await hook.reported()).toEqual([])
  })
})

describe('a webhook', () => {
  test('gets only what it asked for, and by whom it was done', async ({ admin, anna }) => {
    const hook = await HookReader.make(admin, '/groups/add,/items/*/delete')
    const { id } = await anna.createGroup('Lakes')
    await anna.post('/content/users/anna/addItem', { title: 'Lake', type: 'Web Map' })
    const [event, ...others] = await hook.events()
    expect(others).toEqual([])
    expect(event).toMatchObject({ username: 'anna', operation: 'add', source: 'group', id })
  })

  test('of who is no administrator gets only what that person sees', async ({ admin, portal }) => {
    const role = await admin.createRole('Watcher', ['portal:admin:manageWebhooks', 'portal:user:viewOrgGroups'])
    const watcher = await admin.invite('watcher', role)
    const hook = await HookReader.make(watcher, '/')
    const seen = await admin.createGroup('Seen', { access: 'org' })
    const hidden = await admin.createGroup('Hidden')
    await admin.post(`/community/groups/${hidden.id}/delete`)
    await admin.post(`/community/groups/${seen.id}/delete`)
    expect((await hook.reported()).map(([event, id]) => [event, id])).toEqual([
      ['group add', seen.id],
      ['group delete', seen.id],
    ])
    expect(portal).toBeDefined()
  })

  test('is off from the moment at which its owner may no longer manage webhooks', async ({ admin }) => {
    const other = await HookReader.make(admin, '/webhooks', 'Other')
    const role = await admin.createRole('Watcher', ['portal:admin:manageWebhooks'])
    const watcher = await admin.invite('watcher', role)
    const hook = await HookReader.make(watcher, '/')
    await admin.post(`/portals/self/roles/${role}/setPrivileges`, { privileges: { privileges: [] } })
    expect(await admin.get(`/portals/self/webhooks/${hook.id}`)).toMatchObject({
      isActive: false,
      deactivatedBecause: 'Its owner may no longer manage webhooks.',
    })
    expect(await other.reported()).toEqual([
      [
        'webhook deactivated',
        hook.id,
        { name: 'Reader', reason: 'owner', sentence: 'Its owner may no longer manage webhooks.' },
      ],
    ])
  })
})
