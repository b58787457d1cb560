import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { write } from '../beside.ts'
import { openOn, settingsFor } from '../filled-database.ts'
import { command } from '../run-command.ts'
import { aDatabase, doctor, schema } from './inspected.ts'

describe('doctor', () => {
  test('finds nothing wrong with a database that the program filled, beside a server and without one', async () => {
    const url = await aDatabase()
    const healthy = {
      code: 0,
      complaint: '',
      problems: [],
      warnings: [],
      lines: expect.arrayContaining([
        'ok       The settings can be read.',
        'ok       The tables are those of this version.',
        'ok       The rows agree with each other.',
        'ok       The secret opens the private key of every organization.',
        'There are no problems.',
      ]),
    }
    expect(await doctor(url)).toMatchObject(healthy)
    await using _server = await openOn(url)
    expect(await doctor(url)).toMatchObject(healthy)
  })

  test('leaves out what reads every row where it is to be quick, and says so', async () => {
    const url = await aDatabase()
    await write(url, 'update audit set checksum = -1')
    expect((await doctor(url)).problems).toHaveLength(21)
    const quick = await doctor(url, {}, '--quick')
    expect(quick).toMatchObject({ code: 0, problems: [], warnings: [] })
    expect(quick.lines.slice(-2)).toEqual([
      expect.stringMatching(/^Not looked at, as --quick was given: .* categories of items\.$/),
      'There are no problems.',
    ])
    await write(url, "update users set role = 'gone'")
    expect((await doctor(url, {}, '--quick')).warnings).toEqual([
      expect.stringContaining('Users have a role that is gone'),
      expect.stringContaining('Organizations have no administrator'),
    ])
  })

  test('finds documents that are not what was written, says where and what to do, and nothing wrong of others', async () => {
    const url = await aDatabase()
    await write(url, 'update audit set checksum = null; update items set checksum = null where id = 1')
    expect(await doctor(url)).toMatchObject({
      code: 0,
      problems: [],
      lines: expect.arrayContaining([
        expect.stringMatching(
          /^ok {7}Every stored document with a checksum is what was written\. [\d,]+ have no checksum yet: servers add it\.$/,
        ),
      ]),
    })
    const first = '(select min(id) from audit where data is not null)'
    await write(
      url,
      `update category_schema_versions set document = '{{{{{"[' where owner_id = ${schema(1)};
        update item_texts set text = text || ' ' where item_number = (select min(item_number) from item_texts);
        update audit set data = '{', checksum = 7 where id = ${first}`,
    )
    const { code, problems } = await doctor(url)
    expect(code).toBe(1)
    const damaged = problems.filter((line) => line.includes('checksum'))
    const words = (place: string) =>
      expect.stringMatching(
        new RegExp(`^The row of ${place} is not what was written, as its checksum says: restore a backup\\.$`),
      )
    expect(damaged).toEqual([
      words('category_schema_versions \\(owner_kind group, owner_id [0-9a-f]{32}, version \\d+\\)'),
      words('item_texts \\(item_number \\d+\\)'),
      words('audit \\(id \\d+\\)'),
    ])
    // Problems that follow from it are not reported in addition.
    expect(problems.filter((line) => line.includes('index rebuild'))).toEqual([])
  })

  test('lists twenty damaged documents, and counts the others', async () => {
    const url = await aDatabase()
    await write(url, 'update audit set checksum = -1 where id in (select id from audit order by id limit 23)')
    const { problems } = await doctor(url)
    expect(problems).toHaveLength(21)
    expect(problems[20]).toBe('So are 3 more rows.')
  })

  test('lists the largest owners of items by their ids', async () => {
    const url = await aDatabase()
    // Organizations are counted by housekeeping.
    await command(['prune', '--yes'], settingsFor(url))
    await write(url, 'update item_counts set bytes = bytes + 123456789')
    const { lines } = await doctor(url)
    const first = lines.findIndex((line) => line.includes('The largest owners of items, versions, drafts and jobs:'))
    const listed = lines.slice(first + 1).filter((line) => /^ {11}/.test(line))
    expect(listed).toContainEqual(expect.stringMatching(/^ +organization \w+: 123,4\d\d,\d{3} bytes, [\d,]+ items$/))
    expect(listed).toContainEqual(expect.stringMatching(/^ +user [0-9a-f]{32}: 123,4\d\d,\d{3} bytes, [\d,]+ items$/))
  })

  test('finds a newer version, an unfinished move, and another secret', async () => {
    const url = await aDatabase()
    await write(url, "insert into kysely_migration values ('999-later', '2030-01-01')")
    await write(url, 'create table unfinished_move (source text, fingerprint text)')
    await write(url, "insert into unfinished_move values ('file:/old.db', 'f')")
    const { code, problems } = await doctor(url, { SECRET_KEY: 'another secret, which is just as long as that' })
    expect(code).toBe(1)
    expect(problems).toEqual([
      'A move into this database was not finished: run "cartulary migrate-data --from file:/old.db --to …" again.',
      'The database was migrated by a newer version of Cartulary (migration 999-later); install that version.',
      'The secret does not open the private keys of 2 of 2 organizations: it is another one.',
    ])
  })

  test('changes nothing in the database, and migrates nothing', async () => {
    const url = await aDatabase()
    await write(url, 'delete from kysely_migration')
    const { warnings } = await doctor(url)
    expect(warnings).toEqual(expect.arrayContaining([expect.stringContaining('The database has no tables yet')]))
    const again = await doctor(url)
    expect(again.warnings).toEqual(warnings)
  })
})

test.each([
  ['settings that contradict each other', { PORT: 'many' }, 'PORT is many; it has to be a whole number'],
  [
    'a database that is not there',
    { DATABASE_URL: 'file:/nowhere/maps.db' },
    'There is no database at /nowhere/maps.db.',
  ],
  ['a database in memory', { DATABASE_URL: 'file::memory:' }, 'The database is in memory'],
  [
    'a server that does not answer',
    { DATABASE_URL: 'postgres://u:hidden@127.0.0.1:1/maps' },
    'The database does not answer',
  ],
])('cannot look with %s, and ends with 2', async (_what, settings, words) => {
  const { code, lines, problems } = await doctor('file:/nowhere/maps.db', settings)
  expect(code).toBe(2)
  expect(problems).toEqual([expect.stringContaining(words)])
  expect(lines.join()).not.toContain('hidden')
  expect(existsSync('/nowhere')).toBe(false)
})
