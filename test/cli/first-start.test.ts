import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCommand } from '../../src/cli/cli.ts'
import { removeFirstRunFiles } from '../../src/start/first-run-files.ts'
import { Folder, serve } from '../support/portal/process.ts'
import { framedPassword, framedSecret, rootOf } from './first-run-frame.ts'

test('a first start makes the database, the key file and an administrator, whose password it puts into a file', async () => {
  using folder = new Folder()
  let password: string | undefined
  {
    await using first = await serve({ folder: folder.path })
    const file = './data/cartulary.db.password'
    const linkFile = './data/cartulary.db.first-run'
    expect(first.log[0]).toEqual({
      level: 'info',
      time: expect.any(String),
      message: `The database ${join(realpathSync(folder.path), 'data', 'cartulary.db')} is new. The organization Cartulary was made, with the administrator admin, whose password is in the file ${file}: sign in, keep it, and delete the file. Or open the link in the file ${linkFile}, once, within 24 hours and before the first sign-in, to choose name, administrator and password in a browser; both files are removed then.`,
      portalId: expect.stringMatching(/^[A-Za-z0-9]{16}$/),
      user: 'admin',
    })
    expect(statSync(join(folder.path, file)).mode & 0o777).toBe(0o600)
    password = readFileSync(join(folder.path, file), 'utf8').trimEnd()
    expect(await first.signIn('admin', password)).toMatch(/^\S{43}$/)
    expect((await first.stop()).code).toBe(0)
    expect(`${first.out}${first.err}`).not.toContain(password)
    expect(statSync(join(folder.path, linkFile)).mode & 0o777).toBe(0o600)
    const secret = framedSecret(readFileSync(join(folder.path, linkFile), 'utf8'), rootOf(first.url))
    expect(secret).toBeDefined()
    expect(`${first.out}${first.err}`).not.toContain(secret)
  }
  const key = join(folder.path, 'data', 'cartulary.db.key')
  expect(statSync(key).mode & 0o777).toBe(0o600)
  expect(statSync(join(folder.path, 'data', 'cartulary.db')).mode & 0o777).toBe(0o600)
  expect(readFileSync(key, 'utf8').trim().length).toBeGreaterThanOrEqual(32)
  const former = { LIMIT_SCHEMA_BYTES_PER_OWNER: '1', LIMIT_SCHEMA_BYTES_PER_USER: 'none' }
  const environment = { ADMIN_PASSWORD: 'another password', ...former }
  await using second = await serve({ folder: folder.path, environment })
  expect(second.out).not.toContain(' is new.')
  expect(second.log.filter(({ level }) => level === 'warn')).toEqual([])
  await second.wrote(/without effect/)
  await second.wrote(/no effect/)
  const sentences = second.log.map(({ message }) => String(message))
  expect(sentences.filter((sentence) => /without effect/.test(sentence))).toEqual([
    'LIMIT_SCHEMA_BYTES_PER_OWNER and LIMIT_SCHEMA_BYTES_PER_USER are no settings any more and without effect: remove them.',
  ])
  expect(second.log.filter(({ message }) => /no effect/.test(String(message)))).toEqual([
    {
      level: 'info',
      time: expect.any(String),
      message:
        'ADMIN_PASSWORD has no effect: the database has an organization already. "cartulary user reset <username>" gives a user another password, "cartulary user create <username>" makes another user.',
    },
  ])
  expect(readFileSync(join(folder.path, 'data', 'cartulary.db.password'), 'utf8').trimEnd()).toBe(password)
  expect(await second.signIn('admin', password!)).toMatch(/^\S{43}$/)
})

test('the files of a first start are gone once its link was used, and stay for a link of another database', async () => {
  using folder = new Folder()
  await using first = await serve({ folder: folder.path })
  const data = join(folder.path, 'data')
  const namesNow = () => readdirSync(data).filter((name) => /\.(?:password|first-run)$/.test(name))
  const names = ['cartulary.db.first-run', 'cartulary.db.password']
  const link = join(data, names[0]!)
  const secret = framedSecret(readFileSync(link, 'utf8'), rootOf(first.url))!
  removeFirstRunFiles({ engine: 'sqlite', file: join(data, 'cartulary.db') }, 'of another one')
  expect(namesNow().sort()).toEqual(names)
  const password = 'chosen in the browser'
  const body = new URLSearchParams({ secret, organizationName: 'Maps', username: 'maria', password, f: 'json' })
  const answer = await fetch(`${first.base}/firstRun/complete`, { method: 'POST', body })
  expect(await answer.json()).toMatchObject({ success: true })
  expect(namesNow()).toEqual([])
  expect(await first.signIn('maria', password)).toMatch(/^\S{43}$/)
})

test('a first start on a terminal says which database is new, and shows the password in a frame, once', async () => {
  using folder = new Folder()
  const environment = { DATABASE_URL: `file:${folder.path}/maps.db`, PORT: '0', LOG_LEVEL: 'silent' }
  const printed: string[] = []
  const start = () =>
    runCommand([], {
      environment,
      signal: AbortSignal.abort(),
      isTerminal: true,
      print: (text) => void printed.push(text),
      printError: (text) => void printed.push(text),
      exit: () => {},
    })
  expect(await start()).toBe(0)
  expect(printed[0]).toMatch(new RegExp(`^The database ${folder.path}/maps\\.db is new\\.\n`))
  expect(framedPassword(printed[0]!)).toBeDefined()
  expect(framedSecret(printed[0]!, 'http://localhost:\\d+')).toBeDefined()
  printed.length = 0
  expect(await start()).toBe(0)
  expect(printed.join('\n')).not.toMatch(/is new|Password|first-run/)
})
