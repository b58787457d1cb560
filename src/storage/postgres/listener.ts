import { setTimeout as delay } from 'node:timers/promises'
import { Connection, connectionSettings, holdServingLock } from './session.ts'

/** Interval of heartbeats, and how long after one the subscription counts as complete. */
const heartbeatMilliseconds = 250
const freshMilliseconds = 750
const retryMilliseconds = 250

/** Name of the connection in `pg_stat_activity`. */
export const listenerName = 'cartulary listening'

export interface Listener {
  /** True while the last heartbeat is less than 750 ms old: every notification before it was received. */
  isSubscribed(): boolean
  /** Resolves when every notification sent before has been received. */
  catchUp(): Promise<void>
  close(): Promise<void>
}

export interface Subscription {
  readonly channel: string
  onNotification(text: string): void
  /** Called when notifications may have been lost. */
  onGap(): void
}

/**
 * Listens on a connection of its own, which is opened again when it breaks. A connection can fail silently, so a query is
 * sent at intervals: PostgreSQL sends pending notifications before it answers.
 */
export async function openListener(url: string, listening: Subscription): Promise<Listener> {
  let subscribedUntil = 0
  const reportGap = () => {
    subscribedUntil = 0
    listening.onGap()
  }
  let client = await listen(url, listening, reportGap)
  const closed = new AbortController()

  async function heartbeat(): Promise<void> {
    const begun = performance.now()
    await client.query('select 1')
    subscribedUntil = begun + freshMilliseconds
  }

  async function reopen(): Promise<void> {
    client.end().catch(() => undefined)
    try {
      client = await listen(url, listening, reportGap)
    } catch {
      // The next heartbeat fails on the old connection, and the connection is opened again.
    }
    reportGap()
  }

  async function keepListening(): Promise<void> {
    while (!closed.signal.aborted) {
      try {
        await heartbeat()
        await delay(heartbeatMilliseconds, undefined, closed)
      } catch {
        if (closed.signal.aborted) return
        reportGap()
        await delay(retryMilliseconds)
        await reopen()
      }
    }
  }

  await heartbeat()
  const kept = keepListening()
  return {
    isSubscribed: () => performance.now() < subscribedUntil,
    catchUp: heartbeat,
    async close() {
      closed.abort()
      await client.end().catch(() => undefined)
      await kept
      // A connection that was opened meanwhile.
      await client.end().catch(() => undefined)
    },
  }
}

async function listen(url: string, { channel, onNotification }: Subscription, lost: () => void): Promise<Connection> {
  const client = new Connection({
    ...connectionSettings(url),
    application_name: listenerName,
    query_timeout: 1_000,
    // Several may ask at once that it catches up.
    pipeline: true,
  })
  client.on('error', lost).on('end', lost)
  client.on('notification', ({ payload = '' }) => onNotification(payload))
  try {
    await client.connect()
    await holdServingLock(client)
    await client.query(`listen ${channel}`)
    return client
  } catch (error) {
    client.end().catch(() => undefined)
    throw error
  }
}
