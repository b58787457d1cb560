import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { startSending } from '../../src/background/sending.ts'
import { type Body, startPortal } from '../support/portal/portal.ts'
import { test as base, describe, expect } from '../support/portal/test.ts'
import { until } from '../support/until.ts'

interface Request {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A program that receives deliveries, and answers each as it is reported to. */
class Receiver {
  readonly requests: Request[] = []
  status = 200
  #server: Server | undefined

  async listen(): Promise<string> {
    this.#server = createServer(async (request, response) => {
      this.requests.push({ headers: request.headers, body: await text(request) })
      response.writeHead(this.status, this.status === 302 ? { location: '/elsewhere' } : {}).end('thanks')
    })
    await new Promise<void>((resolve) => this.#server!.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`
  }

  close(): void {
    this.#server?.closeAllConnections()
    this.#server?.close()
  }
}

const secret = 'a secret of mine'

/** A portal that sends, its administrator, and a webhook that asks for everything. */
const test = base.extend('sending', async ({ onTestFinished }) => {
  const portal = await startPortal({ environment: { WEBHOOKS: 'on', WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' } })
  const receiver = new Receiver()
  const url = await receiver.listen()
  const admin = await portal.admin()
  const { id } = await admin.post('/portals/self/webhooks/createWebhook', {
    name: 'Catalogue',
    url,
    secret,
    events: '/',
  })
  const { dependencies } = portal.server
  const failures: unknown[] = []
  const loop = startSending({ ...dependencies, outgoing: dependencies.outgoing! }, (error) => failures.push(error))
  onTestFinished(async () => {
    await loop.end()
    receiver.close()
    await portal[Symbol.asyncDispose]()
    expect(failures).toEqual([])
  })
  const path = `/portals/self/webhooks/${id}`
  return {
    portal,
    admin,
    receiver,
    loop,
    path,
    deliveries: async (): Promise<readonly Body[]> => (await admin.get(`${path}/deliveries`)).deliveries,
  }
})

/** Wakes the loop until this is so. */
async function wakeUntil(loop: { wake(): void }, isSo: () => Promise<boolean>): Promise<void> {
  await until('what was sent is noted', async () => {
    loop.wake()
    return isSo()
  })
}

describe('a delivery', () => {
  test('is sent signed, once, and kept with its attempt', async ({ sending }) => {
    const { admin, receiver, loop, deliveries } = sending
    const { id } = await admin.createGroup('Lakes')
    await wakeUntil(loop, async () => (await deliveries())[0]?.state === 'sent')
    const [{ headers, body }, ...others] = receiver.requests as [Request, ...Request[]]
    expect(others).toEqual([])
    expect(JSON.parse(body).events[0]).toMatchObject({ operation: 'add', source: 'group', id })
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
    const signature = createHmac('sha256', secret).update(signed).digest('base64')
    expect(headers).toMatchObject({ 'webhook-signature': `v1,${signature}`, 'webhook-attempt': '1' })
    expect(await deliveries()).toMatchObject([{ state: 'sent', attempts: 1, lastStatus: 200 }])
  })

  test('is tried again with the same id and bytes, and followed by no redirect', async ({ sending }) => {
    const { portal, admin, receiver, loop, deliveries } = sending
    receiver.status = 302
    await admin.createGroup('Lakes')
    await wakeUntil(loop, async () => (await deliveries())[0]?.attempts === 1)
    receiver.status = 200
    portal.clock.now += 5_000
    await wakeUntil(loop, async () => (await deliveries())[0]?.state === 'sent')
    const [first, second, ...others] = receiver.requests
    expect(others).toEqual([])
    expect(second!.body).toBe(first!.body)
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id'])
    expect(second!.headers['webhook-attempt']).toBe('2')
  })

  test('of one object waits for the one before it, and that of another does not', async ({ sending }) => {
    const { portal, admin, receiver, loop, deliveries } = sending
    const { id } = await admin.createGroup('Lakes')
    await wakeUntil(loop, async () => (await deliveries())[0]?.state === 'sent')
    receiver.status = 503
    await admin.post(`/community/groups/${id}/update`, { title: 'Rivers' })
    await wakeUntil(loop, async () => (await deliveries())[0]?.attempts === 1)
    receiver.status = 200
    await admin.post(`/community/groups/${id}/update`, { title: 'Seas' })
    await admin.createGroup('Other')
    await wakeUntil(loop, async () => (await deliveries())[0]?.state === 'sent')
    expect((await deliveries()).map(({ state }) => state)).toEqual(['sent', 'pending', 'pending', 'sent'])
    portal.clock.now += 5_000
    await wakeUntil(loop, async () => (await deliveries()).every(({ state }) => state === 'sent'))
    const titles = receiver.requests.map(({ body }) => JSON.parse(body).events[0].properties.title)
    expect(titles).toEqual(['Lakes', 'Rivers', 'Other', 'Rivers', 'Seas'])
  })

  test('that is answered 410 is the last one', async ({ sending }) => {
    const { admin, receiver, loop, path, deliveries } = sending
    receiver.status = 410
    await admin.createGroup('Lakes')
    await wakeUntil(loop, async () => (await deliveries())[0]?.state === 'failed')
    await admin.createGroup('Rivers')
    expect(await admin.get(path)).toMatchObject({
      isActive: false,
      deactivatedBecause: 'The receiver answered 410: it is gone.',
    })
    expect(await deliveries()).toHaveLength(1)
  })
})
