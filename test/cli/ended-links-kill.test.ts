import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { noSessions, Postgres, queryAt } from '../support/databases/postgres.ts'
import { Folder, run } from '../support/portal/process.ts'
import { openOn, settingsFor } from './filled-database.ts'
import { command } from './run-command.ts'

let postgres: Postgres
beforeAll(async () => {
  postgres = await Postgres.open()
})
afterAll(() => postgres[Symbol.asyncDispose]())

const databases = {
  SQLite: async (folder: string) => ({ url: `file:${join(folder, 'maps.db')}`, ended: async () => undefined }),
  PostgreSQL: async () => {
    const url = await postgres.createDatabase()
    return { url, ended: () => noSessions(url) }
  },
}

const killedAtStatement = fileURLToPath(new URL('./killed-at-statement.mjs', import.meta.url))
const items = 170

async function count(url: string, table: string): Promise<number> {
  const query = `select count(*) as total from ${table}`
  if (!url.startsWith('file:')) return Number((await queryAt<{ total: string }>(url, query))[0]!.total)
  const database = new Database(url.slice('file:'.length), { readonly: true })
  const total = database.prepare<[], number>(query).pluck().get()!
  database.close()
  return total
}

test.each(Object.entries(databases))(
  'on %s, housekeeping that is killed while links of a removed group and of a former member end goes on after it',
  { timeout: 240_000 },
  async (_, open) => {
    using folder = new Folder()
    const { url, ended } = await open(folder.path)
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
    const seen: number[] = []
    const doctor = async () => {
      await ended()
      const { code, printed } = await command(['doctor'], settingsFor(url))
      expect([code, printed]).toEqual([0, expect.stringContaining('The index of the search agrees')])
      seen.push(await count(url, 'item_groups'))
    }
    await doctor()
    // Later and later, until the command ends by itself: the number of statements per step is not specified.
    for (let killAt = 150, isKilled = true; isKilled; killAt = Math.ceil(killAt * 1.7)) {
      const { code, err } = await run({
        folder: folder.path,
        words: ['prune', '--yes'],
        environment: { ...settingsFor(url), KILL_AT: String(killAt) },
        nodeWords: ['--import', killedAtStatement],
      })
      isKilled = code === null
      if (!isKilled) expect([code, err]).toEqual([0, ''])
      await doctor()
    }
    expect(await command(['prune', '--yes'], settingsFor(url))).toMatchObject({ code: 0 })
    await doctor()
    // At least one was killed when it had ended some and not all.
    expect(seen.slice(1, -1).filter((left) => left < seen[0]! && left > 0).length).toBeGreaterThan(0)
    expect(seen.at(-1)).toBe(0)
    expect(await count(url, 'ended_links')).toBe(0)
  },
)
