import type { Body, Client, Parameters } from './portal.ts'

/** A webhook whose deliveries a test fetches. */
export class HookReader {
  readonly client: Client
  readonly id: string

  constructor(client: Client, id: string) {
    this.client = client
    this.id = id
  }

  /** A webhook of the client that asks for these events. */
  static async make(client: Client, events: string, name = 'Reader'): Promise<HookReader> {
    const hook = { name, url: 'pull:', changes: 'manualChanges', events }
    const { id, error } = await client.post('/portals/self/webhooks/createWebhook', hook)
    if (error) throw new Error(`The webhook was not made: ${JSON.stringify(error)}`)
    return new HookReader(client, id)
  }

  post(operation: string, parameters: Parameters = {}): Promise<Body> {
    return this.client.post(`/portals/self/webhooks/${this.id}/${operation}`, parameters)
  }

  /** Fetches all deliveries, and acknowledges them. */
  async fetch(): Promise<readonly Body[]> {
    const payloads: Body[] = []
    while (true) {
      const { deliveries } = await this.post('pull', { max: '100' })
      if (deliveries.length === 0) return payloads
      payloads.push(...deliveries.map(({ payload }: { payload: string }) => JSON.parse(payload)))
      await this.post('ack', { ids: deliveries.map(({ id }: { id: string }) => id).join(',') })
    }
  }

  /** Events of all deliveries since the last fetch. */
  async events(): Promise<readonly Body[]> {
    return (await this.fetch()).flatMap(({ events }) => events)
  }

  /** Events as noun and operation, id, and properties. */
  async reported(): Promise<readonly (readonly [event: string, id: string, properties: Body])[]> {
    return (await this.events()).map(({ source, operation, id, properties }) => [
      `${source} ${operation}`,
      id,
      properties,
    ])
  }
}
