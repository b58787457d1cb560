import type { Storage } from '../storage/storage.ts'
import type { FetchableQueue } from '../webhooks/store.ts'

/** Programs that wait for deliveries, at this server. */
export interface PullWaits {
  /**
   * Resolves where something may be fetched of a hook whose queue was not `seen` so, with how it is; undefined where nothing came in
   * time, the signal aborts, the server ends, or too many wait.
   */
  wait(webhookId: string, waited: WaitedFor): Promise<string | undefined>
  /** Number that wait. */
  count(): number
  /** Ends all, and has none wait any more. */
  end(): void
}

interface WaitedFor {
  readonly seen: string | undefined
  readonly milliseconds: number
  readonly signal: AbortSignal
}

/** Maximum number that wait for one hook, and in all (documented). */
const maxOfHook = 4
const maxWaits = 100

/** Milliseconds between two looks, so that a wait ends within 100 of a commit. */
const lookInterval = 50

interface Wait {
  readonly webhookId: string
  readonly seen: string | undefined
  end(queue: string | undefined): void
}

/** One look for all that wait, and none where nothing waits: it sees commits of every server. */
export function openPullWaits(storage: Pick<Storage<never>, 'read'>, now: () => number): PullWaits {
  const waits = new Set<Wait>()
  let timer: NodeJS.Timeout | undefined
  let isLooking = false
  let hasEnded = false

  async function look(): Promise<void> {
    if (isLooking) return
    isLooking = true
    try {
      const webhookIds = [...new Set([...waits].map(({ webhookId }) => webhookId))]
      const queues = await storage.read(({ webhooks }) => webhooks.listFetchable(webhookIds, now()))
      const byHook = new Map(queues.map((queue) => [queue.webhookId, nameOf(queue)]))
      for (const wait of waits) {
        const queue = byHook.get(wait.webhookId)
        if (queue !== undefined && queue !== wait.seen) wait.end(queue)
      }
    } catch {
      // The next look, or the fetch, meets the outage.
    } finally {
      isLooking = false
    }
  }

  function remove(wait: Wait): void {
    waits.delete(wait)
    if (waits.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    async wait(webhookId, { seen, milliseconds, signal }) {
      const ofHook = [...waits].filter((wait) => wait.webhookId === webhookId)
      if (hasEnded || signal.aborted || ofHook.length >= maxOfHook || waits.size >= maxWaits) return undefined
      return new Promise((resolve) => {
        const stop = () => wait.end(undefined)
        const timeout = setTimeout(stop, milliseconds)
        const wait: Wait = {
          webhookId,
          seen,
          end(queue) {
            clearTimeout(timeout)
            signal.removeEventListener('abort', stop)
            remove(wait)
            resolve(queue)
          },
        }
        signal.addEventListener('abort', stop)
        waits.add(wait)
        timer ??= setInterval(look, lookInterval)
      })
    },
    count: () => waits.size,
    end() {
      hasEnded = true
      for (const wait of waits) wait.end(undefined)
    },
  }
}

function nameOf({ pending, lent, last }: FetchableQueue): string {
  return `${pending} ${lent} ${last}`
}
