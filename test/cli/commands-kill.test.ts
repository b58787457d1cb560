import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { noSessions, Postgres } from '../support/databases/postgres.ts'
import { Folder, run } from '../support/portal/process.ts'
import { count, query } from './beside.ts'
import { openOn, settingsFor } from './filled-database.ts'
import { command } from './run-command.ts'

let postgres: Postgres
beforeAll(async () => {
  postgres = await Postgres.open()
})
afterAll(() => postgres[Symbol.asyncDispose]())

const killedAtStatement = fileURLToPath(new URL('./killed-at-statement.mjs', import.meta.url))
const items = 170

describe.each(['SQLite', 'PostgreSQL'])('on %s', (engine) => {
  async function createDatabase() {
    const folder = new Folder()
    const url = engine === 'SQLite' ? `file:${join(folder.path, 'maps.db')}` : await postgres.createDatabase()
    const ended = async () => {
      if (engine === 'PostgreSQL') await noSessions(url)
    }
    /** Kills a command later and later, until it ends by itself: the number of statements per step is not specified. */
    const killLater = async (words: readonly string[], first: number, look: () => Promise<void>) => {
      for (let killAt = first, isKilled = true; isKilled; killAt = Math.ceil(killAt * 1.7)) {
        const { code, err } = await run({
          folder: folder.path,
          words,
          environment: { ...settingsFor(url), KILL_AT: String(killAt) },
          nodeWords: ['--import', killedAtStatement],
        })
        isKilled = code === null
        if (!isKilled) expect([code, err]).toEqual([0, ''])
        await ended()
        await look()
      }
    }
    return { url, ended, killLater, [Symbol.dispose]: () => folder[Symbol.dispose]() }
  }

  test('housekeeping that is killed while links of a removed group and of a former member end goes on after it', {
    timeout: 240_000,
  }, async () => {
    using database = await createDatabase()
    const { url, ended, killLater } = database
    {
      await using portal = await openOn(url)
      const admin = await portal.admin()
      const anna = await admin.invite('anna')
      const groups = [await admin.createGroup('Left'), await admin.createGroup('Removed')].map(({ id }) => id)
      for (const id of groups) await admin.post(`/community/groups/${id}/addUsers`, { users: 'anna' })
      for (let at = 0; at < items; at += 1) {
        const { id } = await anna.post('/content/users/anna/addItem', { title: `Lake ${at}`, type: 'Web Map' })
        await anna.post(`/content/users/anna/items/${id}/share`, { groups: groups.join() })
      }
      expect(await anna.post(`/community/groups/${groups[0]}/leave`)).toMatchObject({ success: true })
      expect(await admin.post(`/community/groups/${groups[1]}/delete`)).toMatchObject({ success: true })
    }
    await ended()
    const left: number[] = []
    const doctor = async () => {
      const { code, printed } = await command(['doctor'], settingsFor(url))
      expect([code, printed]).toEqual([0, expect.stringContaining('The index of the search agrees')])
      left.push(await count(url, 'item_groups'))
    }
    await doctor()
    await killLater(['prune', '--yes'], 150, doctor)
    expect(await command(['prune', '--yes'], settingsFor(url))).toMatchObject({ code: 0 })
    await doctor()
    // At least one was killed when it had ended some and not all.
    expect(left.slice(1, -1).filter((links) => links < left[0]! && links > 0).length).toBeGreaterThan(0)
    expect(left.at(-1)).toBe(0)
    expect(await count(url, 'ended_links')).toBe(0)
  })

  test('an erasure that is killed goes on under the same alias', async () => {
    using database = await createDatabase()
    const { url, ended, killLater } = database
    {
      await using portal = await openOn(url)
      const admin = await portal.admin()
      const anna = await admin.invite('anna')
      await anna.post('/community/users/anna/update', { fullname: 'Anna' })
      expect(await admin.post('/community/users/anna/delete')).toMatchObject({ success: true })
    }
    await ended()
    const columns = 'happened_at, username, portal_id, address, operation, target, outcome, request_id'
    for (let times = 0; times < 8; times += 1) {
      await query(url, `insert into audit (${columns}) select ${columns} from audit where username = 'anna'`)
    }
    const left: number[] = []
    await killLater(['user', 'erase', 'anna', '--yes'], 100, async () => {
      left.push(await count(url, "audit where username = 'anna'"))
    })
    // At least one was killed when it had replaced some and not all.
    expect(left.filter((rows) => rows > 0 && rows < left[0]!).length).toBeGreaterThan(0)
    expect(left.at(-1)).toBe(0)
    expect(await query(url, "select distinct username from audit where username like 'former-%'")).toHaveLength(1)
    expect(await count(url, "audit where operation = 'eraseUser'")).toBe(1)
    expect(await command(['doctor'], settingsFor(url))).toMatchObject({ code: 0 })
  })
})
