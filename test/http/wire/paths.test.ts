import { METHODS } from 'node:http'
import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { kindOf } from '../../../src/http/endpoints/endpoint.ts'
import { endpointTable } from '../../../src/http/endpoints/table.ts'
import {
  groupNotFound,
  methodNotAllowed,
  resourceNotFound,
  tokenRequired,
  withReasons,
} from '../../support/portal/envelopes.ts'
import { type Client, startPortal, type TestPortal } from '../../support/portal/portal.ts'
import { test } from '../../support/portal/test.ts'

describe('a path', () => {
  /** For what changes nothing. */
  let portal: TestPortal
  let admin: Client

  beforeAll(async () => {
    portal = await startPortal()
    admin = await portal.admin()
  })
  afterAll(() => portal[Symbol.asyncDispose]())

  test.each([
    '/portal/sharing/rest/portals/self/users',
    '/portal/sharing/rest/portals/self/users/',
    '//portal///sharing//rest////portals//self//users//',
    '/portal/sharing/rest/portals/%73elf/users',
    '/Portal/SHARING/Rest/portals/self/Users',
  ])('%s leads to the users', async (url) => {
    const { token } = admin
    for (const method of ['GET', 'POST'] as const) {
      const response = await portal.server.app.inject({ method, url, headers: { authorization: `Bearer ${token}` } })
      expect(response.json()).toMatchObject({ total: 1 })
    }
  })

  test('has self where the id of the caller’s organization may stand', async ({ portal, admin }) => {
    const other = await portal.otherOrganization()
    const { id } = await admin.get('/portals/self')
    const { id: otherId } = await other.get('/portals/self')
    expect(otherId).not.toBe(id)
    const categorySchema = { categorySchema: [{ title: 'Region' }] }
    expect(await admin.post('/portals/self/assignCategorySchema', { categorySchema })).toEqual({ success: true })
    expect(await admin.get(`/portals/${id}/categorySchema`)).toEqual(categorySchema)
    expect(await other.get('/portals/self/categorySchema')).toEqual({ categorySchema: [] })
    expect(await other.get(`/portals/${otherId}/categorySchema`)).toEqual({ categorySchema: [] })
  })

  test.each([
    '/nothing',
    '/portals/self/nothing',
    '/community/groups/x/y/z',
    '/%00',
    '/..%2f..%2fetc',
    '/portals/a/b?c',
  ])('below the base that nobody knows, %s, is the 404 envelope in HTTP 200', async (url) => {
    for (const method of ['GET', 'POST'] as const) {
      const response = await portal.inject({ method, url })
      expect(response.statusCode).toBe(200)
      expect(response.json()).toEqual(withReasons(resourceNotFound.error))
      expect(response.json().error.reasons).toEqual([expect.stringMatching(/^There is no such path/)])
    }
  })

  test.each(['/nothing', '/sharing', '/portal/sharing', '/portal/rest/search', '/%zz', '/portal/x%ff'])(
    'outside the base, %s, is HTTP 404 with the envelope',
    async (url) => {
      for (const method of ['GET', 'POST', 'PUT'] as const) {
        const response = await portal.server.app.inject({ method, url })
        expect(response.statusCode).toBe(404)
        expect(response.json()).toEqual(withReasons(resourceNotFound.error))
        expect(response.json().error.reasons).toEqual([
          expect.stringContaining('The API is at https://maps.example.com/portal/sharing/rest'),
        ])
      }
    },
  )

  test.each(['%', '%zz', '%f', '%ff', '%c0%af', '%ed%a0%80', '%2525', '%00', 'a'.repeat(5000)])(
    'with an id that cannot be one, %s, is answered like any unknown id',
    async (id) => {
      const anonymous = await portal.inject({ url: `/community/groups/${id}?f=json` })
      expect(anonymous.json()).toEqual(tokenRequired)
      expect(anonymous.headers['x-request-id']).toMatch(/^[0-9a-f]{32}$/)
      expect(await admin.get(`/community/groups/${id}`)).toEqual(groupNotFound)
      expect(await admin.post(`/community/groups/${id}/delete`)).toEqual(groupNotFound)
    },
  )

  test.each([
    ['an id', '/community/groups/', 'x'],
    ['an id of two-byte characters', '/community/groups/', '🌍'],
    ['the name of a user', '/community/users/', 'x'],
    ['no endpoint', '/nothing/', 'x'],
  ])('with 240 KB of %s is shortened in its page', async (_what, path, character) => {
    const pageOf = async (id: string) => {
      const { body } = await admin.send(`${path}${encodeURIComponent(id)}?f=html`)
      expect(body).toContain('</html>')
      return body.length
    }
    const repeated = character.repeat(240_000 / encodeURIComponent(character).length)
    expect((await pageOf(`x${repeated}`)) - (await pageOf('x'))).toBeLessThan(50_000)
  })

  test('keeps its query where its own encoding is broken', async () => {
    const response = await portal.inject({ url: `/community/groups/%zz?f=pjson&token=${admin.token}` })
    expect(response.body).toBe(JSON.stringify(groupNotFound, null, 2))
  })
})

describe('the method', () => {
  const others = METHODS.filter((method) => !['GET', 'HEAD', 'POST', 'OPTIONS', 'CONNECT'].includes(method))
  const operations = endpointTable.filter((row) => kindOf(row) === 'operation')

  test.for(['/portals/self', '/community/createGroup', '/nothing', ''])(
    'is GET, HEAD or POST on %s, and every other one is error 405',
    async (url, { portal }) => {
      for (const method of others as readonly NonNullable<InjectOptions['method']>[]) {
        const response = await portal.server.app.inject({ method, url: `${portal.base}${url}` })
        expect(response.statusCode, method).toBe(200)
        expect(response.json(), method).toEqual(methodNotAllowed)
      }
    },
  )

  test('GET is error 405 on every operation but invalidate, and but where it reads a list', async ({ portal }) => {
    const codes: Record<string, number> = {}
    for (const { id, path } of operations) {
      codes[id] = (await portal.anonymous.get(path.replace(/:\w+/g, 'self'))).error?.code
    }
    const { invalidateInvitation, ...others } = codes
    expect(invalidateInvitation).toBe(tokenRequired.error.code)
    for (const { id } of operations.filter(({ sharesPath }) => sharesPath)) {
      // GET of its path is another resource.
      expect([id, others[id]]).toEqual([id, tokenRequired.error.code])
      delete others[id]
    }
    expect(Object.entries(others).filter(([, code]) => code !== 405)).toEqual([])
  })
})
