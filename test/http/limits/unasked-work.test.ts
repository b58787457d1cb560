import { expect, onTestFinished, test, vi } from 'vitest'
import { permissionDenied, tokenRequired } from '../../support/portal/envelopes.ts'
import { formEncode, startPortal } from '../../support/portal/portal.ts'

test('a megabyte of schema is not read for callers without a token: the token is asked for first', async () => {
  await using portal = await startPortal()
  const user = await portal.user('anna')
  const categories = Array.from({ length: 25_000 }, (_, number) => ({ title: `${number}` }))
  const payload = formEncode({ categorySchema: { categorySchema: [{ title: 'Root', categories }] } })
  const assign = async (headers: Readonly<Record<string, string>>) => {
    const contentType = { 'content-type': 'application/x-www-form-urlencoded' }
    const request = { url: '/portals/self/assignCategorySchema', headers: { ...contentType, ...headers }, payload }
    return JSON.parse((await portal.inject({ method: 'POST', ...request })).body)
  }
  const parse = vi.spyOn(JSON, 'parse')
  onTestFinished(() => parse.mockRestore())
  const largestParsed = () => Math.max(...parse.mock.calls.map(([text]) => text.length))
  expect(await assign({})).toEqual(tokenRequired)
  expect(largestParsed()).toBeLessThan(1_000)
  // With a token it is read, and then refused all the same.
  expect(await assign({ authorization: `Bearer ${user.token}` })).toEqual(permissionDenied)
  expect(largestParsed()).toBeGreaterThan(400_000)
})
