import { expect, test } from 'vitest'
import { startPortal } from '../../support/portal/portal.ts'
import { until } from '../../support/until.ts'

const searchPaths = (groupId: string) => [
  '/community/groups',
  '/portals/self/users',
  `/community/groups/${groupId}/users`,
]

test('searches run beside reads and writes, which begin no thread for them', async () => {
  await using portal = await startPortal({ isReused: false })
  const admin = await portal.admin()
  const connections = () => portal.server.dependencies.storage.figures().connections.open
  const { id } = await admin.createGroup('Maps')
  await admin.get('/community/self')
  await admin.get(`/community/groups/${id}`)
  expect(connections()).toBe(2)
  for (const path of searchPaths(id)) {
    expect(await admin.get(path)).not.toHaveProperty('error')
    expect(connections()).toBe(3)
  }
})

test('a search sees the write that was acknowledged before it, as the caller that it changed', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const anna = await admin.invite('anna')
  for (let number = 1; number <= 10; number += 1) {
    await anna.createGroup(`Group ${number}`)
    expect(await anna.get('/community/groups')).toMatchObject({ total: number })
  }
  await admin.post('/community/users/anna/disable')
  expect(await anna.get('/community/groups')).toMatchObject({ error: { code: 498 } })
})

test('one user with too many searches is refused, and another user searches meanwhile', async () => {
  await using portal = await startPortal({ environment: { LIMIT_SEARCHES_WAITING: '1' } })
  const admin = await portal.admin()
  const anna = await admin.invite('anna')
  const { limitCounts } = portal.server.dependencies
  const before = limitCounts.of('searchesWaiting')
  const search = () =>
    portal.inject({ url: '/community/groups?q=maps', headers: { authorization: `Bearer ${anna.token}` } })
  await until('a search is refused', async () => {
    const [answers, other] = await Promise.all([
      Promise.all(Array.from({ length: 20 }, search)),
      admin.get('/community/groups'),
    ])
    expect(other).toMatchObject({ total: 0 })
    const refusals = answers.filter(({ body }) => body.includes('"error"'))
    for (const { body, headers } of refusals) {
      expect(JSON.parse(body).error).toEqual({ code: 429, message: 'Too many requests.', details: [] })
      expect(headers['retry-after']).toBe('2')
    }
    expect(limitCounts.of('searchesWaiting') - before).toBe(refusals.length)
    return refusals.length > 0
  })
})
