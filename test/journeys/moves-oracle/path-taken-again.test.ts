import { holderKinds } from '../../support/portal/schema-holder.ts'
import { expect, test } from '../../support/portal/test.ts'
import { Stage } from './stages.ts'

const schemaOf = (...titles: readonly string[]) => ({
  categorySchema: { categorySchema: titles.map((title) => ({ title })) },
})

test.for(holderKinds)(
  'back at a path that a new category has, items of both are together, as planned (%s)',
  async (kind, { portal }) => {
    const stage = await Stage.open(await portal.admin(), kind)
    await stage.change('assignCategorySchema', schemaOf('Roads'))
    await stage.putItem(0, ['/Roads'])
    await stage.change('assignCategorySchema', { ...schemaOf('Streets'), moves: [{ from: '/Roads', to: '/Streets' }] })
    await stage.change('assignCategorySchema', schemaOf('Roads', 'Streets'))
    await stage.putItem(1, ['/Roads'])

    const restore = 'categorySchema/versions/1/restore'
    const plan = await stage.change(restore, { dryRun: 'true' })
    expect(plan.changes).toEqual([expect.objectContaining({ op: 'merge', path: '/Streets', to: '/Roads', items: 1 })])
    expect(plan.impact).toMatchObject({ moved: 1, vanishing: 0, unrecognizedAfter: 0 })
    expect(await stage.listItems()).toEqual([['/Streets'], ['/Roads']])
    expect(await stage.change(restore, {})).toEqual({ success: true, version: 4 })
    expect(await stage.listItems()).toEqual([['/Roads'], ['/Roads']])
    // And apart again.
    expect(await stage.change('categorySchema/versions/3/restore', {})).toEqual({ success: true, version: 5 })
    expect(await stage.listItems()).toEqual([['/Streets'], ['/Roads']])
  },
)
