import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/** Megabytes in use after garbage was collected: `heap` of objects, `buffers` beside them. */
export async function measureMemory() {
  // Memory of buffers is given back a little after their objects are gone.
  for (let round = 0; round < 3; round += 1) {
    collectGarbage()
    await setImmediate()
  }
  const { heapUsed, external, rss } = process.memoryUsage()
  return { heap: heapUsed / 2 ** 20, buffers: external / 2 ** 20, process: rss / 2 ** 20 }
}
