import { expect, test } from 'vitest'
import { startMailServer } from '../support/portal/mail-server.ts'
import { Folder, run, serve } from '../support/portal/process.ts'

test('mail sends one mail, and doctor says whether the mail server can be used', async () => {
  using folder = new Folder()
  let isRefusing = false
  await using mails = await startMailServer({
    onRcptTo: (_address, _session, done) =>
      done(isRefusing ? Object.assign(new Error('unknown here'), { responseCode: 550 }) : null),
  })
  const environment = { ...mails.settings, PUBLIC_URL: 'http://maps.example.com' }
  const command = (...words: readonly string[]) => run({ folder: folder.path, words, environment })
  const port = String(mails.port)
  const sent = await command('mail', 'anna@example.com')
  expect(sent).toMatchObject({
    code: 0,
    out: '127.0.0.1 has taken a mail to anna@example.com. If it does not arrive, look there.\n',
  })
  expect(mails.received).toEqual([
    expect.objectContaining({
      to: ['anna@example.com'],
      text: expect.stringContaining('http://maps.example.com can send'),
    }),
  ])
  await (await serve({ folder: folder.path, environment }))[Symbol.asyncDispose]()
  expect(await command('doctor', '--quick')).toMatchObject({
    out: expect.stringContaining(`The mail server 127.0.0.1:${port} answers, and takes the settings.`),
  })
  isRefusing = true
  const refused = await command('mail', 'anna@example.com')
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('unknown here') })
  expect(await command('mail', 'anna')).toMatchObject({
    code: 1,
    err: 'anna is no address of mail; one is like anna@example.com.\n',
  })
  await mails[Symbol.asyncDispose]()
  expect(await command('doctor', '--quick')).toMatchObject({
    code: 1,
    out: expect.stringContaining(`The mail server 127.0.0.1:${port} cannot be used`),
  })
})

test('mail without a mail server says what is missing', async () => {
  using folder = new Folder()
  const answer = await run({ folder: folder.path, words: ['mail', 'anna@example.com'] })
  expect(answer).toMatchObject({ code: 1, err: expect.stringContaining('MAIL_SERVER is not set') })
})
