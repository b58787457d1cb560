import { expect, onTestFinished, vi } from 'vitest'
import { type Client, startPortal } from '../../support/portal/portal.ts'
import { test } from '../../support/portal/test.ts'
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

test('a search of an organization that its caller is not of waits for the next moment, and no other does', async () => {
  const { portal, own, ids } = await startTwo()
  await using _ = portal
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
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
  const ownPaths = [
    `/search?q=lake orgid:${ids.own.portalId}`,
    '/community/groups?q=maps',
    `/content/groups/${ids.own.groupId}/search`,
    `/community/users/${own.username}/tags`,
    '/portals/self/users',
  ]
  // These wait for nothing, although the other was there before.
  const whileItWaits = async () => {
    for (const path of ownPaths) expect(await own.get(path)).not.toHaveProperty('error')
    expect(vi.getTimerCount()).toBe(1)
  }
  for (const [client, path] of foreign)
    expect([path, await isSeenToWait(client, path, whileItWaits)]).toEqual([path, true])
})

/** Whether the request waits by a timer. One time in ten the moment is near enough to be met by turns of the event loop alone. */
async function isSeenToWait(client: Client, path: string, whileItWaits: () => Promise<void>): Promise<boolean> {
  for (let tries = 0; tries < 20; tries += 1) {
    let isAnswered = false
    const answer = client.get(path).finally(() => {
      isAnswered = true
    })
    await until('it waits or is answered', () => isAnswered || vi.getTimerCount() > 0)
    const waits = !isAnswered
    if (waits) await whileItWaits()
    await until('it is answered', () => {
      vi.advanceTimersByTime(25)
      return isAnswered
    })
    await answer
    if (waits) return true
  }
  return false
}

test('a server of one organization has no foreign searches but anonymous ones', async ({ admin }) => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  expect(await admin.get('/search?q=lake')).not.toHaveProperty('error')
})
