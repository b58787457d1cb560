import { existsSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { temporaryFile } from '../storage/sqlite/temporary-file.ts'
import { query } from './beside.ts'
import {
  backupsNeedIt,
  before,
  during,
  firstSecret,
  openRotatable,
  openWith,
  readSealedKeys,
  resealed,
  rotate,
  secondSecret,
  settingsFor,
  sign,
} from './rotated-database.ts'
import { command } from './run-command.ts'

const missingFile = (path: string) =>
  `The file of the secret, ${path}, is missing: the private keys in this database need it. Put it back; if it is lost ` +
  'for good, "cartulary secret renew" says how to go on without it.'

test('secret rotate is refused while a server owns the SQLite file', async () => {
  const url = await openRotatable('SQLite')
  const keys = await readSealedKeys(url)
  await using portal = await openWith(url, during)
  expect(await rotate(url, during)).toEqual({
    code: 1,
    printed: '',
    complaint: expect.stringMatching(/^The database \S+ is in use by another process; stop that one first\.$/),
  })
  expect(await readSealedKeys(url)).toEqual(keys)
  expect(await sign(portal)).toBe(2)
})

test('secret rotate says what is not sealed under the present secret after it has run', async () => {
  const url = await openRotatable('SQLite')
  await query(
    url,
    `create trigger stubborn after update of sealed_private_key on portals begin
       update portals set sealed_private_key = old.sealed_private_key where portal_id = new.portal_id;
     end`,
  )
  expect(await rotate(url, during)).toMatchObject({
    code: 1,
    printed: '',
    complaint: expect.stringMatching(
      /^The private keys of 2 of 2 organizations were made under another secret meanwhile: /,
    ),
  })
})

describe('the secrets of a rotation in files', () => {
  async function openFiles() {
    const url = await openRotatable('SQLite')
    const file = url.slice('file:'.length)
    const present = `${file}.key`
    const previous = `${file}.key.previous`
    writeFileSync(previous, `${firstSecret}\n`, { mode: 0o600 })
    return { url, present, previous, settings: { DATABASE_URL: url, PREVIOUS_SECRET_KEY_FILE: previous } }
  }

  test('lead from one to the next', async () => {
    const { present, previous, settings } = await openFiles()
    writeFileSync(present, `${secondSecret}\n`, { mode: 0o600 })
    expect((await command(['secret', 'rotate'], settings)).printed).toBe(`${resealed(2)}\n${backupsNeedIt}`)
    expect((await command(['doctor'], { ...settings, PREVIOUS_SECRET_KEY_FILE: '' })).code).toBe(0)
    expect((await command(['backup', `${present}.copy`], settings)).printed).toMatch(
      new RegExp(`^The secrets in ${RegExp.escape(present)} and ${RegExp.escape(previous)} are not in it`, 'm'),
    )
  })

  test('are not made: neither the previous one nor, where there are keys, the present one', async () => {
    const { url, present, previous, settings } = await openFiles()
    expect(await command(['secret', 'rotate'], settings)).toMatchObject({
      code: 1,
      complaint: missingFile(present),
    })
    const missing = { ...settingsFor(url, before), PREVIOUS_SECRET_KEY_FILE: `${previous}.missing` }
    expect(await command(['secret', 'rotate'], missing)).toMatchObject({
      code: 1,
      complaint: missingFile(`${previous}.missing`),
    })
    expect((await command(['doctor'], missing)).printed).toContain(
      `problem  The secret is missing from ${previous}.missing, or too short`,
    )
    expect([present, `${previous}.missing`].map((path) => existsSync(path))).toEqual([false, false])
  })
})

test('secret rotate makes no database where there is none', async () => {
  const file = temporaryFile()
  expect(await rotate(`file:${file}`, during)).toMatchObject({ code: 1, complaint: `There is no database at ${file}.` })
  expect(existsSync(file)).toBe(false)
})
