import { describe, expect, test } from 'vitest'
import { groupNotFound, methodNotAllowed, refused } from '../../../support/portal/envelopes.ts'
import {
  type Body,
  type Client,
  type Parameters,
  startOfTests,
  startPortal,
  type TestPortal,
} from '../../../support/portal/portal.ts'

const hexId = expect.stringMatching(/^[0-9a-f]{32}$/)

function create(client: Client, parameters: Parameters = {}): Promise<Body> {
  return client.post('/portals/self/createCollaboration', {
    name: 'Alpine maps',
    workspaceName: 'Base maps',
    ...parameters,
  })
}

/** The first workspace of the collaboration in this answer. */
async function firstWorkspace(client: Client, { collaboration }: Body): Promise<Body> {
  const answer = await client.get(`/portals/self/collaborations/${collaboration.id}/workspaces`)
  return answer.workspaces[0]
}

async function startWithAdmin(): Promise<{ portal: TestPortal; admin: Client } & AsyncDisposable> {
  const portal = await startPortal()
  const admin = await portal.admin()
  return { portal, admin, [Symbol.asyncDispose]: () => portal[Symbol.asyncDispose]() }
}

/** A letter outside the basic plane: two UTF-16 code units. */
const summit = '🏔'

describe('createCollaboration', () => {
  test('an administrator makes a collaboration with its first workspace', async () => {
    await using world = await startWithAdmin()
    const { admin } = world
    const { id: portalId } = await admin.get('/portals/self')
    const answer = await create(admin, {
      description: 'Maps of the Alps',
      workspaceDescription: 'The sheets',
      accessMode: 'send',
      hostContactFirstname: 'Anna',
      hostContactLastname: 'Alm',
      hostContactEmailAddress: 'anna@example.com',
      config: { color: 'green' },
    })
    expect(answer).toEqual({
      success: true,
      collaboration: {
        id: hexId,
        name: 'Alpine maps',
        description: 'Maps of the Alps',
        collaborationHostPortalId: portalId,
        config: {
          hostContactFirstname: 'Anna',
          hostContactLastname: 'Alm',
          hostContactEmailAddress: 'anna@example.com',
          color: 'green',
        },
        created: startOfTests,
        modified: startOfTests,
      },
    })
    expect(await firstWorkspace(admin, answer)).toEqual({
      id: hexId,
      name: 'Base maps',
      description: 'The sheets',
      collaborationId: answer.collaboration.id,
      config: {},
      created: startOfTests,
      modified: startOfTests,
      participantGroupLinks: [],
      participantsWithoutGroupLinks: [{ portalId, accessMode: 'send' }],
    })
  })

  test('a name for it and for its workspace is enough', async () => {
    await using world = await startWithAdmin()
    const answer = await create(world.admin)
    expect(answer.collaboration).toMatchObject({
      description: '',
      config: { hostContactFirstname: '', hostContactLastname: '', hostContactEmailAddress: '' },
    })
    expect(await firstWorkspace(world.admin, answer)).toMatchObject({ description: '' })
  })

  test('the portal is its host and first participant', async () => {
    await using world = await startWithAdmin()
    const { id: portalId } = await world.admin.get('/portals/self')
    const { collaboration } = await create(world.admin)
    const { participants } = await world.admin.get(`/portals/self/collaborations/${collaboration.id}/participants`)
    expect(participants).toMatchObject([
      { portalInfo: { id: portalId, url: 'https://maps.example.com/portal' }, collaborationRole: 'Host' },
    ])
  })

  test.each([
    ['name', 100],
    ['description', 250],
    ['workspaceName', 100],
    ['workspaceDescription', 250],
    ['hostContactFirstname', 128],
    ['hostContactLastname', 128],
  ])('%s holds %i characters and not one more, counted as UTF-16 code units', async (parameter, max) => {
    await using world = await startWithAdmin()
    const { admin } = world
    expect(await create(admin, { [parameter]: 'x'.repeat(max) })).toMatchObject({ success: true })
    expect(await create(admin, { [parameter]: summit.repeat(max / 2) })).toMatchObject({ success: true })
    const tooLong = (length: number) =>
      refused('create collaboration', `${parameter}: has ${length} characters; at most ${max} are allowed.`)
    expect(await create(admin, { [parameter]: 'x'.repeat(max + 1) })).toEqual(tooLong(max + 1))
    expect(await create(admin, { [parameter]: `${summit.repeat(max / 2)}x` })).toEqual(tooLong(max + 1))
    expect((await admin.get('/portals/self/collaborations')).total).toBe(2)
  })

  test('the e-mail address of the contact is one, of at most 128 characters, or none', async () => {
    await using world = await startWithAdmin()
    const name = 'hostContactEmailAddress'
    for (const [email, kept] of [
      [`${'x'.repeat(116)}@example.com`, `${'x'.repeat(116)}@example.com`],
      [' anna@example.com ', 'anna@example.com'],
      [' ', ''],
    ] as const) {
      const { collaboration } = await create(world.admin, { [name]: email })
      expect(collaboration.config).toMatchObject({ [name]: kept })
    }
    for (const [email, problem] of [
      [`${'x'.repeat(117)}@example.com`, 'has 129 characters; at most 128 are allowed.'],
      ['anna', 'is not an e-mail address.'],
      ['anna@example.com, bo@example.com', 'is not an e-mail address.'],
    ] as const) {
      expect(await create(world.admin, { [name]: email })).toEqual(
        refused('create collaboration', `${name}: ${problem}`),
      )
    }
  })

  test.each(['name', 'workspaceName'])('%s has to be given', async (parameter) => {
    await using world = await startWithAdmin()
    for (const value of ['', '   ', '\t\n']) {
      expect(await create(world.admin, { [parameter]: value })).toEqual(
        refused('create collaboration', `${parameter}: give a value.`),
      )
    }
    const other = parameter === 'name' ? 'workspaceName' : 'name'
    expect(await world.admin.post('/portals/self/createCollaboration', { [other]: 'x' })).toEqual(
      refused('create collaboration', `${parameter}: give a value.`),
    )
  })

  test('everything that is wrong is reported together, and nothing is made', async () => {
    await using world = await startWithAdmin()
    const answer = await create(world.admin, { name: '', accessMode: 'write', config: '[]', description: 'a\u0000b' })
    expect(answer).toEqual(
      refused(
        'create collaboration',
        'name: give a value.',
        'description: has a control character.',
        'accessMode: has to be one of send, receive, sendAndReceive.',
        'config: is not a JSON object.',
      ),
    )
    expect((await world.admin.get('/portals/self/collaborations')).total).toBe(0)
  })

  test.each([
    ['send', 'send'],
    ['receive', 'receive'],
    ['sendAndReceive', 'sendAndReceive'],
    ['SENDANDRECEIVE', 'sendAndReceive'],
    ['', 'sendAndReceive'],
    [undefined, 'sendAndReceive'],
  ])('the host’s accessMode %s is %s', async (given, accessMode) => {
    await using world = await startWithAdmin()
    const answer = await create(world.admin, given === undefined ? {} : { accessMode: given })
    const { participantsWithoutGroupLinks } = await firstWorkspace(world.admin, answer)
    expect(participantsWithoutGroupLinks).toMatchObject([{ accessMode }])
  })

  test('texts of every script stay as they are', async () => {
    await using world = await startWithAdmin()
    const texts = { name: `Łódź ${summit} 日本 "quoted" \\ %_ `, description: 'two\nlines\tand a tab' }
    const { collaboration } = await create(world.admin, texts)
    expect(collaboration).toMatchObject(texts)
    expect(await world.admin.get(`/portals/self/collaborations/${collaboration.id}`)).toMatchObject(texts)
  })

  test('GET is refused', async () => {
    await using world = await startWithAdmin()
    const parameters = { name: 'Alpine maps', workspaceName: 'Base maps' }
    expect(await world.admin.get('/portals/self/createCollaboration', parameters)).toEqual(methodNotAllowed)
    expect((await world.admin.get('/portals/self/collaborations')).total).toBe(0)
  })
})

