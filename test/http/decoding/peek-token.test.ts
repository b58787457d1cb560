import { expect, test } from 'vitest'
import { peekToken } from '../../../src/http/decoding/bearer-token.ts'

const token = 'a'.repeat(43)
const bearer = `Bearer ${token}`

test.each<[string, Parameters<typeof peekToken>, string | undefined]>([
  ['in Authorization', ['/info', { authorization: bearer }], token],
  ['in X-Esri-Authorization', ['/info', { 'x-esri-authorization': bearer }], token],
  ['in the query', [`/info?token=${token}`, {}], token],
  ['in the middle of the query', [`/info?f=json&token=${token}&a=b`, {}], token],
  ['not of another length', [`/info?token=${token}a`, {}], undefined],
  ['not of another parameter', [`/info?mytoken=${token}`, {}], undefined],
  ['not far behind', [`/info?a=${'a'.repeat(2_000)}&token=${token}`, {}], undefined],
  ['not with another scheme', ['/info', { authorization: 'Basic YTpi' }], undefined],
])('a token is found %s', (_, given, expected) => {
  expect(peekToken(...given)).toBe(expected)
})
