import { refused } from '../../../support/portal/envelopes.ts'
import { startOfTests } from '../../../support/portal/portal.ts'
import { describe, expect, test } from '../../../support/portal/test.ts'

const hour = 3_600_000
const config = 'collaborationWorkspacesParticipantConfigJSON'

describe('inviteParticipant', () => {
  test('an address that was copied from a page or the API of the guest is that of its root', async ({ host }) => {
    for (const end of ['/home/', '/home/index.html', '/sharing/rest']) {
      const { text } = await host.invite({ guestPortalUrl: `https://guest.example.org/portal${end}` })
      expect(JSON.parse(text).invitationRequest.guestPortalUrl).toBe('https://guest.example.org/portal')
    }
  })

  test.for([{ f: 'json' }, { f: 'pjson' }, { f: 'html' }, {}])(
    'with %o it answers the file that is kept, named after the guest, to browsers too',
    async (f, { host }) => {
      const { body, headers, statusCode, rawPayload } = await host.request(f, { accept: 'text/html' })
      expect(statusCode).toBe(200)
      expect(headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'content-disposition': 'attachment; filename="collaboration-guest.example.org.invite"',
        'content-length': String(rawPayload.length),
      })
      expect(Object.keys(JSON.parse(body))).toEqual(['invitationRequest', 'hostPublicKey', 'signature'])
      const { id } = JSON.parse(body).invitationRequest
      expect((await host.client.get(`${host.path}/invitations/${id}`)).invitationString).toBe(body)
      expect(body).not.toContain('\n')
    },
  )

  test.for([
    [undefined, 72],
    ['1', 1],
    ['72', 72],
    ['73', 72],
    ['100000', 72],
  ] as const)('expiration %s gives %i hours', async ([expiration, hours], { host }) => {
    const invitation = await host.invite(expiration === undefined ? {} : { expiration })
    expect(JSON.parse(invitation.text).invitationRequest.expiration).toBe(startOfTests + hours * hour)
    expect((await host.read(invitation)).expiration).toBe(startOfTests + hours * hour)
  })

  test('the root of the guest is kept without a slash at its end, and names the file', async ({ host }) => {
    const { headers, body } = await host.request({ guestPortalUrl: ' HTTPS://Bücher.Example:7443/Karten/ ' })
    expect(headers['content-disposition']).toBe('attachment; filename="collaboration-xn--bcher-kva.example.invite"')
    expect(JSON.parse(body).invitationRequest.guestPortalUrl).toBe('https://xn--bcher-kva.example:7443/Karten')
  })

  test('the URL of this server is refused until there is another organization on it', async ({ portal, host }) => {
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

  test('a guest is invited to several workspaces, in the order of the wish', async ({ host }) => {
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
})
