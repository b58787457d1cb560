import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readTexts } from '../../../pages/build/checked-texts.ts'
import {
  completeAddress,
  isOwnMachine,
  isSameGuest,
  splitAddress,
} from '../../../pages/src/collaborations/invitations/guest-address.ts'
import { nameInvitation } from '../../../pages/src/collaborations/invitations/invitation-file.ts'
import {
  formatMailAddress,
  maxMailAddress,
  shortenName,
} from '../../../pages/src/collaborations/invitations/mail-address.ts'

const fingerprint = Array.from({ length: 16 }, () => '45d3').join(' ')

test.each(['en', 'de', 'fr', 'es', 'ja', 'ar'])(
  'the mail with an invitation fits, whatever its collaboration is called: %s',
  (language) => {
    const texts = readTexts(fileURLToPath(new URL('../../../pages/src/texts', import.meta.url)), language)[
      'collaborations'
    ]!
    const at = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(0)
    const paragraphs = [
      texts['mail_text']!.replace('{at}', at),
      texts['mail_compare']!,
      fingerprint,
      texts['mail_answer']!,
    ]
    const subject = texts['mail_subject']!.replace('{name}', shortenName(`\u2068\u202e${'水'.repeat(100)}`))
    const address = formatMailAddress(subject, paragraphs)
    expect(address.length).toBeLessThanOrEqual(maxMailAddress)
    const parts = new URL(address).searchParams
    expect(parts.get('body')).toBe(paragraphs.join('\r\n\r\n'))
    expect(parts.get('subject')).toMatch(/水{28}…/)
    expect(parts.get('subject')).not.toMatch(/[\u2068\u202e]/)
  },
)

test('an invitation is saved under the names of both sides', () => {
  const url = 'https://maps.example.org:8443/portal'
  expect(nameInvitation('Alpine maps', url)).toBe('Alpine-maps-for-maps.example.org-8443.invite')
  expect(nameInvitation('../\u202e"', url)).toBe('collaboration-for-maps.example.org-8443.invite')
  expect(nameInvitation('水'.repeat(250), `https://[::1]/${'a'.repeat(200)}`)).toBe(`${'水'.repeat(30)}-for--1-.invite`)
})

test('the scheme of a guest is chosen, or typed, and never added in silence', () => {
  expect(completeAddress('maps.example.org/portal/', 'http')).toBe('http://maps.example.org/portal')
  expect(completeAddress('HTTP://maps.example.org', 'https')).toBe('http://maps.example.org')
  expect(completeAddress('ftp://maps.example.org', 'https')).toBeUndefined()
  expect(completeAddress('  ', 'https')).toBeUndefined()
  expect(splitAddress(' HTTPS://maps.example.org')).toEqual({ scheme: 'https', rest: 'maps.example.org' })
  expect(splitAddress('ftp://maps.example.org')).toEqual({ scheme: undefined, rest: 'ftp://maps.example.org' })
  const own = ['localhost', 'localhost:8081/portal', '127.0.0.1', '[::1]:80']
  const others = ['localhost.example.org', '127.example.org', 'maps.example.org/localhost']
  expect([...own, ...others].filter(isOwnMachine)).toEqual(own)
  expect(isSameGuest('http://Maps.example.org/portal/home', 'https://maps.example.org:443/Portal')).toBe(true)
  expect(isSameGuest('https://maps.example.org/a', 'https://maps.example.org/b')).toBe(false)
  expect(isSameGuest('', '')).toBe(false)
})
