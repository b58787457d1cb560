import { outline } from '../../../support/inputs/outline.ts'
import { sketch } from '../../../support/inputs/sketch.ts'
import { startPortal, type TestPortal } from '../../../support/portal/portal.ts'
import { holderKinds, openHolder } from '../../../support/portal/schema-holder.ts'
import { describe, expect, test } from '../../../support/portal/test.ts'

const base = outline('Themes', '  Water', '  Land')
const theirs = outline('Themes', '  Waters', '  Land: dry')
const theirMove = { from: '/Themes/Water', to: '/Themes/Waters' }
const mine = outline('Themes', '  Water', '    Rivers', '  Land: solid', '  Air')

describe.each(holderKinds)('a conflict (%s)', (kind) => {
  /** The schema as two persons have read it, and as one of them has changed it since. */
  async function openChanged(portal: TestPortal) {
    const { client, path } = await openHolder(portal, kind)
    const assign = (categorySchema: unknown, options = {}) =>
      client.post(`${path}/assignCategorySchema`, { categorySchema, ...options })
    await assign(base)
    const tagOf = async (of: string) => String((await client.send(`${of}/categorySchema?f=json`)).headers['etag'])
    const read = await tagOf(path)
    const assignIfMatch = async (categorySchema: object, options: object, tag = read) => {
      const given = { form: { categorySchema, ...options }, headers: { 'if-match': tag } }
      return (await client.send(`${path}/assignCategorySchema`, given)).json()
    }
    await assign(theirs, { moves: [theirMove] })
    return { assign, assignIfMatch, tagOf, path, client }
  }

  test('has both changes put together where withMerge asks for it, and publishing that follows the moves', async () => {
    await using portal = await startPortal()
    const { assign, client, path } = await openChanged(portal)
    const { error } = await assign(mine, { ifVersion: '1', withMerge: 'true' })
    const { merge, ...refusal } = error
    expect(refusal).toMatchObject({ code: 409, version: 2 })
    expect([merge.base, merge.theirs]).toEqual([base, theirs])
    expect(sketch(merge.merged)).toBe('Themes (Waters (Rivers), Land: dry, Air)')
    expect(merge.moves).toEqual([])
    expect(merge.conflicts).toEqual([
      {
        pointer: '/categorySchema/0/categories/1/description',
        kind: 'description',
        path: '/Themes/Land',
        ...{ base: null, mine: 'solid', theirs: 'dry' },
      },
    ])
    expect(await assign(merge.merged, { ifVersion: String(error.version) })).toEqual({ success: true, version: 3 })
    expect(await client.get(`${path}/categorySchema`)).toEqual(merge.merged)
  })

  test('has the moves of the caller from where the categories are now', async ({ portal }) => {
    const { assign } = await openChanged(portal)
    const [moved, moves] = [
      outline('Themes', '  Land', '    Water'),
      [{ from: '/Themes/Water', to: '/Themes/Land/Water' }],
    ]
    const { merge } = (await assign(moved, { ifVersion: '1', moves, withMerge: 'true' })).error
    expect(sketch(merge.merged)).toBe('Themes (Land: dry (Waters))')
    expect(merge.moves).toEqual([{ from: '/Themes/Waters', to: '/Themes/Land/Waters' }])
  })

  test('says why both changes together would be refused', async ({ portal }) => {
    const { assign } = await openChanged(portal)
    const wide = (name: string) =>
      outline('Themes', '  Water', '  Land', ...Array.from({ length: 120 }, (_, n) => `  ${name} ${n}`))
    expect(await assign(wide('River'), { ifVersion: '2' })).toEqual({ success: true, version: 3 })
    const { merge } = (await assign(wide('Lake'), { ifVersion: '1', withMerge: 'true' })).error
    expect(merge.conflicts).toEqual([])
    const { error } = await assign(merge.merged, { ifVersion: '3' })
    expect(merge.problems).toEqual(error.details)
    expect(merge.problems).toHaveLength(1)
  })

  test('has none by the entity tag of another owner', async ({ portal }) => {
    const { assignIfMatch, tagOf, client } = await openChanged(portal)
    const other = await client.createGroup('Another')
    await client.post(`/community/groups/${other.id}/assignCategorySchema`, { categorySchema: base })
    const tag = await tagOf(`/community/groups/${other.id}`)
    expect(tag).toContain(`${other.id}-1-`)
    const { error: refusal } = await assignIfMatch(mine, { withMerge: 'true' }, tag)
    expect([refusal.code, 'merge' in refusal]).toEqual([409, false])
  })

  test('has them by an entity tag and in a dry run too, and none where it is not known what the change was made from', async () => {
    await using portal = await startPortal()
    const { assign, assignIfMatch } = await openChanged(portal)
    const asked = { withMerge: 'true' }
    for (const { error } of [
      await assignIfMatch(mine, asked),
      await assign(mine, { ...asked, ifVersion: '1', dryRun: 'true' }),
      await assign(mine, { ...asked, ifVersion: '0' }),
    ]) {
      expect(error).toMatchObject({ code: 409, merge: { theirs } })
    }
    for (const { error } of [
      await assign(mine, { ifVersion: '1' }),
      await assign(mine, { ...asked, ifVersion: '7' }),
      await assign(mine, { ...asked, ifHash: `sha256:${'0'.repeat(64)}` }),
    ]) {
      expect(error.code).toBe(409)
      expect(error).not.toHaveProperty('merge')
    }
  })
})
