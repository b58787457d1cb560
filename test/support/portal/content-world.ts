import { runJobs } from '../../../src/background/jobs.ts'
import { houseOf } from './house.ts'
import { startPortal } from './portal.ts'

export const themes = {
  categorySchema: [
    { title: 'Themes', categories: [{ title: 'Water' }, { title: 'Roads' }, { title: '=Odd | and more;' }] },
  ],
}

/** A portal with a schema, its administrator, and an owner of items without categories, each a second older than the next. */
export async function openContent(items: number) {
  const portal = await startPortal()
  const admin = await portal.admin()
  await admin.post('/portals/self/assignCategorySchema', { categorySchema: JSON.stringify(themes) })
  const anna = await admin.invite('anna')
  const ids: string[] = []
  for (let at = 0; at < items; at += 1) {
    portal.clock.now += 1_000
    ids.push((await anna.post('/content/users/anna/addItem', { title: `Lake ${at}`, type: 'Web Map' })).id)
  }
  return {
    portal,
    admin,
    anna,
    ids,
    async doJobs(): Promise<void> {
      portal.clock.now += 1_000
      await runJobs(houseOf(portal))
    },
    [Symbol.asyncDispose]: () => portal[Symbol.asyncDispose](),
  }
}
