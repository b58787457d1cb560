import { createHmac } from 'node:crypto'
import { recordedOf } from '../../../support/databases/raw-database.ts'
import { refused } from '../../../support/portal/envelopes.ts'
import {
  type Body,
  type Client,
  isReplicated,
  type Parameters,
  startOfTests,
  startPortal,
  type TestPortal,
} from '../../../support/portal/portal.ts'
import { describe, expect, test } from '../../../support/portal/test.ts'
import { addDeliveries } from '../../../support/portal/webhooks.ts'
import { until } from '../../../support/until.ts'

const root = '/portals/self/webhooks'
const idOf = (number: number) => `msg_${String(number).padStart(32, '0')}`

interface Hook {
  readonly client: Client
  readonly id: string
  readonly path: string
  readonly secret: string
  /** Adds deliveries by their numbers, each of the objects that it names. */
  add(...deliveries: readonly (readonly [number: number, ...objects: string[]])[]): Promise<void>
  pull(parameters?: Parameters): Promise<readonly number[]>
  ack(...numbers: readonly number[]): Promise<Body>
}

/** A webhook that asks for nothing that happens in these tests. */
async function hookOf(client: Client, name = 'Catalogue'): Promise<Hook> {
  const { id, secret } = await client.post(`${root}/createWebhook`, { name, url: 'pull:', events: '/roles/none' })
  const path = `${root}/${id}`
  return {
    client,
    id,
    path,
    secret,
    add: (...all) =>
      addDeliveries(
        client.portal,
        ...all.map(([number, ...objects]) => ({ id: idOf(number), webhookId: id, objects })),
      ),
    async pull(parameters: Parameters = {}) {
      const { deliveries } = await client.post(`${path}/pull`, parameters)
      return deliveries.map((one: Body) => Number(one.id.slice(4)))
    },
    ack: (...numbers) => client.post(`${path}/ack`, { ids: numbers.map(idOf).join() }),
  }
}

const later = (portal: TestPortal, seconds: number) => {
  portal.clock.now += seconds * 1_000
}

