import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  hostCollaboration,
  type IssuedInvitation,
  inviteNeighbour,
} from '../../../support/portal/collaboration-host.ts'
import { permissionDenied, refused, resourceNotFound } from '../../../support/portal/envelopes.ts'
import { Guest } from '../../../support/portal/handshake.ts'
import {
  type Body,
  type Parameters,
  startOfTests,
  startPortal,
  type TestPortal,
} from '../../../support/portal/portal.ts'

const hour = 3_600_000

describe('the record of an invitation', () => {
  test('it has what is documented, the time left and the history', async () => {
    await using portal = await startPortal()
    const host = await hostCollaboration(portal)
    const { id: hostPortalId } = await host.client.get('/portals/self')
    const invitation = await host.invite({ expiration: 24 })
    expect(await host.read(invitation)).toEqual({
      id: invitation.id,
      collaborationId: host.collaborationId,
      hostPortalId,
      guestPortalId: 'unknown',
      guestPortalUrl: 'https://guest.example.org/portal',
      status: 'host_created',
      config: { invitationRequestFilename: 'collaboration-guest.example.org.invite' },
      invitationString: invitation.text,
      created: startOfTests,
      modified: startOfTests,
      expiration: startOfTests + 24 * hour,
      timeLeft: 24 * hour,
      history: [{ event: 'create', from: null, to: 'host_created', username: 'admin', at: startOfTests }],
    })
  })

  test('the time left goes down with the clock, and ends at 0', async () => {
    await using portal = await startPortal()
    const host = await hostCollaboration(portal)
    const invitation = await host.invite({ expiration: 2 })
    const timeLeft = async (at: number) => {
      portal.clock.now = startOfTests + at
      const admin = await portal.admin()
      return (await admin.get(invitation.path)).timeLeft
    }
    expect(await timeLeft(hour)).toBe(hour)
    expect(await timeLeft(2 * hour - 1)).toBe(1)
    expect(await timeLeft(2 * hour)).toBe(0)
    expect(await timeLeft(100 * hour)).toBe(0)
  })

  test('an invitation that is over has no time left, however early', async () => {
    await using portal = await startPortal()
    const host = await hostCollaboration(portal)
    const { invitation: accepted, response } = await inviteNeighbour(host)
    await host.importResponse(response)
    const invalidated = await host.invite()
    await host.client.post(`${invalidated.path}/invalidate`)
    expect(await host.read(accepted)).toMatchObject({ status: 'host_accepted', timeLeft: 0 })
    expect(await host.read(invalidated)).toMatchObject({ status: 'host_invalidated', timeLeft: 0 })
  })

  test('the history has who did what when', async () => {
    await using portal = await startPortal()
    const host = await hostCollaboration(portal)
    const role = await host.client.createRole('Networker', ['portal:admin:manageCollaborations'])
    const networker = await host.client.invite('networker', role)
    const invitation = await host.invite()
    portal.clock.now += 10
    await networker.post(`${invitation.path}/refresh`)
    portal.clock.now += 10
    await host.client.post(`${invitation.path}/invalidate`)
    const { history, modified } = await host.read(invitation)
    expect(history).toEqual([
      { event: 'create', from: null, to: 'host_created', username: 'admin', at: startOfTests },
      { event: 'refresh', from: 'host_created', to: 'host_created', username: 'networker', at: startOfTests + 10 },
      { event: 'invalidate', from: 'host_created', to: 'host_invalidated', username: 'admin', at: startOfTests + 20 },
    ])
    expect(modified).toBe(startOfTests + 20)
  })

  test('an accepted invitation names the guest', async () => {
    await using portal = await startPortal()
    const host = await hostCollaboration(portal)
    const { invitation, response, guest } = await inviteNeighbour(host)
    await host.importResponse(response)
    const { id: guestPortalId } = await guest.client.get('/portals/self')
    expect(await host.read(invitation)).toMatchObject({ status: 'host_accepted', guestPortalId })
  })

  test('POST reads it as GET does', async () => {
    await using portal = await startPortal()
    const host = await hostCollaboration(portal)
    const invitation = await host.invite()
    expect(await host.client.post(invitation.path)).toEqual(await host.read(invitation))
    expect(await host.client.post(`${host.path}/invitations`)).toEqual(
      await host.client.get(`${host.path}/invitations`),
    )
  })
})

