/** State and figures of a server's search replica, as its metrics say. */
import { setTimeout as delay } from 'node:timers/promises'
import { residentBytes } from './processes.ts'
import { post, type Running } from './servers.ts'

/** Figures of one server at a time. */
export type Sample = Readonly<
  Record<'follows' | 'followMilliseconds' | 'followProcessorMilliseconds' | 'bytes' | 'fills', number>
> & {
  readonly resident: number
}

/** Searches until the replica is filled: the first search begins that. */
export async function untilReady(server: Running, token: string): Promise<void> {
  while (!(await metricsOf(server)).includes('cartulary_search_replica{state="ready"} 1')) {
    await post(server, '/search?q=common&num=1', { token }).catch(() => undefined)
    await delay(500)
  }
}

async function metricsOf({ port }: Running): Promise<string> {
  return (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
}

export async function sampleOf(server: Running): Promise<Sample> {
  const text = await metricsOf(server)
  const figures = text.matchAll(/^cartulary_search_replica_figures\{figure="(\w+)"\} (\S+)$/gm)
  const read = Object.fromEntries([...figures].map(([, name, value]) => [name, Number(value)]))
  return { ...read, resident: residentBytes(server) ?? 0 } as Sample
}
