import { describe, expect, test } from 'vitest'
import { hostCollaboration } from '../../../support/portal/collaboration-host.ts'
import { methodNotAllowed, refused } from '../../../support/portal/envelopes.ts'
import { formEncode, startOfTests, startPortal } from '../../../support/portal/portal.ts'

const hour = 3_600_000
const config = 'collaborationWorkspacesParticipantConfigJSON'

describe('inviteParticipant', () => {
  test('it answers the invitation file, named after the guest', async () => {
    await using portal = await startPortal()
    const host = await hostCollaboration(portal)
    const response = await host.request()
    expect(response.statusCode).toBe(200)
    expect(response.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': 'attachment; filename="collaboration-guest.example.org.invite"',
      'content-length': `${response.rawPayload.length}`,
    })
    expect(Object.keys(response.json())).toEqual(['invitationRequest', 'hostPublicKey', 'signature'])
  })

  test('an address that was copied from a page or the API of the guest is that of its root', async () => {
    await using portal = await startPortal()
    const host = await hostCollaboration(portal)
    for (const end of ['/home/', '/home/index.html', '/sharing/rest']) {
      const { text } = await host.invite({ guestPortalUrl: `https://guest.example.org/portal${end}` })
      expect(JSON.parse(text).invitationRequest.guestPortalUrl).toBe('https://guest.example.org/portal')
    }
  })

  test('the file says who invites whom to what, and until when', async () => {
    await using portal = await startPortal()
    const texts = { name: 'Alpine maps 🏔', description: 'Größe "1:50 000"', workspaceName: '日本' }
    const contact = {
      hostContactFirstname: 'Anna',
      hostContactLastname: 'Alm',
      hostContactEmailAddress: 'anna@example.com',
    }
    const host = await hostCollaboration(portal, undefined, { ...texts, ...contact, workspaceDescription: 'Sheets' })
    const { id: hostPortalId } = await host.client.get('/portals/self')
    portal.clock.now += 5
    const { text } = await host.invite()
    expect(JSON.parse(text).invitationRequest).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      collaborationId: host.collaborationId,
      collaborationName: texts.name,
      collaborationDescription: texts.description,
      hostPortalId,
      hostPortalName: 'Ministry of Maps',
      hostPortalUrl: 'https://maps.example.com/portal',
      ...contact,
      guestPortalUrl: 'https://guest.example.org/portal',
      collaborationWorkspaces: [
        { id: host.workspaceId, name: texts.workspaceName, description: 'Sheets', accessMode: 'send' },
      ],
      created: startOfTests + 5,
      expiration: startOfTests + 5 + 72 * hour,
    })
  })

  test.each([{ f: 'json' }, { f: 'pjson' }, { f: 'html' }, {}])(
    'with %o the bytes are those that are kept',
    async (f) => {
      await using portal = await startPortal()
      const host = await hostCollaboration(portal)
      const { body, headers } = await host.request(f)
      expect(headers['content-type']).toBe('application/json; charset=utf-8')
      expect(headers['content-disposition']).toBe('attachment; filename="collaboration-guest.example.org.invite"')
      const { id } = JSON.parse(body).invitationRequest
      expect((await host.client.get(`${host.path}/invitations/${id}`)).invitationString).toBe(body)
      expect(body).not.toContain('\n')
    },
  )

  test('a browser that asks for HTML gets the file too', async () => {
    await using portal = await startPortal()
    const host = await hostCollaboration(portal)
    const { body, headers } = await host.request({}, { accept: 'text/html' })
    expect(headers['content-disposition']).toContain('attachment')
    expect(JSON.parse(body)).toHaveProperty('signature')
  })

  test('every invitation has an id of its own, and is listed', async () => {
    await using portal = await startPortal()
    const host = await hostCollaboration(portal)
    const issued = [await host.invite(), await host.invite(), await host.invite()]
    const { total, collaborationInvitations } = await host.client.get(`${host.path}/invitations`)
    const listed = collaborationInvitations.map(({ id }: { id: string }) => id)
    expect(total).toBe(3)
    expect(new Set(listed)).toEqual(new Set(issued.map(({ id }) => id)))
  })

  test.each([
    [undefined, 72],
    ['', 72],
    ['1', 1],
    [' 24 ', 24],
    ['71', 71],
    ['72', 72],
    ['73', 72],
    ['100000', 72],
    ['9007199254740993', 72],
    ['9'.repeat(30), 72],
  ])('expiration %s gives %i hours', async (expiration, hours) => {
    await using portal = await startPortal()
    const host = await hostCollaboration(portal)
    const invitation = await host.invite(expiration === undefined ? {} : { expiration })
    expect(JSON.parse(invitation.text).invitationRequest.expiration).toBe(startOfTests + hours * hour)
    expect((await host.read(invitation)).expiration).toBe(startOfTests + hours * hour)
  })

  test.each(['0', '-1', '-9999999999999999999', '1.5', '1e2', '0x10', 'abc', '72h', 'NaN', 'Infinity'])(
    'expiration %s is refused, and nobody is invited',
    async (expiration) => {
      await using portal = await startPortal()
      const host = await hostCollaboration(portal)
      const { error } = await host.inviteBadly({ expiration })
      expect(error).toMatchObject({ code: 400, message: 'Unable to invite participant.' })
      expect(error.details).toEqual([expect.stringMatching(/^expiration: /)])
      expect((await host.client.get(`${host.path}/invitations`)).total).toBe(0)
    },
  )

  test('the root of the guest is kept without a slash at its end, and names the file', async () => {
    await using portal = await startPortal()
    const host = await hostCollaboration(portal)
    const { headers, body } = await host.request({ guestPortalUrl: ' HTTPS://Bücher.Example:7443/Karten/ ' })
    expect(headers['content-disposition']).toBe('attachment; filename="collaboration-xn--bcher-kva.example.invite"')
    expect(JSON.parse(body).invitationRequest.guestPortalUrl).toBe('https://xn--bcher-kva.example:7443/Karten')
  })

  test.each([
    'guest.example.org',
    'ftp://guest.example.org',
    'https://anna:secret@guest.example.org',
    'https://guest.example.org/?f=json',
    'https://guest.example.org/#x',
    'https://a"; filename="b.example.org',
    'https://a"b.example.org',
    `https://guest.example.org/${'x'.repeat(2048)}`,
  ])('the guest %s is refused', async (guestPortalUrl) => {
    await using portal = await startPortal()
    const host = await hostCollaboration(portal)
    expect(await host.inviteBadly({ guestPortalUrl })).toEqual(
      refused('invite participant', 'guestPortalUrl: is not an http or https URL without query, hash or user.'),
    )
  })

  test('the URL of this server is refused until there is another organization on it', async () => {
    await using portal = await startPortal()
    const host = await hostCollaboration(portal)
    const wish = { guestPortalUrl: portal.server.publicUrl() }
    const { origin, host: hostName, pathname } = new URL(wish.guestPortalUrl)
    const spellings = [wish.guestPortalUrl, `${origin.toUpperCase()}:443${pathname}/`, `${origin}${pathname}/home`]
    for (const guestPortalUrl of spellings) {
      expect(await host.inviteBadly({ guestPortalUrl })).toEqual(
        refused(
          'invite participant',
          'guestPortalUrl: is the URL of this server, and the host is the only organization on it.',
        ),
      )
    }
    const others = [`http://${hostName}${pathname}`, `${origin}${pathname.toUpperCase()}`]
    for (const guestPortalUrl of others) expect(await host.invite({ guestPortalUrl })).toHaveProperty('id')
    await portal.otherOrganization()
    expect(await host.invite(wish)).toHaveProperty('id')
  })

  test('the guest and the workspaces have to be given', async () => {
    await using portal = await startPortal()
    const host = await hostCollaboration(portal)
    expect(await host.client.post(`${host.path}/inviteParticipant`)).toEqual(
      refused('invite participant', 'guestPortalUrl: give a value.', `${config}: give a value.`),
    )
  })

  test('a guest is invited to several workspaces, in the order of the wish', async () => {
    await using portal = await startPortal()
    const host = await hostCollaboration(portal)
    const { workspace } = await host.client.post(`${host.path}/addWorkspace`, {
      collaborationWorkspaceName: 'Aerial photographs',
    })
    const second = workspace.id
    const { text } = await host.invite({
      [config]: [{ [second]: 'receive' }, { [host.workspaceId]: 'sendAndReceive' }],
    })
    expect(JSON.parse(text).invitationRequest.collaborationWorkspaces).toEqual([
      { id: second, name: 'Aerial photographs', description: '', accessMode: 'receive' },
      { id: host.workspaceId, name: 'Base maps', description: '', accessMode: 'sendAndReceive' },
    ])
  })

  test('a workspace that is unknown or of another collaboration is refused by name, and no guest is invited', async () => {
    await using portal = await startPortal()
    const host = await hostCollaboration(portal)
    const other = await hostCollaboration(portal, host.client)
    for (const workspaceId of ['f'.repeat(32), other.workspaceId, '__proto__']) {
      const wish = `[{"${host.workspaceId}":"send"},{"${workspaceId}":"send"}]`
      expect(await host.inviteBadly({ [config]: wish })).toEqual(
        refused('invite participant', `${config}: the workspace ${workspaceId} does not exist.`),
      )
    }
    expect((await host.client.get(`${host.path}/invitations`)).total).toBe(0)
  })

  test.each([
    ['{', 'is not JSON.'],
    ['[{"a":"send"},]', 'is not JSON.'],
    ['send', 'is not JSON.'],
    ['{"a":"send"}', 'give a list such as [{"<workspaceId>":"send"}].'],
    ['[]', 'names no workspace; give a list such as [{"<workspaceId>":"send"}].'],
    ['[{}]', 'names no workspace; give a list such as [{"<workspaceId>":"send"}].'],
    ['[{"a":"send"},7]', '/1 is not an object.'],
    ['[{"a":"send"},{"b":"write"}]', '/1/b is not one of send, receive, sendAndReceive.'],
    ['[{"a":"send"},{"a":"receive"}]', '/1/a names a workspace twice.'],
  ])('the workspaces %s are refused with the place', async (wish, problem) => {
    await using portal = await startPortal()
    const host = await hostCollaboration(portal)
    expect(await host.inviteBadly({ [config]: wish })).toEqual(refused('invite participant', `${config}: ${problem}`))
  })

  test('GET is refused', async () => {
    await using portal = await startPortal()
    const host = await hostCollaboration(portal)
    expect(await host.client.get(`${host.path}/inviteParticipant`, host.wish())).toEqual(methodNotAllowed)
    expect((await host.client.get(`${host.path}/invitations`)).total).toBe(0)
  })

  test('parameters in the query invite as well, and the body wins over them', async () => {
    await using portal = await startPortal()
    const host = await hostCollaboration(portal)
    const query = formEncode({ ...host.wish(), expiration: 1, guestPortalUrl: 'https://query.example.org' })
    const answer = await host.client.post(`${host.path}/inviteParticipant?${query}`, {
      guestPortalUrl: 'https://body.example.org',
    })
    expect(answer.invitationRequest).toMatchObject({
      guestPortalUrl: 'https://body.example.org',
      expiration: startOfTests + hour,
    })
  })
})