describe('the list of invitations', () => {
  test('it is newest first and pages; its records lack only the time left and the history', async () => {
    await using portal = await startPortal()
    const host = await hostCollaboration(portal)
    const issued: string[] = []
    for (let number = 0; number < 12; number += 1) {
      portal.clock.now += 1
      issued.unshift((await host.invite({ guestPortalUrl: `https://guest${number}.example.org` })).id)
    }
    const page = async (parameters: object) => {
      const { collaborationInvitations, ...rest } = await host.client.get(`${host.path}/invitations`, { ...parameters })
      return { ...rest, ids: collaborationInvitations.map(({ id }: { id: string }) => id) }
    }
    expect(await page({})).toEqual({ total: 12, start: 1, num: 10, nextStart: 11, ids: issued.slice(0, 10) })
    expect(await page({ start: 11 })).toEqual({ total: 12, start: 11, num: 10, nextStart: -1, ids: issued.slice(10) })
    expect(await page({ start: 4, num: 3 })).toMatchObject({ nextStart: 7, ids: issued.slice(3, 6) })
    expect(await page({ start: 13 })).toMatchObject({ total: 12, nextStart: -1, ids: [] })
    const { collaborationInvitations } = await host.client.get(`${host.path}/invitations`, { num: 1 })
    const { timeLeft, history, ...record } = await host.client.get(`${host.path}/invitations/${issued[0]}`)
    expect(collaborationInvitations).toEqual([record])
    expect(history).toHaveLength(1)
    expect(timeLeft).toBe(72 * hour)
  })

  test('a collaboration without any has an empty list', async () => {
    await using portal = await startPortal()
    const host = await hostCollaboration(portal)
    const empty = { total: 0, start: 1, num: 10, nextStart: -1, collaborationInvitations: [] }
    expect(await host.client.get(`${host.path}/invitations`)).toEqual(empty)
  })

  test('a collaboration lists its own only', async () => {
    await using portal = await startPortal()
    const host = await hostCollaboration(portal)
    const other = await hostCollaboration(portal, host.client)
    await host.invite()
    expect((await host.client.get(`${other.path}/invitations`)).total).toBe(0)
  })
})

describe('the order and the choice of invitations', () => {
  let portal: TestPortal
  let list: Awaited<ReturnType<typeof openWithThree>>

  beforeAll(async () => {
    // Where the guest of the second one is.
    portal = await startPortal({ environment: { PUBLIC_URL: 'https://c.example.org' } })
    list = await openWithThree()
  })
  afterAll(() => portal[Symbol.asyncDispose]())

  /** Named a, b and c: created in this order, expiring in another, changed in a third. */
  async function openWithThree() {
    const host = await hostCollaboration(portal)
    const guest = new Guest(await portal.otherOrganization())
    const issued: Record<string, IssuedInvitation> = {}
    for (const [name, expiration] of [
      ['b', 3],
      ['c', 1],
      ['a', 2],
    ] as const) {
      portal.clock.now += 1
      issued[name] = await host.invite({ guestPortalUrl: `https://${name}.example.org`, expiration })
    }
    portal.clock.now += 1
    await host.importResponse(await guest.answer(issued['c']!.text))
    portal.clock.now += 1
    await host.client.post(`${issued['b']!.path}/invalidate`)
    const list = async (parameters: Parameters) => {
      const answer = await host.client.get(`${host.path}/invitations`, parameters)
      if (answer.error) return answer
      const names = answer.collaborationInvitations.map(({ guestPortalUrl }: Body) => guestPortalUrl[8]).join('')
      return [answer.total, names]
    }
    return list
  }

  test.each([
    ['created', 'bca'],
    ['modified', 'acb'],
    ['expiration', 'cab'],
    ['status', 'cab'],
    ['guestPortalUrl', 'abc'],
  ])('sortField %s, both ways', async (sortField, names) => {
    expect(await list({ sortField, sortOrder: 'asc' })).toEqual([3, names])
    const reversed = [...names].reverse().join('')
    expect(await list({ sortField, sortOrder: 'desc' })).toEqual([3, reversed])
    expect(await list({ sortField: sortField.toUpperCase() })).toEqual([3, reversed])
    expect(await list({ sortField, sortOrder: 'asc', start: 2, num: 1 })).toEqual([3, names[1]])
  })

  test('newest first if nothing is said', async () => {
    expect(await list({})).toEqual([3, 'acb'])
    expect(await list({ sortField: '', sortOrder: '', status: '' })).toEqual([3, 'acb'])
    expect(await list({ sortOrder: 'asc' })).toEqual([3, 'bca'])
  })

  test.each([
    ['host_created', 'a'],
    ['host_accepted', 'c'],
    ['host_invalidated', 'b'],
  ])('status %s', async (status, name) => {
    expect(await list({ status })).toEqual([1, name])
    expect(await list({ status, sortField: 'guestPortalUrl', sortOrder: 'asc' })).toEqual([1, name])
    expect(await list({ status, start: 2 })).toEqual([1, ''])
  })

  test('a choice that there is not is refused', async () => {
    expect(await list({ status: 'expired', sortField: 'file', sortOrder: 'up' })).toEqual(
      refused(
        'list invitations',
        'status: has to be one of host_created, host_accepted, host_invalidated.',
        'sortField: has to be one of created, modified, expiration, status, guestPortalUrl.',
        'sortOrder: has to be one of asc, desc.',
      ),
    )
  })
})

