import { expect, test } from 'vitest'
import { temporaryFile } from '../storage/sqlite/temporary-file.ts'
import { noSessions } from '../support/databases/postgres.ts'
import { until } from '../support/until.ts'
import { count, query, write } from './beside.ts'
import { copyOf, ownEngine } from './copied-database.ts'
import { aFilled, filledFile, openOn, requireMemory, settingsFor } from './filled-database.ts'
import { command, served } from './run-command.ts'

const limits = { LIMIT_SCHEMA_VERSIONS: '2', AUDIT_RETENTION_DAYS: '30', DELETED_GROUP_RETENTION_DAYS: '1' }

let grown: Promise<string> | undefined

/** A database with so many versions more than the limit, old audit entries, and a group that was deleted long ago; its URL. */
async function aGrown(): Promise<string> {
  grown ??= grow()
  return copyOf(await grown)
}

async function grow(): Promise<string> {
  const url = await aFilled(ownEngine, { isKept: true })
  const portal = await openOn(url)
  const admin = await portal.admin()
  for (let number = 1; number <= 9; number += 1) {
    const categorySchema = { categorySchema: [{ title: `Number ${number}` }] }
    await admin.post('/portals/self/assignCategorySchema', { categorySchema })
  }
  await portal.server.close()
  const longAgo = Date.now() - 40 * 86_400_000
  await write(url, `update audit set happened_at = ${longAgo}, checksum = null where id <= 100`)
  await write(url, `update category_schemas set group_deleted_at = ${longAgo} where group_deleted_at is not null`)
  if (ownEngine === 'PostgreSQL') await noSessions(url)
  return url
}

/** Entries but those of links that end with the deleted group, which are a part of the work. */
const entries = "audit where not (operation = 'unshareItems' and username is null)"
const deleted = 'category_schemas where group_deleted_at is not null'
const ofPortal = "category_schema_versions where owner_kind = 'portal'"

test('prune says what is above the limits, removes it with --yes, and nothing else', async () => {
  const url = await aGrown()
  const environment = { ...settingsFor(url), ...limits }
  const before = [await count(url, ofPortal), await count(url, entries)]
  const preview = await command(['prune'], environment)
  expect(preview.code).toBe(0)
  expect(preview.printed).toMatch(
    /^Versions of category schemas above the limits: 10 or more, of 2 groups and organizations\.\nAudit entries older than 30 days: 100\.\nNothing was removed\. /,
  )
  expect([await count(url, ofPortal), await count(url, entries)]).toEqual(before)

  const pruned = await command(['prune', '--yes'], environment)
  expect(pruned.complaint).toBe('')
  expect(pruned.printed).toBe('Removed 10 versions and 100 audit entries.')
  expect([await count(url, ofPortal), await count(url, entries)]).toEqual([2, before[1]! - 100])
  expect(await count(url, deleted)).toBe(0)
  expect((await command(['prune', '--yes'], environment)).printed).toMatch(/^Removed 0 versions and 0 /)
  expect((await command(['doctor'], environment)).printed).toMatch(/^There are no problems, but \d warnings?\.$/m)
  await requireMemory(url, (await filledFile()).memory)
})

test('with a number of days, versions are removed that were replaced before', async () => {
  const url = await aGrown()
  const environment = { ...settingsFor(url), SCHEMA_VERSION_RETENTION_DAYS: '30' }
  const kept = await count(url, ofPortal)
  expect((await command(['prune', '--yes'], environment)).printed).toMatch(/^Removed 0 versions /)
  const longAgo = Date.now() - 31 * 86_400_000
  // Version 3 was in force 30 days ago.
  await write(
    url,
    `update category_schema_versions set assigned_at = ${longAgo} where owner_kind = 'portal' and version < 4;
     update category_schemas set removable_since = ${longAgo} where owner_kind = 'portal' and removable_since is not null`,
  )
  expect((await command(['prune'], environment)).printed).toMatch(/ 1 or more, of 1 groups /)
  expect((await command(['prune', '--yes'], environment)).printed).toMatch(/^Removed 2 versions /)
  expect(await count(url, ofPortal)).toBe(kept - 2)
  expect((await command(['prune', '--yes'], environment)).printed).toMatch(/^Removed 0 versions /)
})

test('a server removes by itself what is above the limits', async () => {
  const url = await aGrown()
  await using server = await served({ ...settingsFor(url), ...limits, LOG_LEVEL: 'info' })
  const left = async () => [
    await count(url, ofPortal),
    await count(url, 'audit where id <= 100'),
    await count(url, deleted),
  ]
  await until('it is removed', async () => (await left()).join() === '2,0,0')
  await until('it is said', () => /INFO +retention .*versions=\d+ .*entries=100/.test(server.said()))
  const counted = async () =>
    (await query(url, 'select sum(kept_versions) as count from category_schemas'))[0]!['count']
  await until('it is counted', async () => Number(await counted()) > 0)
})

test('prune refuses what it cannot do in one sentence', async () => {
  const url = `file:${temporaryFile()}`
  expect((await command(['prune'], settingsFor(url))).complaint).toMatch(/^There is no database at /)
  // Servers on PostgreSQL let others write beside them.
  const present = await aFilled('SQLite')
  await using portal = await openOn(present)
  expect(portal.server).toBeDefined()
  expect((await command(['prune', '--yes'], settingsFor(present))).complaint).toMatch(/is in use by another process/)
  expect((await command(['prune'], settingsFor(present))).code).toBe(0)
})
