import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { adminPassword } from '../support/portal/portal.ts'
import { Folder, serve } from '../support/portal/process.ts'
import { settingsFor } from './filled-database.ts'
import { command } from './run-command.ts'

test('a backup beside a server that is written to holds everything that was acknowledged before it began', async () => {
  using folder = new Folder()
  const file = join(folder.path, 'maps.db')
  const environment = { ...settingsFor(`file:${file}`), LOG_LEVEL: 'silent' }
  await using server = await serve({ folder: folder.path, environment })
  const authorization = { authorization: `Bearer ${await server.signIn('admin', adminPassword)}` }
  const acknowledged: string[] = []
  let isOver = false
  const writing = Promise.all(
    Array.from({ length: 4 }, async (_, writer) => {
      for (let index = 0; !isOver; index += 1) {
        const title = `Group ${writer}.${index}`
        const parameters = { title, description: 'x'.repeat(1_000) }
        expect(await server.post('/community/createGroup', parameters, authorization)).toHaveProperty('group.id')
        acknowledged.push(title)
      }
    }),
  )
  let meanwhile = 0
  // Until something was written while a copy was made.
  for (let round = 0; round < 2 || meanwhile === 0; round += 1) {
    const enough = acknowledged.length + 20
    while (acknowledged.length < enough) await Promise.race([setImmediate(), writing])
    const copy = join(folder.path, `copy${round}.db`)
    const before = [...acknowledged]
    expect(await command(['backup', copy], environment)).toMatchObject({ code: 0, complaint: '' })
    meanwhile += acknowledged.length - before.length
    using database = openReadOnly(copy)
    expect(database.all('pragma integrity_check')).toEqual(['ok'])
    expect(database.all('pragma foreign_key_check')).toEqual([])
    const kept = new Set(database.all('select title from groups'))
    expect(before.filter((title) => !kept.has(title))).toEqual([])
    // One consistent moment: as many groups as audit entries of their creation.
    expect(database.all("select count(*) from audit where operation = 'createGroup'")).toEqual([kept.size])
    const files = readdirSync(folder.path).filter((name) => name.startsWith(basename(copy)))
    expect(files.sort()).toEqual([basename(copy), `${basename(copy)}.sha256`])
  }
  isOver = true
  await writing
})

test('a command beside a server that is written to all the time succeeds, and no write of the server fails', async () => {
  using folder = new Folder()
  const settings = settingsFor(`file:${join(folder.path, 'maps.db')}`)
  await using server = await serve({ folder: folder.path, environment: settings })
  const token = await server.signIn('admin', adminPassword)
  let isOver = false
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    const answers = new Set<string>()
    for (let round = 0; !isOver; round += 1) {
      const description = `Round ${writer}.${round}`
      const answer = await server.post('/portals/self/update', { token, description })
      answers.add(answer.success ? 'success' : JSON.stringify(answer))
    }
    return [...answers]
  })
  for (const name of ['one', 'two']) {
    const words = ['organization', 'create', '--name', name, '--admin', `admin-${name}`, '--password-stdin']
    expect(await command(words, settings, new AbortController().signal, adminPassword)).toMatchObject({
      code: 0,
      complaint: '',
    })
    expect(await server.signIn(`admin-${name}`, adminPassword)).toMatch(/^\S{43}$/)
  }
  isOver = true
  expect(await Promise.all(writers)).toEqual(writers.map(() => ['success']))
})

function openReadOnly(file: string) {
  const database = new Database(file, { readonly: true })
  return {
    all: (statement: string) => database.prepare(statement).pluck().all(),
    [Symbol.dispose]: () => database.close(),
  }
}
