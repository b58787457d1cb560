import { expect, onTestFinished, test, vi } from 'vitest'
import { type Client, startPortal } from '../../support/portal/portal.ts'
import { until } from '../../support/until.ts'

/** A portal of two organizations, whose administrators have a public group with a public item each. */
async function startTwo() {
  const portal = await startPortal()
  const [own, other] = [await portal.admin(), await portal.otherOrganization()]
  const fill = async (client: Client) => {
    const { id: groupId } = await client.createGroup('Maps', { access: 'public' })
    const { id: itemId } = await client.post(`/content/users/${client.username}/addItem`, {
      title: 'Lake',
      type: 'Map',
    })
    await client.post(`/content/users/${client.username}/items/${itemId}/share`, { everyone: true, groups: groupId })
    const { id: portalId } = await client.get('/portals/self')
    return { groupId, portalId, username: client.username }
  }
  return { portal, own, ids: { own: await fill(own), other: await fill(other) } }
}

test('a search of an organization that its caller is not of is answered at the next of moments 25 milliseconds apart, and no other', async () => {
  const { portal, own, ids } = await startTwo()
  await using _ = portal
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const searches = [
    '/search?q=lake&countFields=tags',
    '/community/groups?q=maps',
    `/content/groups/${ids.own.groupId}/search`,
  ]
  const ofOther = [`/content/groups/${ids.other.groupId}/search?q=lake`, `/search?q=orgid:${ids.other.portalId}`]
  const membersOfOther = `/community/groups/${ids.other.groupId}/users`
  const foreign: (readonly [Client, string])[] = [
    ...[...searches, ...ofOther].map((path) => [portal.anonymous, path] as const),
    ...['/search?q=lake', ...ofOther, membersOfOther].map((path) => [own, path] as const),
  ]
  for (const [client, path] of foreign) {
    let isAnswered = false
    const answer = client.get(path).finally(() => {
      isAnswered = true
    })
    // These wait for nothing, although the other was there before.
    for (const ownPath of [
      `/search?q=lake orgid:${ids.own.portalId}`,
      '/community/groups?q=maps',
      `/content/groups/${ids.own.groupId}/search`,
      `/community/users/${own.username}/tags`,
      '/portals/self/users',
    ]) {
      expect(await own.get(ownPath)).not.toHaveProperty('error')
    }
    vi.advanceTimersByTime(24)
    await own.get('/portals/self')
    expect([path, isAnswered]).toEqual([path, false])
    await until('it is answered', () => {
      vi.advanceTimersByTime(25)
      return isAnswered
    })
    await answer
    expect(vi.getTimerCount()).toBe(0)
  }
})

test('a server of one organization has no foreign searches but anonymous ones', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  expect(await admin.get('/search?q=lake')).not.toHaveProperty('error')
})
