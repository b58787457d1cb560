import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { noSessions, Postgres } from '../support/databases/postgres.ts'
import { Folder, run } from '../support/portal/process.ts'
import { openOn, settingsFor } from './filled-database.ts'
import { query } from './rotated-database.ts'
import { command } from './run-command.ts'

let postgres: Postgres
beforeAll(async () => {
  postgres = await Postgres.open()
})
afterAll(() => postgres[Symbol.asyncDispose]())

const killedAtStatement = fileURLToPath(new URL('./killed-at-statement.mjs', import.meta.url))

test.each(['SQLite', 'PostgreSQL'])('on %s, an erasure that is killed goes on under the same alias', async (engine) => {
  using folder = new Folder()
  const url = engine === 'SQLite' ? `file:${join(folder.path, 'maps.db')}` : await postgres.createDatabase()
  {
    await using portal = await openOn(url)
    const admin = await portal.admin()
    const anna = await admin.invite('anna')
    await anna.post('/community/users/anna/update', { fullname: 'Anna' })
    expect(await admin.post('/community/users/anna/delete')).toMatchObject({ success: true })
  }
  if (engine === 'PostgreSQL') await noSessions(url)
  const columns = 'happened_at, username, portal_id, address, operation, target, outcome, request_id'
  for (let times = 0; times < 8; times += 1) {
    await query(url, `insert into audit (${columns}) select ${columns} from audit where username = 'anna'`)
  }
  const count = async (condition: string) => {
    if (engine === 'PostgreSQL') await noSessions(url)
    return Number((await query(url, `select count(*) as total from audit where ${condition}`))[0]!['total'])
  }
  const left: number[] = []
  for (let killAt = 100, isKilled = true; isKilled; killAt = Math.ceil(killAt * 1.7)) {
    const { code, err } = await run({
      folder: folder.path,
      words: ['user', 'erase', 'anna', '--yes'],
      environment: { ...settingsFor(url), KILL_AT: String(killAt) },
      nodeWords: ['--import', killedAtStatement],
    })
    isKilled = code === null
    if (!isKilled) expect([code, err]).toEqual([0, ''])
    left.push(await count("username = 'anna'"))
  }
  // At least one was killed when it had replaced some and not all.
  expect(left.filter((rows) => rows > 0 && rows < left[0]!).length).toBeGreaterThan(0)
  expect(left.at(-1)).toBe(0)
  expect(await query(url, "select distinct username from audit where username like 'former-%'")).toHaveLength(1)
  expect(await count("operation = 'eraseUser'")).toBe(1)
  expect(await command(['doctor'], settingsFor(url))).toMatchObject({ code: 0 })
})
