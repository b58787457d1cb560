import { describe, expect, test } from 'vitest'
import { write } from '../beside.ts'
import { settingsFor } from '../filled-database.ts'
import { command } from '../run-command.ts'
import { disagreements, leftovers } from './disagreements.ts'
import { aFile, doctor } from './inspected.ts'

describe('doctor', () => {
  test.each(disagreements)('finds %s', async (what, statements) => {
    const url = await aFile()
    await write(url, statements)
    const { code, problems, complaint } = await doctor(url)
    expect(problems).toContainEqual(expect.stringContaining(`There are ${what} (`))
    expect(complaint).toMatch(/^There (is 1 problem|are \d+ problems)\.$/)
    expect(code).toBe(1)
  })

  test.each(leftovers)('warns of %s', async (_what, statement, words) => {
    const url = await aFile()
    await write(url, statement)
    // Rows that the statement changed by hand have to be indexed as well.
    expect(await command(['index', 'rebuild'], settingsFor(url))).toMatchObject({ code: 0 })
    const { code, warnings, problems } = await doctor(url)
    expect({ code, problems }).toEqual({ code: 0, problems: [] })
    expect(warnings).toEqual([expect.stringMatching(words)])
  })

  test('finds references to nothing', async () => {
    const url = await aFile()
    await write(url, "update members set user_id = 'nobody' where user_id = (select user_id from members limit 1)")
    const { code, problems } = await doctor(url)
    expect(code).toBe(1)
    expect(problems).toEqual([
      'The file is damaged: rows of members refer to rows of users that are gone. Restore a backup.',
      expect.stringContaining('There are memberships of a user or a group that is gone'),
    ])
  })
})
