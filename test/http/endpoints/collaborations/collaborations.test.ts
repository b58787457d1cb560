import { describe, expect, test } from 'vitest'
import {
  type Body,
  type Client,
  type Parameters,
  startPortal,
  type TestPortal,
} from '../../../support/portal/portal.ts'

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

describe('createCollaboration', () => {
  test('a collaboration and its first workspace have descriptions of their own', async () => {
    await using world = await startWithAdmin()
    const { admin } = world
    const answer = await create(admin, { description: 'Maps of the Alps', workspaceDescription: 'The sheets' })
    expect(answer.collaboration).toMatchObject({ description: 'Maps of the Alps' })
    expect(await firstWorkspace(admin, answer)).toMatchObject({ description: 'The sheets' })
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

  test('the e-mail address of the contact has at most 128 characters, none around it, or is none', async () => {
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
})

describe('the client’s own settings', () => {
  const contact = { hostContactFirstname: '', hostContactLastname: '', hostContactEmailAddress: '' }

  test.each([
    '{"a":{"b":[1,2.5,true,null,"ä"]},"":""}',
    '{"__proto__":{"polluted":true},"constructor":1}',
    '{"big":12345678901234567890,"list":[9007199254740993,-0,1.0,1e400]}',
  ])('%s is kept and given back, to the digit', async (config) => {
    await using world = await startWithAdmin()
    const { admin } = world
    const { collaboration } = await create(admin, { config })
    const response = await admin.send(`/portals/self/collaborations/${collaboration.id}?f=json`)
    const expected = `{${JSON.stringify(contact).slice(1, -1)},${config.slice(1)}`
    expect(response.body).toContain(`"config":${expected},"created"`)
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
    const page = await admin.send(`/portals/self/collaborations/${collaboration.id}?f=html`)
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
})
