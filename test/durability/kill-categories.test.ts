import { expect, test } from 'vitest'
import { seededRandom } from '../support/inputs/seeded-random.ts'
import { countOf, timeoutOf } from '../support/length.ts'
import { holderKinds } from '../support/portal/schema-holder.ts'
import { CategoryStream } from './streams/category-stream.ts'
import { engines, killAmid } from './streams/killed-stream.ts'

const kills = countOf({ sample: 2, long: 50 })

const cases = engines.flatMap((engine) => holderKinds.map((kind) => [engine, kind] as const))

test.each(cases)(
  `on %s, a server that is killed ${kills} times among changes of the schema of a %s has its items where the schema has them`,
  { timeout: timeoutOf(kills, 60_000) },
  async (engine, kind) => {
    const stream = new CategoryStream(kind, seededRandom(4))
    await killAmid(stream, engine, kills)
    expect([...stream.kinds].toSorted()).toEqual(['add', 'categorize', 'merge', 'rename', 'restore'])
  },
)
