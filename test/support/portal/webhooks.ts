import { RawDatabase } from '../databases/raw-database.ts'
import { startOfTests, type TestPortal } from './portal.ts'

/** A delivery of a webhook, as far as tests say what it is. */
interface GivenDelivery {
  readonly id: string
  readonly webhookId: string
  /** Keys of its objects. */
  readonly objects?: readonly string[]
  readonly eventId?: string
  readonly path?: string
  readonly payload?: string
  readonly createdAt?: number
  readonly state?: 'pending' | 'sent' | 'failed'
  readonly attempts?: number
}

/** Puts deliveries into the tables, as a commit would: in this order. */
export async function addDeliveries(portal: TestPortal, ...deliveries: readonly GivenDelivery[]): Promise<void> {
  const raw = new RawDatabase(portal)
  for (const { id, webhookId, state = 'pending', attempts = 0, payload = '{}', ...given } of deliveries) {
    const { createdAt = startOfTests, eventId = id.slice(4), path = '/items/add', objects = [id] } = given
    const texts = [
      id,
      webhookId,
      'a portal',
      JSON.stringify([eventId]),
      JSON.stringify([path]),
      JSON.stringify(objects),
    ]
    const values = [...texts, payload, state].map((text) => `'${text.replaceAll("'", "''")}'`)
    await raw.run(
      `insert into webhook_deliveries (delivery_id, webhook_id, portal_id, event_ids, paths, objects, payload, state, attempts, tries, created_at, next_attempt_at) values (${values.join()}, ${attempts}, 0, ${createdAt}, ${createdAt})`,
    )
    for (let made = 0; made < attempts; made += 1) {
      await raw.run(
        `insert into webhook_attempts (delivery_id, webhook_id, attempted_at, response_text) values ('${id}', '${webhookId}', ${createdAt}, 'fetched')`,
      )
    }
  }
}
