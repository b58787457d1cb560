import { inviteNeighbour } from '../../../support/portal/collaboration-host.ts'
import { type Body, type Parameters, startOfTests } from '../../../support/portal/portal.ts'
import { describe, expect, test } from '../../../support/portal/test.ts'

const hour = 3_600_000

describe('the record of an invitation', () => {
  test('the time left goes down with the clock, and ends at 0', async ({ portal, host }) => {
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

  test('an invitation that is over has no time left, however early', async ({ host }) => {
    const { invitation: accepted, response } = await inviteNeighbour(host)
    await host.importResponse(response)
    const invalidated = await host.invite()
    await host.client.post(`${invalidated.path}/invalidate`)
    expect(await host.read(accepted)).toMatchObject({ status: 'host_accepted', timeLeft: 0 })
    expect(await host.read(invalidated)).toMatchObject({ status: 'host_invalidated', timeLeft: 0 })
  })

  test('the history has who did what when', async ({ portal, host }) => {
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
})

describe('the list of invitations', () => {
  test('it is newest first; its records lack only the time left and the history', async ({ portal, host }) => {
    const issued: string[] = []
    for (let number = 0; number < 3; number += 1) {
      portal.clock.now += 1
      issued.unshift((await host.invite({ guestPortalUrl: `https://guest${number}.example.org` })).id)
    }
    const { collaborationInvitations } = await host.client.get(`${host.path}/invitations`)
    expect(collaborationInvitations.map(({ id }: Body) => id)).toEqual(issued)
    const { timeLeft, history, ...record } = await host.client.get(`${host.path}/invitations/${issued[0]}`)
    expect(collaborationInvitations[0]).toEqual(record)
    expect(history).toHaveLength(1)
    expect(timeLeft).toBe(72 * hour)
  })
})

test('invitations are sorted and chosen as is asked for, and newest first if nothing is', async ({ portal, host }) => {
  for (const [name, expiration] of [
    ['b', 3],
    ['c', 1],
    ['a', 2],
  ] as const) {
    portal.clock.now += 1
    const { path } = await host.invite({ guestPortalUrl: `https://${name}.example.org`, expiration })
    if (name === 'b') await host.client.post(`${path}/invalidate`)
  }
  const list = async (parameters: Parameters) => {
    const { total, collaborationInvitations } = await host.client.get(`${host.path}/invitations`, parameters)
    return [total, collaborationInvitations.map(({ guestPortalUrl }: Body) => guestPortalUrl[8]).join('')]
  }
  expect(await list({ sortField: '', sortOrder: '', status: '' })).toEqual([3, 'acb'])
  expect(await list({ sortOrder: 'asc' })).toEqual([3, 'bca'])
  expect(await list({ sortField: 'EXPIRATION' })).toEqual([3, 'bac'])
  expect(await list({ sortField: 'guestPortalUrl', sortOrder: 'asc', start: 2, num: 1 })).toEqual([3, 'b'])
  expect(await list({ status: 'host_created', sortOrder: 'asc' })).toEqual([2, 'ca'])
  expect(await list({ status: 'host_invalidated', start: 2 })).toEqual([1, ''])
})
