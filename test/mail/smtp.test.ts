import { expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { openMailTransport } from '../../src/dependencies.ts'
import { MailRefused } from '../../src/mail/mailer.ts'
import { passwordLinkMail } from '../../src/mail/texts.ts'
import { makeCertificate } from '../support/portal/certificate.ts'
import { startMailServer } from '../support/portal/mail-server.ts'

const mail = { to: 'anna@example.com', subject: 'Karten für Änna', text: 'Öffne https://maps.example.com/\n' }

/** The transport of a server with these settings. */
async function transportOf(environment: Readonly<Record<string, string>>) {
  return (await openMailTransport(readConfig({ MAIL_FROM: 'maps@example.com', ...environment })))!
}

function refusal(code: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode: code })
}

test('a mail arrives as it was written, from the address of the settings and for one address', async () => {
  await using server = await startMailServer()
  await (await transportOf(server.settings)).send(mail)
  const received = await server.mail(1)
  expect(received).toMatchObject({ from: 'maps@example.com', to: ['anna@example.com'], text: mail.text })
  expect(received.headers.get('subject')).toBe(mail.subject)
  expect(received.headers.get('auto-submitted')).toBe('auto-generated')
})

test('names that people have given add no address and no line to the head', async () => {
  await using server = await startMailServer()
  const organization = 'Maps\r\nBcc: eve@example.org\r\n\r\nClick https://evil.example.org'
  const account = { username: 'anna', email: 'anna@example.com', organization, publicUrl: 'https://maps.example.com' }
  await (await transportOf(server.settings)).send(passwordLinkMail(account, 'https://maps.example.com/link'))
  const { to, headers, text } = await server.mail(1)
  expect([to, headers.has('bcc')]).toEqual([['anna@example.com'], false])
  expect(text.split('\n').some((line) => line.startsWith('Bcc'))).toBe(false)
})

test.each([
  ['an address that it does not know', 550, true],
  ['an address for now', 451, false],
])('a mail server that refuses %s with %i is asked again: %s is for good', async (_what, code, isForGood) => {
  await using server = await startMailServer({ onRcptTo: (_address, _session, done) => done(refusal(code, 'no')) })
  const thrown = await (await transportOf(server.settings)).send(mail).catch((error: unknown) => error)
  expect(thrown).toBeInstanceOf(Error)
  expect(thrown instanceof MailRefused).toBe(isForGood)
})

test('the user and the password of the settings sign in, and wrong ones are no refusal of a mail', async () => {
  await using server = await startMailServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, done) {
      if (username === 'maps' && password === 'a password') done(null, { user: username })
      else done(refusal(535, 'no'))
    },
  })
  const MAIL_SERVER = server.settings.MAIL_SERVER.replace('//', '//maps@')
  const right = await transportOf({ MAIL_SERVER, MAIL_PASSWORD: 'a password' })
  await right.verify()
  await right.send(mail)
  expect(server.received).toHaveLength(1)
  const wrong = await transportOf({ MAIL_SERVER, MAIL_PASSWORD: 'another' })
  await expect(wrong.verify()).rejects.toThrow('Invalid login')
  const thrown = await wrong.send(mail).catch((error: unknown) => error)
  expect([thrown instanceof Error, thrown instanceof MailRefused]).toEqual([true, false])
})

// An address of this machine that is not known as such, as that of any other machine.
test.each([
  ['offers no TLS', {}],
  ['has a certificate that nobody vouches for', { disabledCommands: [], ...makeCertificate('maps.example.com') }],
])('no password and no mail goes to another machine that %s', async (_what, options) => {
  const passwords: unknown[] = []
  await using server = await startMailServer({
    allowInsecureAuth: true,
    onAuth({ password }, _session, done) {
      passwords.push(password)
      done(null, { user: 'maps' })
    },
    ...options,
  })
  const MAIL_SERVER = `smtp://maps@0.0.0.0:${server.port}`
  const transport = await transportOf({ MAIL_SERVER, MAIL_PASSWORD: 'a password' })
  await expect(transport.send(mail)).rejects.toThrow(/STARTTLS|certificate/)
  expect([passwords, server.received]).toEqual([[], []])
})
