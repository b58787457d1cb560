import { expect, test } from 'vitest'
import { type Client, startPortal } from '../../support/portal/portal.ts'

const browser = { accept: 'text/html,application/xhtml+xml' }

const anItem = {
  title: 'Rhine',
  type: 'Web Map',
  tags: 'water,alps',
  snippet: 'From <source> to sea',
  extent: '[[5,46],[11,52]]',
  properties: '{"length":1233}',
}

async function formOf(client: Client, url: string): Promise<string> {
  const token = client.token === undefined ? {} : { 'x-esri-authorization': `Bearer ${client.token}` }
  return (await client.portal.inject({ url, headers: { ...browser, ...token } })).body
}

async function sendForm(client: Client, url: string, fields: Readonly<Record<string, string>>): Promise<string> {
  const headers = {
    ...browser,
    'x-esri-authorization': `Bearer ${client.token}`,
    'content-type': 'application/x-www-form-urlencoded',
  }
  const payload = new URLSearchParams(fields).toString()
  return (await client.portal.inject({ method: 'POST', url, headers, payload })).body
}

test('the form of an assign has the present schema and its version, for those who may assign it', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const { id } = await admin.createGroup('Lakes', { access: 'org' })
  const path = `/community/groups/${id}/assignCategorySchema`
  expect(await formOf(admin, path)).toMatch(/<textarea class="json" id="parameter-categorySchema"[^>]*>\n<\/textarea>/)
  await admin.post(path, { categorySchema: '{"categorySchema":[{"title":"<b>&amp;"}]}' })
  const form = await formOf(admin, path)
  expect(form).toContain('&quot;title&quot;: &quot;&lt;b&gt;&amp;amp;&quot;')
  expect(form).toMatch(/id="parameter-ifVersion"[^>]* value="1"/)
  expect(await formOf(portal.anonymous, path)).not.toContain('&quot;title&quot;')
})

test('what was filled in is not replaced unseen where another user was faster', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const { id } = await admin.createGroup('Lakes')
  const path = `/community/groups/${id}/assignCategorySchema`
  const schemaOf = (title: string) => `{"categorySchema":[{"title":"${title}"}]}`
  await admin.post(path, { categorySchema: schemaOf('First') })
  await admin.post(path, { categorySchema: schemaOf('Second') })
  const page = await sendForm(admin, path, { categorySchema: schemaOf('Mine'), ifVersion: '1' })
  expect(page).toContain('data-outcome="409"')
  expect(await admin.get(`/community/groups/${id}/categorySchema`)).toEqual(JSON.parse(schemaOf('Second')))
})

test('the form of an update has what is there, and no more than the caller may read', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const { id } = await admin.createGroup('Lakes', { tags: 'water,alps', snippet: 'All "lakes"' })
  const form = await formOf(admin, `/community/groups/${id}/update`)
  expect(form).toMatch(/id="parameter-title"[^>]* value="Lakes"/)
  expect(form).toMatch(/id="parameter-tags"[^>]* value="water,alps"/)
  expect(form).toContain('All &quot;lakes&quot;')
  const stranger = await admin.invite('anna')
  expect(await formOf(stranger, `/community/groups/${id}/update`)).not.toContain('water,alps')
})

test('the form of an update of an item has its texts, its lists, and what is written as JSON', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const { id } = await admin.post('/content/users/admin/addItem', anItem)
  const form = await formOf(admin, `/content/users/admin/items/${id}/update`)
  expect(form).toMatch(/id="parameter-title"[^>]* value="Rhine"/)
  expect(form).toMatch(/id="parameter-tags"[^>]* value="water,alps"/)
  expect(form).toContain('From &lt;source&gt; to sea')
  expect(form).toContain('[[5,46],[11,52]]')
  expect(form).toContain('{&quot;length&quot;:1233}')
})

test('sent as it is filled in, the form of an update changes nothing and is not refused', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const { id } = await admin.createGroup('Lakes', { tags: 'water' })
  const { collaboration } = await admin.post('/portals/self/createCollaboration', {
    name: 'Rivers',
    workspaceName: 'Water',
    accessMode: 'sendAndReceive',
  })
  const roleId = await admin.createRole('Keeper', ['portal:user:createGroup'])
  const item = await admin.post('/content/users/admin/addItem', anItem)
  const paths = [
    [`/community/groups/${id}`, 'update'],
    [`/content/items/${item.id}`, `../../users/admin/items/${item.id}/update`],
    ['/portals/self', 'update'],
    ['/community/users/admin', 'update'],
    [`/portals/self/roles/${roleId}`, 'update'],
    [`/portals/self/roles/${roleId}/privileges`, '../setPrivileges'],
    [`/portals/self/collaborations/${collaboration.id}`, 'updateInfo'],
  ] as const
  for (const [resource, operation] of paths) {
    const path = new URL(`${resource}/${operation}`, 'http://localhost').pathname
    const before = await admin.get(resource)
    const page = await sendForm(admin, path, fieldsOf(await formOf(admin, path)))
    expect([path, /<h2 id="answer-heading"[^>]*>([^<]*)/.exec(page)?.[1]]).toEqual([path, 'Done'])
    const { modified: _, ...after } = await admin.get(resource)
    expect(before).toMatchObject(after)
  }
})

