import { setTimeout as delay } from 'node:timers/promises'
import { holdServingLock } from './serving-lock.ts'
import { Connection, connectionSettings, listenerName } from './session.ts'

/** Interval of heartbeats. */
const heartbeatMilliseconds = 250
const freshMilliseconds = 750
const retryMilliseconds = 250

export interface Listener {
  /** True while the last heartbeat is less than 750 ms old: every notification sent before that heartbeat was received. */
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
  /** A query that is sent with every heartbeat. */
  readonly look?: {
    readonly text: string
    readonly values: readonly unknown[]
    // biome-ignore lint/suspicious/noExplicitAny: rows are what the text selects
    onRows(rows: any[]): void
  }
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
    const { text, values = [], onRows } = listening.look ?? { text: 'select 1' }
    const { rows } = await client.query(text, [...values])
    subscribedUntil = begun + freshMilliseconds
    onRows?.(rows)
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
      // A connection that was opened after the close.
      await client.end().catch(() => undefined)
    },
  }
}

async function listen(url: string, { channel, onNotification }: Subscription, lost: () => void): Promise<Connection> {
  const client = new Connection({
    ...connectionSettings(url),
    application_name: listenerName,
    query_timeout: 1_000,
    // Several calls of `catchUp` may query concurrently.
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
