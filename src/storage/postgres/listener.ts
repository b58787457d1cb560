import { setTimeout as delay } from 'node:timers/promises'
import { Connection, claimService, connectionSettings } from './session.ts'

/** How often the connection is tried, and how long after a trial that succeeded everything is sure to be heard. */
const beatMilliseconds = 250
const trustMilliseconds = 750
const retryMilliseconds = 250

/** What the connection is called in PostgreSQL's list of activity. */
export const listenerName = 'cartulary listening'

export interface Listener {
  /** Whether everything that others told until three quarters of a second ago has been heard. */
  isSubscribed(): boolean
  /** Resolves when everything that was told before has been heard. */
  catchUp(): Promise<void>
  close(): Promise<void>
}

export interface Listening {
  readonly channel: string
  onNotification(text: string): void
  /** Something may have been told that nobody heard. */
  onGap(): void
}

/**
 * Listens on a connection of its own, and opens another one whenever that breaks. A connection may fall silent without
 * breaking: so it is asked something again and again, and PostgreSQL sends what was told before it answers.
 */
export async function openListener(url: string, listening: Listening): Promise<Listener> {
  let trustedUntil = 0
  const distrust = () => {
    trustedUntil = 0
    listening.onGap()
  }
  let client = await listen(url, listening, distrust)
  const closed = new AbortController()

  async function heartbeat(): Promise<void> {
    const begun = performance.now()
    await client.query('select 1')
    trustedUntil = begun + trustMilliseconds
  }

  async function reopen(): Promise<void> {
    client.end().catch(() => undefined)
    try {
      client = await listen(url, listening, distrust)
    } catch {
      // The next beat fails on the old connection, and it is tried again.
    }
    distrust()
  }

  async function keepListening(): Promise<void> {
    while (!closed.signal.aborted) {
      try {
        await heartbeat()
        await delay(beatMilliseconds, undefined, closed)
      } catch {
        if (closed.signal.aborted) return
        distrust()
        await delay(retryMilliseconds)
        await reopen()
      }
    }
  }

  await heartbeat()
  const kept = keepListening()
  return {
    isSubscribed: () => performance.now() < trustedUntil,
    catchUp: heartbeat,
    async close() {
      closed.abort()
      await client.end().catch(() => undefined)
      await kept
      // The one that was being opened meanwhile.
      await client.end().catch(() => undefined)
    },
  }
}

async function listen(
  url: string,
  { channel, onNotification: hear }: Listening,
  lost: () => void,
): Promise<Connection> {
  const client = new Connection({
    ...connectionSettings(url),
    application_name: listenerName,
    query_timeout: 1_000,
  })
  client.on('error', lost).on('end', lost)
  client.on('notification', ({ payload = '' }) => hear(payload))
  try {
    await client.connect()
    await claimService(client)
    await client.query(`listen ${channel}`)
    return client
  } catch (error) {
    client.end().catch(() => undefined)
    throw error
  }
}
