import { expect, test } from 'vitest'
import { query } from './beside.ts'
import {
  after,
  backupsNeedIt,
  during,
  openRotatable,
  openWith,
  resealed,
  rotate,
  sign,
  signOn,
} from './rotated-database.ts'

test('secret rotate runs beside servers on PostgreSQL that open both secrets, and none of their writes fails', async () => {
  const url = await openRotatable('PostgreSQL')
  await using one = await openWith(url, during)
  await using other = await openWith(url, during)
  const clients = await Promise.all([one, other].map((portal) => portal.admin()))
  let isDone = false
  const serving = [one, other].map(async (portal, place) => {
    let rounds = 0
    while (!isDone || rounds === 0) {
      const description = `Server ${place}, round ${rounds}`
      const [signed, updated] = await Promise.all([
        sign(portal),
        clients[place]!.post('/portals/self/update', { description }),
      ])
      expect([signed, updated]).toEqual([2, { success: true }])
      rounds += 1
    }
    return rounds
  })
  const rotating = rotate(url, during).finally(() => {
    isDone = true
  })
  const [ended, ...rounds] = await Promise.all([rotating, ...serving])
  for (const count of rounds) expect(count).toBeGreaterThan(0)
  expect(ended).toMatchObject({ code: 0, printed: `${resealed(2)}\n${backupsNeedIt}` })
  await using third = await openWith(url, after)
  expect(await Promise.all([one, other, third].map(sign))).toEqual([2, 2, 2])
})

test('two concurrent rotations on PostgreSQL re-seal every key once', async () => {
  const url = await openRotatable('PostgreSQL')
  const ended = await Promise.all([rotate(url, during), rotate(url, during)])
  for (const { code, complaint } of ended) {
    if (code !== 0)
      expect(complaint).toBe('Another process has re-sealed private keys at the same time; nothing was changed.')
  }
  expect(ended.map(({ code }) => code)).toContain(0)
  expect(await query(url, "select 1 from audit where operation = 'resealPortalKeys'")).toHaveLength(1)
  expect(await signOn(url, after)).toBe(2)
})
