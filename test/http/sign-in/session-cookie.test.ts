import { expect, test } from 'vitest'
import { openSessionCookie } from '../../../src/http/sign-in/session-cookie.ts'

function nameOf(publicUrl: string): string | undefined {
  const path = new URL(publicUrl).pathname.replace(/\/$/, '')
  return openSessionCookie(publicUrl, path).write('token')?.split('=', 1)[0]
}

test.each([
  ['https://maps.example.com', '__Host-cartulary'],
  ['https://maps.example.com/portal', '__Host-cartulary-portal'],
  ['http://localhost:7080', '__Host-cartulary_7080'],
  ['http://localhost:7081', '__Host-cartulary_7081'],
  ['https://maps.example.com:7443/portal', '__Host-cartulary_7443-portal'],
  ['https://maps.example.com/7443', '__Host-cartulary-7443'],
])('the cookie of %s is %s', (publicUrl, name) => {
  expect(nameOf(publicUrl)).toBe(name)
})

test('servers of one host at other ports do not end each other’s sessions', () => {
  const [one, other] = ['http://localhost:7080', 'http://localhost:7081'].map((url) => openSessionCookie(url, ''))
  const cookie = [one!.write('first'), other!.write('second')].map((set) => set!.split(';')[0]).join('; ')
  expect([one!.read({ cookie }), other!.read({ cookie })]).toEqual(['first', 'second'])
})
