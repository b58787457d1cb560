import { expect, test } from 'vitest'
import { seededRandom } from '../support/inputs/seeded-random.ts'
import { countOf, timeoutOf } from '../support/length.ts'
import { ItemStream } from './streams/item-stream.ts'
import { engines, killAmid } from './streams/killed-stream.ts'

const kills = countOf({ sample: 2, long: 50 })

test.each(engines)(
  `on %s, a server that is killed ${kills} times among writes of items keeps all that it acknowledged, in the index too`,
  { timeout: timeoutOf(kills, 60_000) },
  async (engine) => {
    const stream = new ItemStream(seededRandom(2))
    await killAmid(stream, engine, kills)
    expect(stream.size).toBeGreaterThan(kills)
  },
)
