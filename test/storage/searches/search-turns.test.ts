import { expect, test } from 'vitest'
import { openSearchTurns } from '../../../src/storage/search-turns.ts'
import { muchLater } from '../much-later.ts'

test('an organization has at most half of the places, and those of others begin meanwhile', async () => {
  const turns = openSearchTurns(4)
  const begun: string[] = []
  const ends: (() => void)[] = []
  const ask = (caller: string) =>
    turns.run(caller, muchLater(), async () => {
      begun.push(caller)
      await new Promise<void>((resolve) => ends.push(resolve))
    })
  const asked = ['maps anna', 'maps ben', 'maps cem', 'lakes dora', 'seas emil', 'lakes fritz'].map(ask)
  await Promise.resolve()
  expect(begun).toEqual(['maps anna', 'maps ben', 'lakes dora', 'seas emil'])
  expect(turns.waiting()).toBe(2)
  // The place that becomes free is not for the organization that has half of them.
  ends[3]!()
  await asked[4]
  expect(begun).toEqual(['maps anna', 'maps ben', 'lakes dora', 'seas emil', 'lakes fritz'])
  ends[0]!()
  await asked[0]
  expect(begun.at(-1)).toBe('maps cem')
  for (const end of ends) end()
  await Promise.all(asked)
  expect(turns.waiting()).toBe(0)
})
