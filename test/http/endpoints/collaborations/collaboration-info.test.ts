import { hostCollaboration } from '../../../support/portal/collaboration-host.ts'
import { resourceNotFound } from '../../../support/portal/envelopes.ts'
import { Guest } from '../../../support/portal/handshake.ts'
import { type Body, startOfTests } from '../../../support/portal/portal.ts'
import { describe, expect, test } from '../../../support/portal/test.ts'

const contact = { hostContactFirstname: '', hostContactLastname: '', hostContactEmailAddress: '' }

describe('updateInfo', () => {
  test.for([
    [{ name: 'Renamed' }, { name: 'Renamed' }],
    [{ description: 'New' }, { description: 'New' }],
    [{ description: '' }, { description: '' }],
    [{ config: { color: 'red' } }, { config: { ...contact, color: 'red' } }],
    [
      { name: 'Renamed', description: 'New' },
      { name: 'Renamed', description: 'New' },
    ],
    [{ config: '' }, {}],
    [{}, {}],
  ] as const)('%o leaves the rest', async ([parameters, expected], { portal }) => {
    const host = await hostCollaboration(portal, undefined, { description: 'Maps', config: { color: 'green' } })
    const before = await host.client.get(host.path)
    portal.clock.now += 5
    expect(await host.client.post(`${host.path}/updateInfo`, parameters)).toEqual({ success: true })
    expect(await host.client.get(host.path)).toEqual({ ...before, ...expected, modified: startOfTests + 5 })
  })

  test('a guest learns of it by its next invitation', async ({ portal, host }) => {
    const guest = new Guest(await portal.otherOrganization())
    await host.admit(guest)
    await host.client.post(`${host.path}/updateInfo`, { name: 'Renamed' })
    expect(await guest.client.get(host.path)).toMatchObject({ name: 'Alpine maps' })
    const { text } = await host.invite({ guestPortalUrl: portal.server.publicUrl() })
    await guest.accept(text)
    expect(await guest.client.get(host.path)).toMatchObject({ name: 'Renamed' })
  })
})

describe('delete', () => {
  test('a collaboration goes with everything below it', async ({ portal, host }) => {
    const other = await hostCollaboration(portal, host.client)
    const guest = new Guest(await portal.otherOrganization())
    const guestPortalId = await host.admit(guest)
    const invitation = await host.invite({ guestPortalUrl: portal.server.publicUrl() })
    expect(await host.client.post(`${host.path}/delete`)).toEqual({ success: true })
    const workspace = `/workspaces/${host.workspaceId}`
    for (const below of ['', '/workspaces', workspace, '/participants', `/participants/${guestPortalId}`]) {
      expect(await host.client.get(`${host.path}${below}`)).toEqual(resourceNotFound)
    }
    for (const below of ['/invitations', `/invitations/${invitation.id}`, '/delete', '/updateInfo']) {
      expect(await host.client.post(`${host.path}${below}`)).toEqual(resourceNotFound)
    }
    const { collaborations } = await host.client.get('/portals/self/collaborations')
    expect(collaborations.map(({ id }: Body) => id)).toEqual([other.collaborationId])
    // The guest's record is its own, until it leaves.
    expect(await guest.client.get(host.path)).toMatchObject({ id: host.collaborationId })
    expect(await guest.client.post(`${host.path}/removeParticipation`)).toEqual({ success: true })
    expect(await guest.client.get(host.path)).toEqual(resourceNotFound)
  })
})

describe('hosted and joined', () => {
  test('a guest lists what it has joined among what it hosts, newest first, page by page', async ({ portal }) => {
    const guest = new Guest(await portal.otherOrganization())
    const { id: hostPortalId } = await (await portal.admin()).get('/portals/self')
    for (const [number, hosts] of [true, false, true, false].entries()) {
      portal.clock.now += 1
      const name = `${number + 1}`
      if (hosts) await hostCollaboration(portal, guest.client, { name })
      else {
        const host = await hostCollaboration(portal, undefined, {
          name,
          description: 'joined',
          hostContactFirstname: 'Anna',
          config: { color: 'green' },
        })
        await host.admit(guest)
      }
    }
    const page = async (start: number, num: number) => {
      const answer = await guest.client.get('/portals/self/collaborations', { start, num })
      return [answer.total, answer.nextStart, answer.collaborations.map(({ name }: Body) => name).join()]
    }
    expect(await page(1, 10)).toEqual([4, -1, '4,3,2,1'])
    expect(await page(1, 3)).toEqual([4, 4, '4,3,2'])
    expect(await page(4, 3)).toEqual([4, -1, '1'])
    const { collaborations } = await guest.client.get('/portals/self/collaborations')
    const config = { ...contact, hostContactFirstname: 'Anna' }
    expect(collaborations[0]).toMatchObject({ collaborationHostPortalId: hostPortalId, config })
    for (const collaboration of collaborations) {
      expect(await guest.client.get(`/portals/self/collaborations/${collaboration.id}`)).toEqual(collaboration)
    }
    await guest.client.post(`/portals/self/collaborations/${collaborations[0].id}/removeParticipation`)
    expect(await page(1, 10)).toEqual([3, -1, '3,2,1'])
  })
})

test('an id of a collaboration in capitals, or with more behind it, is another one', async ({ host }) => {
  for (const id of [host.collaborationId.toUpperCase(), `${host.collaborationId}%00`]) {
    // An id without letters is the same in capitals.
    if (id === host.collaborationId) continue
    expect(await host.client.get(`/portals/self/collaborations/${id}`)).toEqual(resourceNotFound)
  }
})