describe('a program that fetches', () => {
  test('gets each delivery signed, and once it is acknowledged never again', async ({ admin, portal }) => {
    const hook = await hookOf(admin)
    const payload = '{"info":{"webhookName":"é"}}'
    await addDeliveries(portal, { id: idOf(1), webhookId: hook.id, payload })
    later(portal, 7)
    const { deliveries } = await admin.post(`${hook.path}/pull`)
    const timestamp = startOfTests / 1_000 + 7
    const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest('base64')
    const key = Buffer.from(hook.secret.slice('whsec_'.length), 'base64')
    expect(deliveries).toEqual([
      {
        id: idOf(1),
        payload,
        headers: {
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(payload)),
          'user-agent': expect.stringMatching(/^Cartulary\/\d/),
          'webhook-id': idOf(1),
          'webhook-timestamp': String(timestamp),
          'webhook-signature': `v1,${hmac(key, `${idOf(1)}.${timestamp}.${payload}`)}`,
          'webhook-attempt': '1',
          'x-esrihook-signature': `sha256=${hmac(hook.secret, payload)}`,
        },
      },
    ])
    expect(await hook.ack(1)).toEqual({ success: true, acked: 1, unknown: [] })
    expect(await hook.ack(1)).toEqual({ success: true, acked: 0, unknown: [] })
    later(portal, 61)
    expect(await hook.pull()).toEqual([])
    const { WebhookStatus } = await admin.get(`${hook.path}/notificationStatus`)
    const at = '2026-01-15 12:00:07.000'
    expect(WebhookStatus).toEqual([
      { id: hook.id, isInvoked: true, invokedTimestamp: at, responseText: 'acknowledged', payload },
      { id: hook.id, isInvoked: false, invokedTimestamp: at, responseText: 'fetched', payload },
    ])
  })

  test('gets it again when its lease has ended, as another attempt', async ({ admin, portal }) => {
    const hook = await hookOf(admin)
    await hook.add([1, 'a'])
    expect([await hook.pull({ leaseSeconds: 10 }), await hook.pull()]).toEqual([[1], []])
    later(portal, 9.999)
    expect(await hook.pull()).toEqual([])
    later(portal, 0.001)
    const { deliveries } = await admin.post(`${hook.path}/pull`)
    expect(deliveries[0].headers['webhook-attempt']).toBe('2')
    expect(await admin.get(`${hook.path}/deliveries/${idOf(1)}`)).toMatchObject({
      state: 'pending',
      attempts: 2,
      nextAttempt: null,
      attemptLog: [{ responseText: 'fetched' }, { responseText: 'fetched' }],
    })
  })

  test('gets what shares an object in its order, and no later one before', async ({ admin, portal }) => {
    const hook = await hookOf(admin)
    await hook.add([1, 'a'], [2, 'b'], [3, 'a', 'c'], [4, 'c'], [5, 'b'], [6, 'd'])
    expect(await hook.pull({ max: 1 })).toEqual([1])
    // The third waits for the first, and the fourth for the third.
    expect(await hook.pull()).toEqual([2, 5, 6])
    await hook.ack(1, 2)
    expect(await hook.pull()).toEqual([3, 4])
    later(portal, 61)
    expect(await hook.pull({ max: 3 })).toEqual([3, 4, 5])
  })

  test('goes on behind many that are held', async ({ admin }) => {
    const hook = await hookOf(admin)
    await hook.add(...Array.from({ length: 501 }, (_, at) => [at + 1, 'a'] as const), [502, 'b'])
    expect([await hook.pull({ max: 1 }), await hook.pull()]).toEqual([[1], [502]])
  })

  test('shares with others what there is, each delivery for one', async ({ admin }) => {
    const hook = await hookOf(admin)
    await hook.add(...Array.from({ length: 40 }, (_, at) => [at + 1, String(at)] as const))
    const got = (await Promise.all(Array.from({ length: 8 }, () => hook.pull({ max: 7 })))).flat()
    expect(got.toSorted((one, other) => one - other)).toEqual(Array.from({ length: 40 }, (_, at) => at + 1))
  })

  test('gets about a megabyte at most, and at least one', async ({ admin, portal }) => {
    const hook = await hookOf(admin)
    const payload = JSON.stringify('x'.repeat(400_000))
    await addDeliveries(portal, ...[1, 2, 3].map((number) => ({ id: idOf(number), webhookId: hook.id, payload })))
    expect([await hook.pull(), await hook.pull()]).toEqual([[1, 2], [3]])
  })

  test('names what is none of its deliveries, and does it no harm', async ({ admin }) => {
    const [hook, other] = [await hookOf(admin), await hookOf(admin, 'Other')]
    await hook.add([1, 'a'])
    await other.add([2, 'a'])
    const ids = JSON.stringify([idOf(2), idOf(1), 'nonsense', idOf(2)])
    expect(await admin.post(`${hook.path}/ack`, { ids })).toEqual({
      success: true,
      acked: 1,
      unknown: [idOf(2), 'nonsense'],
    })
    expect(await other.pull()).toEqual([2])
  })

  test('is in the log for its first fetch of a day', async ({ portal }) => {
    later(portal, 11.5 * 3_600)
    const hook = await hookOf(await portal.admin())
    for (const seconds of [0, 61, 28 * 60 + 50, 10, 1]) {
      later(portal, seconds)
      await hook.pull()
    }
    const entries = await recordedOf(portal).entries()
    const fetches = entries.filter(({ operation }) => operation === 'pullWebhookDeliveries')
    expect(fetches.map(({ at }) => new Date(at).toISOString())).toEqual([
      '2026-01-15T23:30:00.000Z',
      '2026-01-16T00:00:01.000Z',
    ])
  })

  test('gets nothing of a webhook that is off, and everything when it is on', async ({ admin }) => {
    const hook = await hookOf(admin)
    await hook.add([1, 'a'])
    await admin.post(`${hook.path}/deactivate`)
    const off = 'The webhook is off; activate it first.'
    expect(await admin.post(`${hook.path}/pull`)).toEqual(refused('pull webhook deliveries', off))
    const again = `${hook.path}/deliveries/${idOf(1)}/redeliver`
    expect(await admin.post(again)).toEqual(refused('redeliver webhook delivery', off))
    expect(await admin.post(`${hook.path}/recover`, { since: 0 })).toEqual(refused('recover webhook deliveries', off))
    await admin.post(`${hook.path}/activate`)
    expect(await hook.pull()).toEqual([1])
  })
})

describe('a fetch that waits', () => {
  /** Resolves when so many wait, so that what comes then comes while they do; of several servers, each knows its own alone. */
  const untilWaiting = ({ server }: TestPortal, count: number) =>
    until('it waits', () => isReplicated || server.dependencies.pullWaits.count() === count)

  test('ends with what comes, and begins the lease then', async ({ admin, portal }) => {
    const hook = await hookOf(admin)
    const waiting = hook.pull({ waitSeconds: 25, leaseSeconds: 10 })
    await untilWaiting(portal, 1)
    later(portal, 5)
    await hook.add([1, 'a'])
    expect(await waiting).toEqual([1])
    later(portal, 9)
    expect(await hook.pull()).toEqual([])
    later(portal, 1)
    expect(await hook.pull()).toEqual([1])
  })

  test('ends when what held a delivery back is acknowledged', async ({ admin, portal }) => {
    const hook = await hookOf(admin)
    await hook.add([1, 'a'], [2, 'a'])
    expect(await hook.pull({ max: 1 })).toEqual([1])
    const waiting = hook.pull({ waitSeconds: 25 })
    await untilWaiting(portal, 1)
    await hook.ack(1)
    expect(await waiting).toEqual([2])
  })

  test.skipIf(isReplicated)(
    'is answered where four wait already, and takes no place of other requests',
    async ({ admin, portal }) => {
      const hook = await hookOf(admin)
      const waiting = Array.from({ length: 4 }, () => hook.pull({ waitSeconds: 25, max: 1 }))
      await untilWaiting(portal, 4)
      expect(await hook.pull({ waitSeconds: 25 })).toEqual([])
      const other = await hookOf(admin, 'Other')
      const more = other.pull({ waitSeconds: 25 })
      await untilWaiting(portal, 5)
      await Promise.all(Array.from({ length: 80 }, () => admin.get('/portals/self')))
      await hook.add(...[1, 2, 3, 4].map((number) => [number, String(number)] as const))
      await other.add([9, 'a'])
      expect([(await Promise.all(waiting)).flat().toSorted(), await more]).toEqual([[1, 2, 3, 4], [9]])
    },
  )

  test.skipIf(isReplicated)('ends empty when its time has passed, and when the server ends', async () => {
    await using portal = await startPortal({ isReused: false })
    const hook = await hookOf(await portal.admin())
    expect(await hook.pull({ waitSeconds: 1 })).toEqual([])
    const waiting = hook.pull({ waitSeconds: 25 })
    await untilWaiting(portal, 1)
    portal.server.dependencies.pullWaits.end()
    expect(await waiting).toEqual([])
    expect(await hook.pull({ waitSeconds: 25 })).toEqual([])
  })
})