/** The fields of a form as a browser sends them, without the empty ones. */
function fieldsOf(page: string): Readonly<Record<string, string>> {
  const [, form = ''] = /<form class="call"[^>]*>([\s\S]*?)<\/form>/.exec(page) ?? []
  const inputs = [...form.matchAll(/<input ([^>]*)>/g)].map(([, attributes = '']) => attributes)
  const sent = inputs.filter((input) => !/type="checkbox"/.test(input) || / checked/.test(input))
  const attribute = (input: string, name: string) => new RegExp(`(?:^| )${name}="([^"]*)"`).exec(input)?.[1] ?? ''
  const texts = sent.map((input) => [attribute(input, 'name'), attribute(input, 'value')])
  const selects = [...form.matchAll(/<select [^>]*name="([^"]*)"[^>]*>([\s\S]*?)<\/select>/g)].map(
    ([, name, options]) => [name!, /<option value="([^"]*)" selected>/.exec(options!)?.[1] ?? ''],
  )
  return Object.fromEntries([...texts, ...selects].filter(([name, value]) => name !== '' && value !== ''))
}

test('privileges are boxes with what they allow; those of the role are ticked, and none can be', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const roleId = await admin.createRole('Keeper', ['portal:user:createGroup'])
  const path = `/portals/self/roles/${roleId}/setPrivileges`
  const form = await formOf(admin, path)
  expect(form).toContain(
    'name="privileges.portal:user:createGroup" value="on" checked> portal:user:createGroup: Create groups.',
  )
  expect(form).toContain(
    'name="privileges.portal:publisher:publishTiles" value="on"> portal:publisher:publishTiles: Without effect here.',
  )
  expect(form).toContain('<input type="hidden" name="privileges." value="form">')
  const held = async () => (await admin.get(`/portals/self/roles/${roleId}/privileges`)).privileges
  const page = await sendForm(admin, path, {
    'privileges.': 'form',
    'privileges.portal:user:createItem': 'on',
    'privileges.portal:publisher:publishTiles': 'on',
  })
  expect(page).toContain('Without effect here: portal:publisher:publishTiles.')
  expect(await held()).toEqual(['portal:user:createItem', 'portal:publisher:publishTiles'])
  await sendForm(admin, path, { 'privileges.': 'form' })
  expect(await held()).toEqual([])
  const refused = await sendForm(admin, path, { 'privileges.nonsense': 'on' })
  expect(refused).toContain('privileges: /privileges/0 is not a privilege.')
  // What a link says of the boxes does not count.
  expect(await formOf(admin, `${path}?privileges.portal:user:createItem=on`)).not.toMatch(/checked>/)
})

test('workspaces are offered by name, custom roles too', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const { collaboration } = await admin.post('/portals/self/createCollaboration', {
    name: 'Rivers',
    workspaceName: 'Water <b>',
    accessMode: 'sendAndReceive',
  })
  const path = `/portals/self/collaborations/${collaboration.id}`
  const [{ id }] = (await admin.get(`${path}/workspaces`)).workspaces
  const name = `collaborationWorkspacesParticipantConfigJSON.${id}`
  const form = await formOf(admin, `${path}/inviteParticipant`)
  expect(form).toContain('<label>Water &lt;b&gt;')
  expect(form).not.toContain('type="hidden" name="collaborationWorkspaces')
  expect(form).toContain(
    `<select name="${name}"><option value="">not included</option><option value="send">send</option>`,
  )
  const answer = await sendForm(admin, `${path}/inviteParticipant`, {
    guestPortalUrl: 'https://guest.example.com',
    [name]: 'receive',
  })
  expect(JSON.parse(answer).invitationRequest.collaborationWorkspaces).toMatchObject([{ id, accessMode: 'receive' }])
  const roleId = await admin.createRole('Keeper', [])
  expect(await formOf(admin, '/portals/self/updateUserRole')).toContain(`<option value="${roleId}">Keeper</option>`)
})

test('the form of an invitation has fields for one person, with the roles by their names, and keeps all but the password', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const roleId = await admin.createRole('Keeper', [])
  const path = '/portals/self/invite'
  const form = await formOf(admin, path)
  const named = [...form.matchAll(/name="invitationList\.(\w+)"/g)].map(([, name]) => name)
  expect(named).toEqual(['username', 'firstname', 'lastname', 'email', 'role', 'password'])
  expect(form).toContain(`<option value="${roleId}">Keeper</option>`)
  expect(form).toContain('invitationList as JSON, in place of these fields')
  const person = {
    'invitationList.username': 'maria',
    'invitationList.firstname': 'Maria',
    'invitationList.lastname': 'Rossi',
    'invitationList.email': '',
    'invitationList.role': roleId,
    'invitationList.password': 'correct horse battery',
    invitationList: '',
  }
  const tooLong = { ...person, 'invitationList.firstname': 'M'.repeat(1_000), f: 'html' }
  const refused = await sendForm(admin, path, tooLong)
  expect(refused).toContain('/invitations/0/firstname has 1000 characters')
  expect(refused).toMatch(/name="invitationList\.lastname" value="Rossi"/)
  expect(refused).toContain(`<option value="${roleId}" selected>Keeper</option>`)
  expect(refused).not.toContain('correct horse')
  const short = await sendForm(admin, path, { ...person, 'invitationList.password': 'short', f: 'html' })
  expect(short).toContain('maria: The password has 5 characters; 8 to 128 are allowed.')
  expect(JSON.parse(await sendForm(admin, path, { ...person, f: 'json' }))).toEqual({ success: true, notInvited: [] })
  expect(await admin.get('/community/users/maria')).toMatchObject({ fullName: 'Maria Rossi', roleId })
  const nothing = Object.fromEntries(Object.keys(person).map((name) => [name, '']))
  expect(await sendForm(admin, path, nothing)).toContain('invitationList: give a value.')
})
