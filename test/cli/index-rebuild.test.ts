import { describe, expect, test } from 'vitest'
import { write } from './beside.ts'
import { ownEngine } from './copied-database.ts'
import { aFilled, settingsFor } from './filled-database.ts'
import { command } from './run-command.ts'

/** Lines that doctor prints about an index. */
async function ask(url: string, of: RegExp = /index of the search/): Promise<readonly string[]> {
  const { printed } = await command(['doctor'], settingsFor(url))
  return printed.split('\n').filter((line) => of.test(line))
}

const agrees = 'ok       The index of the search agrees with items, groups and users.'

const harms = [
  `update "groups" set title = 'Unheard' where group_id = (select min(group_id) from "groups")`,
  `update users set full_name = 'Unheard' where user_id = (select min(user_id) from users)`,
  'delete from group_index where number = (select min(number) from group_index)',
  `update user_index set digest = 'other' where number = (select min(number) from user_index)`,
  ...(ownEngine === 'SQLite' ? ['delete from user_words where rowid = 1'] : []),
]

describe('index rebuild', () => {
  test('mends an index of which doctor says that it was changed by hand', async () => {
    const url = await aFilled()
    expect(await ask(url)).toEqual([agrees])
    for (const harm of harms) {
      await write(url, harm)
      expect(await ask(url), harm).toEqual([
        'problem  The index of the search is not that of 1 items, groups or users: run "cartulary index rebuild".',
      ])
      const { code, printed } = await command(['index', 'rebuild'], settingsFor(url))
      expect({ code, printed }).toMatchObject({
        code: 0,
        printed: expect.stringMatching(/^Indexed [\d,]+ items, groups and users\.$/m),
      })
      expect(await ask(url), harm).toEqual([agrees])
    }
  })

  test('mends the index of the log where doctor finds entries that are not in it', async () => {
    const url = await aFilled()
    const ofLog = /audit log/
    const agreed = ['ok       Every entry of the audit log is in its index, or waits for it.']
    expect(await ask(url, ofLog)).toEqual(agreed)
    await write(url, 'delete from audit_unindexed where number = (select max(number) from audit_unindexed)')
    expect(await ask(url, ofLog)).toEqual([
      'problem  Searches of the audit log do not find 1 of its entries: run "cartulary index rebuild".',
    ])
    expect((await command(['index', 'rebuild'], settingsFor(url))).code).toBe(0)
    expect(await ask(url, ofLog)).toEqual(agreed)
  })

  test('mends the counts of tags where doctor finds other ones than items have', async () => {
    const url = await aFilled()
    const ofTags = /counts of tags/
    const agreed = ['ok       The counts of tags are those of the items.']
    expect(await ask(url, ofTags)).toEqual(agreed)
    await write(url, 'update owner_tags set items = items + 1 where tag = (select min(tag) from owner_tags)')
    const table = ownEngine === 'SQLite' ? 'owner_tags' : 'owner_tag_changes'
    await write(url, `insert into ${table} (owner_id, tag, items) values ('gone', 'a tag', 1)`)
    expect(await ask(url, ofTags)).toEqual([
      'problem  There are 3 counts of tags that are not those of the items: run "cartulary index rebuild".',
    ])
    expect((await command(['index', 'rebuild'], settingsFor(url))).code).toBe(0)
    expect(await ask(url, ofTags)).toEqual(agreed)
  })
})

test('a command about the index without rebuild is refused', async () => {
  const { code, complaint } = await command(['index'], settingsFor('file:/nowhere'))
  expect({ code, complaint }).toMatchObject({ code: 2, complaint: expect.stringContaining('index needs rebuild.') })
})
