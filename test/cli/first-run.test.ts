import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { openServer } from '../../src/server.ts'
import { preparedDatabase } from '../support/databases/prepared-sqlite.ts'
import { cheapPasswords, type TestPortal } from '../support/portal/portal.ts'
import { Folder } from '../support/portal/process.ts'
import { command, openHere } from './run-command.ts'

function environmentIn(folder: Folder): Readonly<Record<string, string>> {
  return {
    DATABASE_URL: `file:${folder.path}/maps.db`,
    PUBLIC_URL: 'https://maps.example.com/portal',
    TRUST_PROXY: 'false',
    LOG_LEVEL: 'silent',
  }
}

async function open(folder: Folder): Promise<TestPortal> {
  writeFileSync(join(folder.path, 'maps.db'), await preparedDatabase())
  return openHere(environmentIn(folder))
}

function secretIn(printed: string): string {
  return /^https:\/\/maps\.example\.com\/portal\/first-run#(\S{43})$/m.exec(printed)![1]!
}

test('a link takes the place of the one that the first start made, until a user has signed in', async () => {
  using folder = new Folder()
  await using portal = await open(folder)
  const { secret, generatedPassword } = portal.server.firstRun!
  const isOpen = async (given: string) => (await portal.anonymous.post('/firstRun', { secret: given })).open
  expect(await isOpen(secret!)).toBe(true)

  const { code, printed } = await command(['first-run'], environmentIn(folder))
  expect(code).toBe(0)
  expect(printed).toContain('By this link Cartulary gets its name, its administrator and a password in a browser')
  expect([await isOpen(secret!), await isOpen(secretIn(printed))]).toEqual([false, true])

  await portal.signIn('admin', generatedPassword!)
  expect(await isOpen(secretIn(printed))).toBe(false)
  expect(await command(['first-run'], environmentIn(folder))).toEqual({
    code: 1,
    printed: '',
    complaint:
      'The first organization is in use: a user has signed in to it, or it has more than its first user. "cartulary user reset" gives a user another password.',
  })
})

test('there is no link where another user was made, nor before there is an organization', async () => {
  using folder = new Folder()
  {
    await using portal = await open(folder)
    const { secret } = portal.server.firstRun!
    expect(await command(['user', 'create', 'anna'], environmentIn(folder))).toMatchObject({ code: 0 })
    expect(await portal.anonymous.post('/firstRun', { secret: secret! })).toEqual({ open: false })
  }
  expect(await command(['first-run'], environmentIn(folder))).toMatchObject({ code: 1, printed: '' })
  expect(await command(['first-run', 'now'], environmentIn(folder))).toMatchObject({ code: 2, printed: '' })
})

test('a password that is given makes no link', async () => {
  using folder = new Folder()
  const environment = { ...environmentIn(folder), ADMIN_PASSWORD: 'a long one that is hard to guess' }
  const server = await openServer(readConfig(environment), { passwords: cheapPasswords })
  expect(server.firstRun).toMatchObject({ secret: undefined, generatedPassword: undefined })
  await server.close()
})
