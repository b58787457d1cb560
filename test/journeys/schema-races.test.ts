import { countOf, timeoutOf } from '../support/length.ts'
import { openHolder } from '../support/portal/schema-holder.ts'
import { expect, test } from '../support/portal/test.ts'

const races = countOf({ sample: 30, long: 1_000 })

test('of two changes that expect one version, one is made and the other is answered with it', {
  timeout: timeoutOf(races, 1_000),
}, async ({ portal }) => {
  const { client, path, assign } = await openHolder(portal, 'group')
  await assign({ categorySchema: [{ title: 'A' }] })
  const change = (version: number, title: string) =>
    client.post(`${path}/assignCategorySchema`, {
      categorySchema: { categorySchema: [{ title }] },
      ifVersion: String(version),
    })
  for (let version = 1; version <= races; version += 1) {
    const outcomes = await Promise.all([change(version, `one ${version}`), change(version, `other ${version}`)])
    const [won, lost] = outcomes[0].error ? [1, 0] : [0, 1]
    expect(outcomes[won]).toEqual({ success: true, version: version + 1 })
    expect(outcomes[lost]).toMatchObject({ error: { code: 409, version: version + 1 } })
    const title = `${['one', 'other'][won]} ${version}`
    expect(await client.get(`${path}/categorySchema`)).toEqual({ categorySchema: [{ title }] })
  }
})