describe('the group of the host', () => {
  test('a group of the portal is linked to the workspace', async () => {
    await using world = await startWithAdmin()
    const { id: portalId } = await world.admin.get('/portals/self')
    const { id } = await world.admin.createGroup('Maps')
    const answer = await create(world.admin, { portalGroupId: id, accessMode: 'receive' })
    expect(await firstWorkspace(world.admin, answer)).toMatchObject({
      participantGroupLinks: [{ portalId, portalGroupId: id, accessMode: 'receive' }],
      participantsWithoutGroupLinks: [],
    })
  })

  test('an empty portalGroupId is none', async () => {
    await using world = await startWithAdmin()
    const answer = await create(world.admin, { portalGroupId: '' })
    expect((await firstWorkspace(world.admin, answer)).participantGroupLinks).toEqual([])
  })

  test('an unknown group, one of another organization and one that the caller may not see are all alike', async () => {
    await using world = await startWithAdmin()
    const { portal, admin } = world
    const outsider = await portal.otherOrganization()
    const elsewhere = await outsider.createGroup('Seas', { access: 'public' })
    const hidden = await admin.createGroup('Hidden', { access: 'private' })
    const role = await admin.createRole('Networker', ['portal:admin:manageCollaborations'])
    const networker = await admin.invite('networker', role)
    expect(await create(admin, { portalGroupId: 'f'.repeat(32) })).toEqual(groupNotFound)
    expect(await create(admin, { portalGroupId: elsewhere.id })).toEqual(groupNotFound)
    expect(await create(networker, { portalGroupId: hidden.id })).toEqual(groupNotFound)
    expect((await admin.get('/portals/self/collaborations')).total).toBe(0)
    expect(await create(admin, { portalGroupId: hidden.id })).toMatchObject({ success: true })
  })
})

