/** Maximum number of concurrent requests for hosts (chosen). */
const atATime = 6

/** Finds the hosts of collaborations, by the collaborations' ids; unreadable ones are left out. `signal` cancels all requests. */
export async function findHosts<Host>(
  ids: readonly string[],
  find: (id: string) => Promise<Host | undefined>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Host>> {
  const hosts = new Map<string, Host>()
  const waiting = ids.values()
  const work = async () => {
    for (const id of waiting) {
      signal.throwIfAborted()
      const host = await find(id).catch(() => undefined)
      if (host !== undefined) hosts.set(id, host)
    }
  }
  await Promise.all(Array.from({ length: atATime }, work))
  return hosts
}
