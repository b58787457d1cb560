import { describe, expect, test } from 'vitest'
import { hostCollaboration } from '../../../support/portal/collaboration-host.ts'
import { refused, resourceNotFound } from '../../../support/portal/envelopes.ts'
import { type Client, startOfTests, startPortal, type TestPortal } from '../../../support/portal/portal.ts'

/** Collaborations called 1 to `count`, made a millisecond apart. */
async function makeCollaborations(portal: TestPortal, admin: Client, count: number): Promise<void> {
  for (let number = 1; number <= count; number += 1) {
    portal.clock.now += 1
    await hostCollaboration(portal, admin, { name: `${number}` })
  }
}

describe('collaborations', () => {
  test('they are listed newest first, each as it is read alone', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    await makeCollaborations(portal, admin, 2)
    const list = await admin.get('/portals/self/collaborations')
    expect(list).toEqual({ total: 2, start: 1, num: 10, nextStart: -1, collaborations: expect.any(Array) })
    const { id: portalId } = await admin.get('/portals/self')
    expect(list.collaborations[0]).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      name: '2',
      description: '',
      collaborationHostPortalId: portalId,
      config: { hostContactFirstname: '', hostContactLastname: '', hostContactEmailAddress: '' },
      created: startOfTests + 2,
      modified: startOfTests + 2,
    })
    for (const collaboration of list.collaborations) {
      expect(await admin.get(`/portals/self/collaborations/${collaboration.id}`)).toEqual(collaboration)
    }
  })

  test('a portal without any has an empty list', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    const empty = { total: 0, start: 1, num: 10, nextStart: -1, collaborations: [] }
    expect(await admin.get('/portals/self/collaborations')).toEqual(empty)
    expect(await admin.post('/portals/self/collaborations')).toEqual(empty)
  })

  test('they page with start and num', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    await makeCollaborations(portal, admin, 12)
    const page = async (parameters: object) => {
      const { collaborations, ...rest } = await admin.get('/portals/self/collaborations', { ...parameters })
      return { ...rest, names: collaborations.map(({ name }: { name: string }) => name).join() }
    }
    expect(await page({})).toEqual({ total: 12, start: 1, num: 10, nextStart: 11, names: '12,11,10,9,8,7,6,5,4,3' })
    expect(await page({ start: 11 })).toEqual({ total: 12, start: 11, num: 10, nextStart: -1, names: '2,1' })
    expect(await page({ start: 3, num: 2 })).toEqual({ total: 12, start: 3, num: 2, nextStart: 5, names: '10,9' })
    expect(await page({ start: 11, num: 2 })).toEqual({ total: 12, start: 11, num: 2, nextStart: -1, names: '2,1' })
    expect(await page({ start: 13 })).toEqual({ total: 12, start: 13, num: 10, nextStart: -1, names: '' })
    expect(await page({ num: 0 })).toMatchObject({ total: 12, names: '' })
    expect(await page({ num: 1000 })).toMatchObject({ num: 100, nextStart: -1 })
  })

  test.each(['start', 'num'])('a %s that is no number is refused', async (parameter) => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    expect(await admin.get('/portals/self/collaborations', { [parameter]: 'ten' })).toEqual(
      refused('list collaborations', `${parameter}: is not a whole number.`),
    )
  })

  test('another organization neither lists nor reads them', async () => {
    await using portal = await startPortal()
    const host = await hostCollaboration(portal)
    const outsider = await portal.otherOrganization()
    const { id: portalId } = await host.client.get('/portals/self')
    expect(await outsider.get('/portals/self/collaborations')).toMatchObject({ total: 0, collaborations: [] })
    expect(await outsider.get(`/portals/${portalId}/collaborations`)).toEqual(resourceNotFound)
    for (const below of ['', '/workspaces', `/workspaces/${host.workspaceId}`, '/invitations']) {
      const path = `/collaborations/${host.collaborationId}${below}`
      expect(await outsider.get(`/portals/self${path}`)).toEqual(resourceNotFound)
      expect(await outsider.get(`/portals/${portalId}${path}`)).toEqual(resourceNotFound)
      expect(await host.client.get(`/portals/${portalId}${path}`)).not.toHaveProperty('error')
    }
  })

  test('an unknown id is not there, whatever it looks like', async () => {
    await using portal = await startPortal()
    const host = await hostCollaboration(portal)
    const ids = [
      'f'.repeat(32),
      'x',
      host.collaborationId.toUpperCase(),
      `${host.collaborationId}%00`,
      '%27%20or%201=1',
    ]
    for (const id of ids.filter((id) => id !== host.collaborationId)) {
      for (const below of ['', '/workspaces', `/workspaces/${host.workspaceId}`, '/invitations']) {
        const answer = await host.client.get(`/portals/self/collaborations/${id}${below}`)
        expect(answer).toEqual(resourceNotFound)
      }
    }
  })
})

describe('workspaces', () => {
  test('they are listed, each as it is read alone', async () => {
    await using portal = await startPortal()
    const host = await hostCollaboration(portal)
    const list = await host.client.get(`${host.path}/workspaces`)
    expect(list).toEqual({
      total: 1,
      start: 1,
      num: 10,
      nextStart: -1,
      workspaces: [expect.objectContaining({ id: host.workspaceId, name: 'Base maps' })],
    })
    const alone = await host.client.get(`${host.path}/workspaces/${host.workspaceId}`)
    expect(alone).toEqual(list.workspaces[0])
  })

  test('they page with start and num, in the order in which they were made', async () => {
    await using portal = await startPortal()
    const host = await hostCollaboration(portal)
    for (let number = 2; number <= 12; number += 1) {
      portal.clock.now += 1
      await host.client.post(`${host.path}/addWorkspace`, { collaborationWorkspaceName: `${number}` })
    }
    const page = async (parameters: object) => {
      const answer = await host.client.get(`${host.path}/workspaces`, { ...parameters })
      const names = answer.workspaces.map(({ name }: { name: string }) => name).join()
      return [answer.total, answer.nextStart, names]
    }
    expect(await page({})).toEqual([12, 11, 'Base maps,2,3,4,5,6,7,8,9,10'])
    expect(await page({ start: 11 })).toEqual([12, -1, '11,12'])
    expect(await page({ start: 2, num: 2 })).toEqual([12, 4, '2,3'])
    expect(await page({ start: 13 })).toEqual([12, -1, ''])
  })

  test('one that is unknown or of another collaboration is not there', async () => {
    await using portal = await startPortal()
    const host = await hostCollaboration(portal)
    const other = await hostCollaboration(portal, host.client)
    expect(await host.client.get(`${host.path}/workspaces/${'f'.repeat(32)}`)).toEqual(resourceNotFound)
    expect(await host.client.get(`${host.path}/workspaces/${other.workspaceId}`)).toEqual(resourceNotFound)
  })
})
