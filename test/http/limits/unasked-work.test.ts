import { expect, test } from 'vitest'
import { millisecondsOfWork } from '../../support/faults/work-watch.ts'
import { permissionDenied, tokenRequired } from '../../support/portal/envelopes.ts'
import { formEncode, startPortal } from '../../support/portal/portal.ts'

test('what is not judged for nobody is a megabyte of schema: the token is asked for first', async () => {
  await using portal = await startPortal()
  const user = await portal.user('anna')
  const categories = Array.from({ length: 25_000 }, (_, number) => ({ title: `${number}` }))
  const payload = formEncode({ categorySchema: { categorySchema: [{ title: 'Root', categories }] } }).slice(
    0,
    1_000_000,
  )
  expect(payload.length).toBeGreaterThan(800_000)
  const assign = async (token: string) => {
    const { body } = await portal.inject({
      method: 'POST',
      url: '/portals/self/assignCategorySchema',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...(token ? { authorization: token } : {}) },
      payload,
    })
    return JSON.parse(body)
  }
  const work = { nobody: 0, anna: 0 }
  for (let round = 0; round < 6; round += 1) {
    work.nobody += await millisecondsOfWork(async () => expect(await assign('')).toEqual(tokenRequired))
    work.anna += await millisecondsOfWork(async () =>
      expect(await assign(`Bearer ${user.token}`)).toEqual(permissionDenied),
    )
  }
  expect(work.nobody).toBeLessThan(work.anna * 0.6)
})