describe('an invitation that is not the caller’s', () => {
  const operations = ['', '/invalidate', '/refresh']

  test('an unknown id is not there, whatever it looks like', async () => {
    await using portal = await startPortal()
    const host = await hostCollaboration(portal)
    const { id } = await host.invite()
    for (const wrong of ['f'.repeat(32), 'x', id.slice(1), `${id}0`, `${id}%00`, '%25', '..%2f..']) {
      for (const operation of operations) {
        expect(await host.client.post(`${host.path}/invitations/${wrong}${operation}`)).toEqual(resourceNotFound)
      }
    }
  })

  test('one of another collaboration of the same portal is not there, and stays as it is', async () => {
    await using portal = await startPortal()
    const host = await hostCollaboration(portal)
    const other = await hostCollaboration(portal, host.client)
    const invitation = await host.invite()
    const before = await host.read(invitation)
    for (const operation of operations) {
      expect(await host.client.post(`${other.path}/invitations/${invitation.id}${operation}`)).toEqual(resourceNotFound)
    }
    expect(await host.read(invitation)).toEqual(before)
  })

  test('one of another portal is not there under any path, and stays as it is', async () => {
    await using portal = await startPortal()
    const host = await hostCollaboration(portal)
    const invitation = await host.invite()
    const before = await host.read(invitation)
    const outsider = await portal.otherOrganization()
    const theirs = await hostCollaboration(portal, outsider)
    const { id: portalId } = await host.client.get('/portals/self')
    const { id: theirPortalId } = await outsider.get('/portals/self')
    for (const operation of operations) {
      for (const path of [
        invitation.path,
        `/portals/${portalId}/collaborations/${host.collaborationId}/invitations/${invitation.id}`,
        `/portals/${theirPortalId}/collaborations/${host.collaborationId}/invitations/${invitation.id}`,
        `${theirs.path}/invitations/${invitation.id}`,
      ]) {
        expect(await outsider.post(`${path}${operation}`)).toEqual(resourceNotFound)
      }
    }
    expect(await host.read(invitation)).toEqual(before)
  })

  test('a user without the privilege is refused, and the invitation stays as it is', async () => {
    await using portal = await startPortal()
    const host = await hostCollaboration(portal)
    const invitation = await host.invite()
    const before = await host.read(invitation)
    const user = await portal.user('user', 'org_publisher')
    for (const operation of operations)
      expect(await user.post(`${invitation.path}${operation}`)).toEqual(permissionDenied)
    expect(await host.read(invitation)).toEqual(before)
  })
})
