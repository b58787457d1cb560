import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpointTable } from '../../../src/http/endpoints/table.ts'
import { pageTable } from '../../../src/http/sign-in/register-pages.ts'
import { tokenInvalid, tokenRequired } from '../../support/portal/envelopes.ts'
import { type Body, startPortal, type TestPortal } from '../../support/portal/portal.ts'

/** Every operation with a password in its address, whether it has a password parameter or not. */

let portal: TestPortal
let token: string

beforeAll(async () => {
  portal = await startPortal()
  token = (await portal.admin()).token!
})

afterAll(() => portal[Symbol.asyncDispose]())

const form = { 'content-type': 'application/x-www-form-urlencoded' }

async function send(path: string, query: string, authorization?: string): Promise<Body> {
  const url = `${path.replace(/:\w+/g, 'unknown')}?f=json&${query}`
  const headers = { ...form, ...(authorization === undefined ? {} : { authorization: `Bearer ${authorization}` }) }
  return (await portal.inject({ method: 'POST', url, headers, payload: '' })).json()
}

describe.each(['password', 'newPassword', 'oldPassword'])('%s', (name) => {
  const detail = `${name}: not in the address of a request.`

  test('is refused by every operation, before the resource and all else that is wrong', async () => {
    const wrong: string[] = []
    for (const { id, path } of endpointTable) {
      const { error } = await send(path, `${name.toUpperCase()}=a%20secret`, token)
      if (error?.code !== 400 || error.details.join() !== detail) wrong.push(id)
    }
    expect(wrong).toEqual([])
  })

  test('is refused too in the part of an address that a second query ends', async () => {
    const { error } = await send('/portals/self', `${name}=a%20secret&token=x?f=json&token=${token}`)
    expect(error.details).toEqual([detail])
  })

  test('without a token, or with a wrong one, says what the token is', async () => {
    for (const { path } of endpointTable.filter((row) => row.token === 'required')) {
      expect(await send(path, `${name}=a`)).toEqual(tokenRequired)
      expect(await send(path, `${name}=a`, 'x'.repeat(43))).toEqual(tokenInvalid)
    }
  })

  test('is refused by every page of sign-in', async () => {
    for (const { path, methods, isAtRoot, isForPrograms } of pageTable) {
      const method = methods.at(-1)!
      const base = isAtRoot ? new URL(portal.server.publicUrl()).pathname : portal.base
      const url = `${base}${path}?${name}=a%20secret`
      const { body, statusCode, headers } = await portal.server.app.inject({ method, url, headers: form, payload: '' })
      // The specification of a page for programs gives its words.
      const isRefused = isForPrograms ? statusCode === 400 : body.includes(detail)
      expect([path, isRefused, body.includes('a secret'), headers.location]).toEqual([path, true, false, undefined])
    }
  })
})

test('a password in the body is none of that', async () => {
  const answer = await portal.inject({
    method: 'POST',
    url: '/portals/self?f=json',
    headers: form,
    payload: 'password=a',
  })
  expect(answer.json()).not.toHaveProperty('error')
})
