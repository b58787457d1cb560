import { beforeAll, describe, expect, test } from 'vitest'
import { write } from '../beside.ts'
import { copyOf, originalFile, ownEngine } from '../copied-database.ts'
import { movedToPostgres, openOn, settingsFor } from '../filled-database.ts'
import { command } from '../run-command.ts'

let original: string

beforeAll(async () => {
  const file = originalFile()
  const portal = await openOn(`file:${file}`)
  const admin = await portal.admin()
  const assign = (...titles: readonly string[]) =>
    admin.post('/portals/self/assignCategorySchema', {
      categorySchema: {
        categorySchema: [{ title: 'Themes', categories: titles.map((title) => ({ title, categories: [] })) }],
      },
    })
  await assign('Water', 'Air')
  const { id: group } = await admin.createGroup('Maps')
  for (const categories of ['/Themes/Water', '/Themes/Air', '/Themes/Air,/Themes/Water']) {
    const given = { title: 'Lakes', type: 'Web Map', categories }
    const { id } = await admin.post('/content/users/admin/addItem', given)
    await admin.post(`/content/users/admin/items/${id}/share`, { groups: group })
  }
  await portal.server.close()
  original = ownEngine === 'SQLite' ? `file:${file}` : await movedToPostgres(file)
}, 600_000)

const disagreements = [
  ['items whose access contradicts their level and their groups', "update items set access = 'org' where id = 1"],
  [
    'categories whose place in the tree contradicts their path',
    "update category_paths set path = '/Subjects/Air' where path like '%Air'",
  ],
  [
    'items with categories of another organization, or of a group that does not have them',
    `insert into category_paths (owner_kind, owner_id, path, path_key, depth)
     select 'group', group_id, '/A', '/a', 1 from "groups";
     insert into item_categories (category_id, item_number, position) select max(id), 1, 0 from category_paths;
     delete from item_groups where item_number = 1`,
  ],
  [
    'users and organizations with other items or bytes than are counted',
    "update item_counts set items = items + 1 where owner_kind = 'user'",
  ],
  ['items that are shared with a group that is gone', "insert into item_groups values (1, 'gone', 0)"],
] as const

describe('doctor', () => {
  test('finds items, categories and counts that contradict each other', async () => {
    const url = await copyOf(original)
    expect(await command(['doctor'], settingsFor(url))).toMatchObject({ code: 0 })
    for (const [, statement] of disagreements) await write(url, statement)
    const { code, printed } = await command(['doctor'], settingsFor(url))
    expect(code).toBe(1)
    for (const [what] of disagreements) expect(printed).toContain(`There are ${what} (1)`)
  })

  test('warns of categories of items that the schema has not, by organization', async () => {
    const url = await copyOf(original)
    expect((await command(['doctor'], settingsFor(url))).printed).toContain(
      'The category schemas have every category that items carry.',
    )
    await using portal = await openOn(url)
    const admin = await portal.admin()
    const { id } = await admin.get('/portals/self')
    const sentence = (what: string) =>
      `warning  Items of organization ${id} carry categories that its category schema has not (${what}): ` +
      'give the items others, or put the categories back.'
    const categorySchema = { categorySchema: [{ title: 'Themes', categories: [{ title: 'Water', categories: [] }] }] }
    await admin.post('/portals/self/assignCategorySchema', { categorySchema })
    const { code, printed } = await command(['doctor'], settingsFor(url))
    expect(code).toBe(0)
    expect(printed).toContain(sentence('1 categories, carried 2 times'))
    await admin.post('/portals/self/deleteCategorySchema')
    expect((await command(['doctor'], settingsFor(url))).printed).toContain(sentence('1 categories, carried 3 times'))
  })
})
