import { describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'

const mail = {
  MAIL_SERVER: 'smtps://maps@mail.example.com',
  MAIL_PASSWORD: 'a password',
  MAIL_FROM: 'maps@example.com',
}

test('without a mail server no mail is sent', () => {
  expect(readConfig({}).mail).toBeUndefined()
})

describe('a mail server is read:', () => {
  test.each([
    ['smtp://mail.example.com', { host: 'mail.example.com', port: 587, isTls: false, user: undefined }],
    ['smtp://mail.example.com:25/', { port: 25, isTls: false }],
    ['smtps://mail.example.com', { port: 465, isTls: true }],
    ['smtp://[::1]:2525', { host: '::1', port: 2525 }],
  ])('%s', (MAIL_SERVER, expected) => {
    expect(readConfig({ MAIL_SERVER, MAIL_FROM: 'maps@example.com' }).mail).toMatchObject(expected)
  })

  test('with a user whose name has an at sign, a file with the password, and operators', () => {
    const MAIL_SERVER = 'smtps://maps%40example.com@mail.example.com:4650'
    const others = { MAIL_PASSWORD_FILE: '/run/secrets/mail', MAIL_FROM: 'maps@example.com' }
    expect(readConfig({ MAIL_SERVER, MAIL_OPERATORS: 'one@x.org, two@x.org', ...others }).mail).toEqual({
      host: 'mail.example.com',
      port: 4_650,
      isTls: true,
      user: 'maps@example.com',
      password: { kind: 'file', path: '/run/secrets/mail' },
      from: 'maps@example.com',
      operators: ['one@x.org', 'two@x.org'],
    })
  })
})

describe('is refused in a sentence, without a password in it:', () => {
  test.each<[Readonly<Record<string, string>>, string]>([
    [{ MAIL_SERVER: '' }, 'MAIL_PASSWORD is set without MAIL_SERVER'],
    [{ MAIL_SERVER: 'mail.example.com' }, 'MAIL_SERVER has to be like smtps://user@mail.example.com'],
    [{ MAIL_SERVER: 'http://mail.example.com' }, 'MAIL_SERVER has to be like'],
    [{ MAIL_SERVER: 'smtps://maps@mail.example.com/inbox' }, 'MAIL_SERVER has to be like'],
    [{ MAIL_SERVER: 'smtps://maps:secret@mail.example.com' }, 'MAIL_SERVER has a password in it; set MAIL_PASSWORD'],
    [{ MAIL_SERVER: 'smtps://mail.example.com' }, 'A password of mail is set, but MAIL_SERVER names no user'],
    [{ MAIL_SERVER: 'smtps://maps%ZZ@mail.example.com' }, 'MAIL_SERVER names a user with a %'],
    [{ MAIL_PASSWORD: '' }, 'MAIL_SERVER names a user; set MAIL_PASSWORD or MAIL_PASSWORD_FILE'],
    [{ MAIL_PASSWORD_FILE: '/secret' }, 'MAIL_PASSWORD and MAIL_PASSWORD_FILE are both set'],
    [{ MAIL_FROM: '' }, 'MAIL_FROM is missing'],
    [{ MAIL_FROM: 'Maps <maps@example.com>' }, 'MAIL_FROM is Maps <maps@example.com>; an address is like'],
    [{ MAIL_OPERATORS: 'one@x.org, two' }, 'MAIL_OPERATORS has two; an address is like'],
  ])('%j', (given, sentence) => {
    const read = () => readConfig({ ...mail, ...given })
    expect(read).toThrow(sentence)
    expect(read).not.toThrow(/a password\b.*@|secret@/)
  })
})
