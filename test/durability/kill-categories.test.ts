import { expect, test } from 'vitest'
import { seededRandom } from '../support/inputs/seeded-random.ts'
import { countOf, timeoutOf } from '../support/length.ts'
import { CategoryStream } from './streams/category-stream.ts'
import { engines, killAmid } from './streams/killed-stream.ts'

const kills = countOf({ sample: 2, long: 50 })

test.each(engines)(
  `on %s, a server that is killed ${kills} times among changes of a schema has its items where the schema has them`,
  { timeout: timeoutOf(kills, 60_000) },
  async (engine) => {
    const stream = new CategoryStream(seededRandom(4))
    await killAmid(stream, engine, kills)
    expect([...stream.kinds].toSorted()).toEqual(['add', 'categorize', 'merge', 'rename', 'restore'])
  },
)