describe('deliveries', () => {
  test('are listed by state, read, and made again', async ({ admin, portal }) => {
    const hook = await hookOf(admin)
    const one = { webhookId: hook.id, path: '/groups/1/update', eventId: 'e'.repeat(32) }
    await addDeliveries(
      portal,
      { ...one, id: idOf(1), state: 'sent' },
      { ...one, id: idOf(2), state: 'failed', createdAt: startOfTests + 1 },
      { ...one, id: idOf(3), createdAt: startOfTests + 2 },
    )
    const list = async (parameters: Parameters) => {
      const { total, deliveries } = await admin.get(`${hook.path}/deliveries`, parameters)
      return [total, ...deliveries.map((delivery: Body) => Number(delivery.id.slice(4)))]
    }
    expect([await list({}), await list({ state: 'failed' }), await list({ start: 2, num: 1 })]).toEqual([
      [3, 3, 2, 1],
      [1, 2],
      [3, 2],
    ])
    expect(await admin.get(`${hook.path}/deliveries/${idOf(2)}`)).toStrictEqual({
      id: idOf(2),
      eventId: one.eventId,
      eventIds: [one.eventId],
      events: [one.path],
      state: 'failed',
      attempts: 0,
      created: startOfTests + 1,
      nextAttempt: null,
      lastStatus: null,
      lastError: null,
      tookMs: null,
      payload: '{}',
      attemptLog: [],
    })
    const recover = (since: number) => admin.post(`${hook.path}/recover`, { since })
    expect(await recover(startOfTests + 3)).toEqual({ success: true, queued: 0 })
    expect(await recover(startOfTests)).toEqual({ success: true, queued: 2 })
    expect(await admin.post(`${hook.path}/deliveries/${idOf(1)}/redeliver`)).toEqual({ success: true, queued: 1 })
    expect(await hook.pull()).toEqual([1, 2, 3])
    expect(await admin.post(`${hook.path}/deliveries/${idOf(2)}/redeliver`)).toEqual({ success: true, queued: 1 })
    expect(await hook.pull()).toEqual([2])
  })

  test('are signed by both secrets while two count', async ({ admin, portal }) => {
    const hook = await hookOf(admin)
    const rotate = async (parameters: Parameters) =>
      (await portal.admin()).post(`${hook.path}/rotateSecret`, parameters)
    const countSignatures = async () => {
      const { deliveries } = await (await portal.admin()).post(`${hook.path}/pull`, { leaseSeconds: 10 })
      later(portal, 10)
      return deliveries[0].headers['webhook-signature'].split(' ').length
    }
    await hook.add([1, 'a'])
    const { secret } = await rotate({ overlapHours: 1 })
    expect([secret !== hook.secret, await countSignatures()]).toEqual([true, 2])
    later(portal, 3_590)
    expect(await countSignatures()).toBe(1)
    expect(await rotate({ secret: 'short', overlapHours: 168 })).toEqual({
      success: true,
      warnings: ['secret: 5 characters; 16 and more are safe.'],
    })
    expect(await countSignatures()).toBe(2)
    expect((await (await portal.admin()).post(`${hook.path}/update`, { secret: '' })).secret).toMatch(/^whsec_/)
    expect(await countSignatures()).toBe(1)
  })

  test('of a webhook that is sent to are not fetched', async () => {
    await using portal = await startPortal({ environment: { WEBHOOKS: 'on' }, isReused: false })
    const hook = await hookOf(await portal.admin())
    await hook.client.post(`${hook.path}/update`, { url: 'https://93.184.216.34/' })
    const detail = 'The server sends to this webhook; only those with url=pull: are fetched from.'
    expect(await hook.client.post(`${hook.path}/pull`)).toEqual(refused('pull webhook deliveries', detail))
    expect(await hook.ack(1)).toEqual(refused('acknowledge webhook deliveries', detail))
  })
})
