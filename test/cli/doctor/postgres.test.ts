import { describe, expect, test } from 'vitest'
import { aPostgres, doctor, write } from './inspected.ts'

describe('doctor on PostgreSQL', () => {
  test('finds an invalid index, a constraint that was never checked, and a sequence that is behind', async () => {
    const url = await aPostgres()
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
    const url = await aPostgres()
    await write(url, `alter database "${new URL(url).pathname.slice(1)}" set synchronous_commit = off`)
    expect(await doctor(url)).toMatchObject({
      code: 1,
      problems: [expect.stringMatching(/synchronous_commit=off loses acknowledged writes\. Servers refuse/)],
    })
  })
})