describe('the client’s own settings', () => {
  const contact = { hostContactFirstname: '', hostContactLastname: '', hostContactEmailAddress: '' }

  test.each([
    '{"a":{"b":[1,2.5,true,null,"ä"]},"":""}',
    '{"__proto__":{"polluted":true},"constructor":1}',
    '{"big":12345678901234567890,"list":[9007199254740993,-0,1.0,1e400]}',
  ])('%s is kept and given back, to the digit', async (config) => {
    await using world = await startWithAdmin()
    const { portal, admin } = world
    const { collaboration } = await create(admin, { config })
    const response = await portal.inject({
      url: `/portals/self/collaborations/${collaboration.id}?f=json`,
      headers: { 'x-esri-authorization': `Bearer ${admin.token}` },
    })
    const expected = `{${JSON.stringify(contact).slice(1, -1)},${config.slice(1)}`
    expect(response.body).toContain(`"config":${expected},"created"`)
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
    const page = await portal.inject({
      url: `/portals/self/collaborations/${collaboration.id}?f=html&token=${admin.token}`,
    })
    expect(page.statusCode).toBe(200)
    if (config.includes('big')) expect(page.body).toContain('12345678901234567890')
  })

  test('their text is stored as it was sent', async () => {
    await using world = await startWithAdmin()
    const config = '{ "spaced" : "out",\n\t"a": 1.50 }'
    const { collaboration } = await create(world.admin, { config })
    const stored = await world.portal.server.dependencies.storage.read(({ collaborations }) =>
      collaborations.findCollaboration(collaboration.id),
    )
    expect(stored?.config).toBe(config)
    expect(collaboration.config).toEqual({ ...contact, spaced: 'out', a: 1.5 })
  })

  test('settings of the names of the contact do not replace it', async () => {
    await using world = await startWithAdmin()
    const named = { hostContactFirstname: 'Anna', hostContactEmailAddress: 'anna@example.com' }
    const config = { hostContactFirstname: 'Mallory', hostContactEmailAddress: 'mallory@example.net', color: 'green' }
    const { collaboration } = await create(world.admin, { ...named, config })
    expect(collaboration.config).toEqual({ ...contact, ...named, color: 'green' })
  })

  test.each([
    [20, undefined],
    [21, 'config: has 21 levels; at most 20 are allowed.'],
    [3000, 'config: has 3000 levels; at most 20 are allowed.'],
  ])('%d levels of config', async (levels, problem) => {
    await using world = await startWithAdmin()
    const config = `{"a":"[\\"[","b":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`
    const answer = await create(world.admin, { config })
    if (problem) expect(answer.error.details).toEqual([problem])
    else expect(answer.collaboration.config).toMatchObject({ a: '["[' })
  })

  test.each(['[]', '"text"', '1', 'null', 'true', '{', '{"a":1,}', 'a=b'])('%s is refused', async (config) => {
    await using world = await startWithAdmin()
    expect(await create(world.admin, { config })).toEqual(
      refused('create collaboration', 'config: is not a JSON object.'),
    )
  })

  test('they hold 10000 characters and not one more', async () => {
    await using world = await startWithAdmin()
    const config = (length: number) => `{"a":"${'x'.repeat(length - 8)}"}`
    expect(await create(world.admin, { config: config(10_000) })).toMatchObject({ success: true })
    expect(await create(world.admin, { config: config(10_001) })).toEqual(
      refused('create collaboration', 'config: has 10001 characters; at most 10000 are allowed.'),
    )
  })
})
