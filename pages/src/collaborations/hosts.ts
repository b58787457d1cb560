import { forEachOf } from '../session/for-each-of.ts'

/** Finds the hosts of collaborations, by the collaborations' ids; unreadable ones are left out. `signal` cancels all requests. */
export async function findHosts<Host>(
  ids: readonly string[],
  find: (id: string) => Promise<Host | undefined>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Host>> {
  const hosts = new Map<string, Host>()
  await forEachOf(ids, async (id) => {
    signal.throwIfAborted()
    const host = await find(id).catch(() => undefined)
    if (host !== undefined) hosts.set(id, host)
  })
  return hosts
}
