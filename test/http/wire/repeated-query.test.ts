import { expect, test } from '../../support/portal/test.ts'

/** `rest-js` 3 tries a GET again, after its token has expired, by appending the whole query once more. */
test('of a query that was appended to itself, the last one counts', async ({ portal, admin }) => {
  await admin.createGroup('Maps')
  const read = async (query: string) => (await portal.inject({ url: `/community/groups?${query}` })).json()
  const { token } = admin
  expect(await read(`f=json&q=Maps&token=old?f=json&q=Maps&token=${token}`)).toMatchObject({ total: 1 })
  expect(await read(`token=old?f=json&token=older?f=json&token=${token}`)).toMatchObject({ total: 1 })
  expect(await read(`f=json&token=${token}?f=json&token=old`)).toMatchObject({ error: { code: 498 } })
})

test('of tokens in one query the last one counts; in different places, two tokens are refused', async ({ portal }) => {
  const { token } = await portal.admin()
  const read = async (query: string, headers = {}) =>
    (await portal.inject({ url: `/community/self?f=json&${query}`, headers })).json()
  expect(await read(`token=old&token=${token}`)).toMatchObject({ username: 'admin' })
  expect(await read(`token=${token}&token=`)).toMatchObject({ username: 'admin' })
  expect(await read('token=&token=')).toMatchObject({ error: { code: 499 } })
  expect(await read(`token=${token}&token=old`)).toMatchObject({ error: { code: 498 } })
  expect(await read('token=old', { 'x-esri-authorization': `Bearer ${token}` })).toMatchObject({ error: { code: 498 } })
})

test('a question mark in any other parameter is a question mark', async ({ portal, admin }) => {
  await admin.createGroup('Who maps?')
  const { body } = await portal.inject({ url: `/community/groups?f=json&token=${admin.token}&q=title:"Who%20maps?"` })
  expect(JSON.parse(body)).toMatchObject({ total: 1, query: 'title:"Who maps?"' })
})
