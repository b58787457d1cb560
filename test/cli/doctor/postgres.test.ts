import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openPostgres } from '../../../src/storage/postgres/postgres.ts'
import { runWork } from '../../storage/work-storage.ts'
import { emptyDatabase } from '../../support/databases/test-database.ts'
import { Folder } from '../../support/portal/process.ts'
import { write } from '../beside.ts'
import { filledFile } from '../filled-database.ts'
import { disagreements, leftovers } from './disagreements.ts'
import { aDatabase, doctor } from './inspected.ts'

describe('doctor on PostgreSQL', () => {
  test('finds an invalid index, a constraint that was never checked, and a sequence that is behind', async () => {
    const url = await aDatabase('PostgreSQL')
    await write(url, "update pg_index set indisvalid = false where indexrelid = 'users_by_role'::regclass")
    await write(url, 'alter table audit add constraint outcomes check (outcome > 0) not valid')
    await write(url, "select setval(pg_get_serial_sequence('audit', 'id'), 3)")
    const { code, problems } = await doctor(url)
    expect(code).toBe(1)
    expect(problems).toEqual([
      'The index users_by_role is invalid: run "reindex index users_by_role".',
      expect.stringContaining('The constraint outcomes was never checked'),
      expect.stringContaining('The sequence of audit is behind its highest id'),
    ])
  })

  test('finds a server that loses what it acknowledged', async () => {
    const url = await aDatabase('PostgreSQL')
    await write(url, `alter database "${new URL(url).pathname.slice(1)}" set synchronous_commit = off`)
    expect(await doctor(url)).toMatchObject({
      code: 1,
      problems: [expect.stringMatching(/synchronous_commit=off loses acknowledged writes\. Servers refuse/)],
    })
  })

  test('finds a folder of the search replica that cannot be written to, and warns of one that is not there', async () => {
    const url = await aDatabase('PostgreSQL')
    using folder = new Folder()
    const [file, absent] = [join(folder.path, 'file'), join(folder.path, 'absent')]
    writeFileSync(file, '')
    const lookAt = async (path: string) => {
      const { code, lines } = await doctor(url, { SEARCH_REPLICA: path })
      return {
        code,
        said: lines.filter((line) => line.includes('SEARCH_REPLICA') || line.includes('search replica can')),
      }
    }
    expect(await lookAt(file)).toEqual({
      code: 1,
      said: [`problem  The search replica cannot be written to ${file}, SEARCH_REPLICA: it is no folder.`],
    })
    expect(await lookAt(absent)).toEqual({
      code: 0,
      said: [`warning  The folder ${absent} of SEARCH_REPLICA is not there: is its disk mounted? A server makes it.`],
    })
    expect(await lookAt(folder.path)).toEqual({
      code: 0,
      said: [`ok       The search replica can be written to ${folder.path}.`],
    })
    expect((await lookAt('auto')).said).toEqual([])
  })

  test('finds every disagreement, and warns of whatever may not be wanted', async () => {
    const url = await aDatabase('PostgreSQL')
    for (const [, statements] of [...disagreements, ...leftovers]) await write(url, statements)
    const { code, problems, warnings } = await doctor(url)
    expect(code).toBe(1)
    for (const [what] of disagreements) {
      expect(problems).toContainEqual(expect.stringContaining(`There are ${what} (`))
    }
    for (const [, , words] of leftovers) expect(warnings).toContainEqual(expect.stringMatching(words))
  })

  test('calls tables of another role a problem, as a restore without the role of the server leaves them, and so does a start', async () => {
    const url = await aDatabase('PostgreSQL')
    const other = new URL(url)
    other.username = `other_${other.pathname.slice(1)}`
    other.password = 'x'
    await write(url, `create role ${other.username} login password 'x'`)
    onTestFinished(() => write(url, `drop role ${other.username}`))
    const sentence =
      /^The database cannot be used: permission denied for \S+ \S+ \(42501\)\. The role of DATABASE_URL has to own the tables: restore with "pg_restore --no-owner --role=<role>", or run "reassign owned"\.$/
    const { code, problems } = await doctor(other.href)
    expect({ code, problems }).toEqual({ code: 2, problems: [expect.stringMatching(sentence)] })
    await expect(openPostgres({ url: other.href, connections: 1 }, runWork)).rejects.toThrow(sentence)
  })

  test('looks at the backups of a server too', async () => {
    const url = await aDatabase('PostgreSQL')
    using folder = new Folder()
    const anHourAgo = new Date(Date.now() - 3_600_000).toISOString().replaceAll(':', '-')
    const name = `${new URL(url).pathname.slice(1)}.postgres-${anHourAgo}.db`
    copyFileSync((await filledFile()).file, join(folder.path, name))
    const { lines } = await doctor(url, { BACKUP_DIR: folder.path })
    expect(lines).toContainEqual(
      expect.stringMatching(/^ok {7}The latest backup, .*, and can be opened; there are 1\.$/),
    )
  })

  test('calls a database of another program a problem', async () => {
    const url = await emptyDatabase()
    await write(url, 'create table users (name text)')
    const { code, problems } = await doctor(url)
    expect(code).toBe(1)
    expect(problems).toContainEqual(
      expect.stringContaining('The database has tables that Cartulary did not create (first: users)'),
    )
  })
})
