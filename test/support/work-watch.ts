import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Megabytes in use from here on, after everything that nobody needs has been collected. */
export function watchMemory() {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const measure = () => {
    collect()
    const { heapUsed, external, rss } = process.memoryUsage()
    return { heap: (heapUsed + external) / 2 ** 20, rss: rss / 2 ** 20 }
  }
  const before = measure()
  return {
    grownMegabytes() {
      const { heap, rss } = measure()
      return { heap: heap - before.heap, rss: rss - before.rss }
    },
  }
}

/** Milliseconds that this thread worked on it; time in which other processes had the machine does not count. */
export async function millisecondsOfWork(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}
