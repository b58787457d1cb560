import Database from 'better-sqlite3'
import { type SqlBool, sql } from 'kysely'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type GroupFields, groupSortFields } from '../../../src/directory/group-search.ts'
import type { DirectoryReader, GroupViewer } from '../../../src/directory/store.ts'
import type { Condition } from '../../../src/search/condition.ts'
import { openKysely } from '../../../src/storage/sqlite/dialect.ts'
import { searchOn } from '../../../src/storage/sqlite/searcher.ts'
import { StorageUnavailable } from '../../../src/storage/storage.ts'
import { countFolded } from '../../../src/storage/stores/items/index/facets.ts'
import { rebuildIndex } from '../../../src/storage/stores/items/index/rebuild.ts'
import { openStores } from '../../../src/storage/stores.ts'
import { Folder } from '../../support/portal/process.ts'
import { rejectionOf } from '../../support/rejection.ts'
import { addPeople, anId, aPortal } from '../contract/records.ts'
import { openWorkFile } from '../work-storage.ts'

const rows = 500
const { portalId } = aPortal()
const viewer: GroupViewer = { userId: anId(1), portalId, canViewOrganizationGroups: true, canViewEveryGroup: true }
const page = { start: 1, num: 10 }

/** A file with many public groups of text that repeats one letter, many users, and all of them in one group. */
let file: string

beforeAll(async () => {
  const folder = new Folder()
  file = `${folder.path}/cartulary.db`
  const storage = await openWorkFile(file)
  await addPeople(storage)
  await storage.close()
  const connection = new Database(file)
  connection.exec(`
    with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${rows})
    insert into groups (group_id, portal_id, owner_id, title, description, snippet, tags, title_key, access, sort_field, sort_order, is_view_only, is_invitation_only, auto_join, is_protected, created_at,
      modified_at)
    select printf('%032x', n), '${portalId}', '${anId(1)}', 'e', '', printf('%.2000c', 'e'), '[]', 'e',
      'public', 'title', 'asc', 0, 1, 0, 0, n, n from numbers;
    with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${rows})
    insert into users (user_id, username, username_key, portal_id, full_name, first_name, last_name, email, description,
      access, role, disabled, password_hash, created_at, modified_at)
    select printf('%032x', n + 100000), 'u' || n, 'u' || n, '${portalId}', '', '', '', '', '', 'org', 'org_user', 0, '',
      n, n from numbers;
    insert into members select printf('%032x', 1), user_id, 'member', 0 from users where username like 'u%'`)
  connection.close()
  const indexing = new Database(file)
  await rebuildIndex(openKysely(indexing))
  indexing.close()
  return () => folder[Symbol.dispose]()
})

const conditions: readonly (readonly [string, Condition<GroupFields>])[] = [
  ['everything', { kind: 'all' }],
  ['a word', { kind: 'words', fields: ['title'], words: ['e'], isPrefix: false }],
  ['a pattern that nothing has', { kind: 'pattern', field: 'owner', pattern: 'e*x' }],
]
const everyGroup = { condition: { kind: 'all' }, sortField: 'title', sortOrder: 'asc' } as const
const everySearch: readonly (readonly [string, (directory: DirectoryReader) => Promise<{ total: number }>])[] = [
  ...groupSortFields.flatMap((sortField) =>
    conditions.map(
      ([name, condition]) =>
        [
          `groups by ${name}, sorted by ${sortField}`,
          (directory: DirectoryReader) =>
            directory.searchGroups(viewer, { condition, sortField, sortOrder: 'desc' }, page),
        ] as const,
    ),
  ),
  ['groups beyond the last page', (directory) => directory.searchGroups(viewer, everyGroup, { start: 9_999, num: 10 })],
  [
    'users by a pattern that nothing has',
    (directory) =>
      directory.searchUsers(
        portalId,
        { condition: { kind: 'pattern', field: 'username', pattern: 'e*x' }, sortField: 'username', sortOrder: 'asc' },
        page,
      ),
  ],
  ['users', (directory) => directory.listUsers(portalId, page)],
  ['users that a member sees', (directory) => directory.listUsers(portalId, page, { seenBy: anId(1) })],
  ['members of a group', (directory) => directory.listMembers(anId(1), 10)],
]

describe('on SQLite', () => {
  function connect(): Database.Database {
    const connection = new Database(file, { readonly: true })
    onTestFinished(() => void connection.close())
    return connection
  }

  /** Stores whose searches count how often the deadline is looked at. */
  function connectCounting() {
    const connection = connect()
    let calls = 0
    connection.function('is_counted', { deterministic: false }, () => {
      calls += 1
      return 1
    })
    const { directory } = openStores(openKysely(connection), { deadlineCondition: sql<SqlBool>`is_counted()` })
    return { directory, calls: () => calls }
  }

  test.each(everySearch)('each row that is looked at for %s calls the deadline', async (_, search) => {
    const { directory, calls } = connectCounting()
    await search(directory)
    expect(calls()).toBeGreaterThanOrEqual(rows)
  })

  test.each(everySearch)('a search for %s ends at its deadline', async (_, search) => {
    const { run } = searchOn<typeof search>(connect(), ({ directory }, asked) => asked(directory))
    const late = await rejectionOf(run(search, performance.now() - 1), StorageUnavailable)
    expect(late.message).toBe('The search took too long.')
    expect(await run(search, performance.now() + 3_600_000)).toHaveProperty('total')
  })

  test('SQLite is free to call the deadline once only if it is deterministic: it is not', () => {
    const connection = connect()
    searchOn(connection, async () => undefined)
    const deterministic = 0x800
    const [found] = connection.prepare("select flags from pragma_function_list where name = 'is_before_deadline'").all()
    expect((found as { flags: number }).flags & deterministic).toBe(0)
  })

  test('page and total are found in one pass over the groups', async () => {
    const { directory, calls } = connectCounting()
    const found = await directory.searchGroups(viewer, everyGroup, page)
    expect([found.total, found.entries.length, calls()]).toEqual([rows, 10, rows])
  })
})

test('the clock is looked at often while long texts are folded, so that on PostgreSQL others are answered', async () => {
  const counted = Array.from({ length: 10_000 }, (_, at) => ({ value: `${at}`.padEnd(128, 'ế'), number: 1 }))
  let looks = 0
  const look = async () => {
    looks += 1
  }
  expect(await countFolded(look, counted)).toHaveLength(counted.length)
  expect(looks).toBeGreaterThan(40)
})
