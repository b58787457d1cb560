import { expect, test } from 'vitest'
import { recordedOf } from '../support/databases/raw-database.ts'
import { startPortal } from '../support/portal/portal.ts'
import { aSchema } from '../support/portal/schema-builder.ts'
import { openHolder } from '../support/portal/schema-holder.ts'

const writers = 40

/** Each schema differs from every other, and is large enough to show if two were mixed. */
function schemaOf(writer: number): string {
  const categories = Array.from({ length: 30 }, (_, index) => ({ title: `Category ${index} of writer ${writer}` }))
  return JSON.stringify(aSchema({ title: `Writer ${writer}`, categories }))
}

test('of many schemas assigned concurrently, one is the schema of the group and each is a version', async () => {
  await using portal = await startPortal({ environment: { PORT: '0' } })
  const { client, path, readText, versions } = await openHolder(portal, 'group')
  const root = `${await portal.server.listen()}${portal.base}`
  const sent = Array.from({ length: writers }, (_, writer) => schemaOf(writer))

  const answers = await Promise.all(
    sent.map(async (categorySchema) => {
      const response = await fetch(`${root}${path}/assignCategorySchema`, {
        method: 'POST',
        headers: { 'x-esri-authorization': `Bearer ${client.token}` },
        body: new URLSearchParams({ f: 'json', categorySchema }),
      })
      return response.text()
    }),
  )

  expect(new Set(answers)).toEqual(new Set(['{"success":true}']))
  const kept = await versions()
  expect(kept.map(({ version }) => version)).toEqual(Array.from({ length: writers }, (_, index) => writers - index))
  expect(kept.map(({ document }) => document).toSorted()).toEqual(sent.toSorted())
  expect(await readText()).toBe(kept[0]?.document)
  const entries = await recordedOf(portal).entries()
  expect(entries.filter(({ operation }) => operation === 'assignGroupCategorySchema')).toHaveLength(writers)
})
