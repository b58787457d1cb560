import { describe, expect, test } from 'vitest'
import { startPortal, type TestPortal } from '../../support/portal/portal.ts'

const unknownId = '0'.repeat(32)
const match = { environment: { HTTP_ERROR_STATUS: 'match' } }

/** Requests whose answers are errors, with the code of each. */
const failures: readonly (readonly [string, number, (portal: TestPortal) => Promise<Request>])[] = [
  ['an unknown path', 404, async () => ({ url: '/nothing' })],
  ['another method', 405, async () => ({ method: 'DELETE', url: '/portals/self' })],
  ['an operation by GET', 405, async () => ({ url: '/community/createGroup' })],
  ['an unknown format', 400, async () => ({ url: '/?f=xml' })],
  ['a missing token', 499, async () => ({ url: '/community/self' })],
  ['a wrong token', 498, async () => ({ url: '/community/self?token=wrong' })],
  ['bad credentials', 400, async () => form('/generateToken', 'username=admin&password=wrong')],
  ['bad input', 400, async (portal) => form(`/community/createGroup?token=${(await portal.admin()).token}`, 'title=')],
  [
    'a missing permission',
    403,
    async (portal) => form(`/portals/self/update?token=${(await portal.user('user')).token}`, 'name=Mine'),
  ],
  [
    'an unknown group',
    400,
    async (portal) => ({ url: `/community/groups/${unknownId}?token=${(await portal.admin()).token}` }),
  ],
  [
    'a schema that breaks a rule',
    400,
    async (portal) => form(`/portals/self/assignCategorySchema?token=${(await portal.admin()).token}`, 'x=1'),
  ],
]

interface Request {
  readonly url: string
  readonly method?: 'GET' | 'POST' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  readonly payload?: string
}

function form(url: string, payload: string): Request {
  return { method: 'POST', url, payload, headers: { 'content-type': 'application/x-www-form-urlencoded' } }
}

describe('an error', () => {
  test.each(failures)(
    'of %s is an envelope, with its code as status by HTTP_ERROR_STATUS=match',
    async (...failure) => {
      const [, code, request] = failure
      await using matching = await startPortal(match)
      const matched = await matching.inject(await request(matching))
      expect([matched.statusCode, matched.json().error.code]).toEqual([code, code])
      await using portal = await startPortal()
      const response = await portal.inject(await request(portal))
      expect(response.statusCode).toBe(200)
      const { error, ...rest } = response.json()
      expect(rest).toEqual({})
      expect(error.code).toBe(code)
      const members = Object.keys(error)
      const order = ['code', 'messageCode', 'message', 'details', 'reasons']
      const isOptional = (member: string) => member === 'messageCode' || member === 'reasons'
      expect(members).toEqual(order.filter((member) => !isOptional(member) || members.includes(member)))
      expect(error.message).toMatch(/\S/)
      if ('messageCode' in error) expect(error.messageCode).toMatch(/^[A-Z]+_\d{4}$/)
      expect(Array.isArray(error.details)).toBe(true)
      for (const detail of error.details) expect(detail).toMatch(/\S/)
    },
  )

  test('of a rate limit keeps its HTTP status, and says how long to wait', async () => {
    await using portal = await startPortal({ environment: { RATE_LIMIT_SIGN_IN_FAILURES: '1' } })
    const wrong = form('/generateToken', 'username=admin&password=wrong')
    expect((await portal.inject(wrong)).statusCode).toBe(200)
    const response = await portal.inject(wrong)
    expect(response.statusCode).toBe(429)
    expect(response.headers['retry-after']).toBe(String(15 * 60))
    expect(response.json()).toEqual({
      error: {
        code: 429,
        message: 'Too many requests.',
        details: [],
        reasons: [
          'There were too many failed sign-ins for this username from this address; until then the right password is refused too. Try again in 15 minutes.',
        ],
      },
    })
  })
})
