import { expect } from 'vitest'
import type { WorkStorage } from '../work-storage.ts'
import {
  addPeople,
  anId,
  aPortal,
  aUser,
  everything,
  noon,
  type OpenStorage,
  otherPortal,
  testOn,
  totalAnd,
} from './records.ts'
import { aDelivery, anAttempt, aWebhook } from './webhook-records.ts'

const { portalId } = aPortal()
const other = aWebhook({ webhookId: anId(810), name: 'Other', nameKey: 'other' })

/** Webhooks of organizations, and their deliveries. */
export function webhooksContract(open: OpenStorage): void {
  const test = testOn(open, async (storage) => {
    await addPeople(storage)
    await storage.webhooks.addWebhook(aWebhook())
  })

  const add = ({ webhooks }: WorkStorage, ...deliveries: ReturnType<typeof aDelivery>[]) =>
    webhooks.addDeliveries(deliveries)
  const numbered = (count: number) =>
    Array.from({ length: count }, (_, at) => aDelivery({ deliveryId: `msg_${at + 1}` }))

  test('a webhook is read as it was written, and changed', async ({ webhooks }) => {
    const full = aWebhook({
      events: ['/items/add', '/é "'],
      isActive: false,
      ending: 'policy',
      endedBy: 'anna',
      formerSecret: 'former',
      formerSecretEndsAt: noon + 1,
      lastFailureAt: noon,
      waitsUntil: noon,
      windowBeganAt: noon,
      pulledAt: noon,
      hasOverflowed: true,
    })
    await webhooks.updateWebhook(full)
    expect(await webhooks.findWebhook(full.webhookId)).toStrictEqual(full)
    await webhooks.removeWebhook(full.webhookId)
    expect(await webhooks.findWebhook(full.webhookId)).toBeUndefined()
  })

  test('webhooks are listed by organization, oldest first', async ({ webhooks }) => {
    await webhooks.addWebhook({ ...other, createdAt: noon - 1 })
    await webhooks.addWebhook(aWebhook({ webhookId: anId(811), portalId: otherPortal.portalId }))
    expect((await webhooks.listWebhooks(portalId)).map(({ name }) => name)).toEqual(['Other', 'Catalogue'])
  })

  test('a name is taken once in an organization', async ({ webhooks }) => {
    await expect(webhooks.addWebhook({ ...other, nameKey: 'catalogue' })).rejects.toThrow()
  })

  test('settings that are not given stay', async ({ webhooks }) => {
    expect(await webhooks.findSettings(portalId)).toBeUndefined()
    await webhooks.putSettings(portalId, { portalUrl: 'https://maps.example.com/', sends: true })
    await webhooks.putSettings(portalId, { notificationAttempts: 5 })
    expect(await webhooks.findSettings(portalId)).toEqual({
      portalId,
      notificationAttempts: 5,
      notificationTimeOutInSeconds: 10,
      notificationElapsedTimeInSeconds: 5,
      portalUrl: 'https://maps.example.com/',
      sends: true,
    })
  })

  test('there is a revision while any webhook collects, each with what its owner may do', async ({ webhooks }) => {
    await webhooks.putSettings(portalId, { portalUrl: 'https://maps.example.com/', sends: false })
    await webhooks.addWebhook({ ...other, url: 'https://hook.example.com', ownerId: anId(9) })
    await webhooks.putRevision('r1')
    const portalUrl = 'https://maps.example.com/'
    const { username, role, disabled } = aUser()
    const owner = { username, portalId, role, disabled, customPrivileges: undefined }
    expect(await webhooks.listCollecting()).toEqual([{ hook: aWebhook(), portalUrl, owner }])
    expect(await webhooks.findRevision()).toBe('r1')
    await webhooks.putSettings(portalId, { sends: true })
    expect((await webhooks.listCollecting()).map((one) => [one.hook.name, one.owner?.username])).toEqual([
      ['Catalogue', username],
      ['Other', undefined],
    ])
    await webhooks.putSettings(portalId, { sends: false })
    await webhooks.updateWebhook(aWebhook({ isActive: false }))
    await webhooks.putRevision('r2')
    expect([await webhooks.findRevision(), await webhooks.listCollecting()]).toEqual([undefined, []])
  })

  test('deliveries are listed newest first and by state, without their bytes', async ({ webhooks, storage }) => {
    await add(storage, ...numbered(3))
    await webhooks.acknowledgeDeliveries(['msg_2'], noon + 5)
    const { webhookId } = aWebhook()
    const list = async (state?: 'pending' | 'sent') =>
      totalAnd(await webhooks.listDeliveries(webhookId, state, everything), ({ deliveryId }) => deliveryId)
    expect([await list(), await list('pending'), await list('sent')]).toEqual([
      [3, 'msg_3', 'msg_2', 'msg_1'],
      [2, 'msg_3', 'msg_1'],
      [1, 'msg_2'],
    ])
    const found = await webhooks.findDelivery(webhookId, 'msg_2')
    const ended = { nextAttemptAt: undefined, endedAt: noon + 5 }
    expect(found).toEqual({
      ...aDelivery({ deliveryId: 'msg_2', ...ended }),
      state: 'sent',
      tries: 0,
      attempts: 0,
      number: found!.number,
    })
    expect(await webhooks.findDelivery(anId(810), 'msg_2')).toBeUndefined()
    expect(await webhooks.listStates(webhookId, ['msg_2', 'msg_9', 'msg_1'])).toEqual([
      { deliveryId: 'msg_1', state: 'pending' },
      { deliveryId: 'msg_2', state: 'sent' },
    ])
  })

  test('what is pending is gone through in order, lent, and seen by who waits', async ({ webhooks, storage }) => {
    await add(storage, ...numbered(3))
    const { webhookId } = aWebhook()
    const heads = await webhooks.listHeads(webhookId, 0, 2)
    expect(heads.map(({ objects, leasedUntil }) => [objects, leasedUntil])).toEqual(
      Array(2).fill([['items/1'], undefined]),
    )
    const [last] = await webhooks.listHeads(webhookId, heads[1]!.number, 2)
    expect((await webhooks.listPending(webhookId, heads[0]!.number, 9)).map(({ number }) => number)).toEqual([
      heads[1]!.number,
      last!.number,
    ])
    await webhooks.lendDeliveries([heads[0]!.number, last!.number], noon + 10)
    const lent = await webhooks.listNumbered([last!.number, heads[0]!.number])
    expect(lent.map((one) => [one.deliveryId, one.attempts, one.leasedUntil, one.payload])).toEqual([
      ['msg_1', 1, noon + 10, '{"info":{}}'],
      ['msg_3', 1, noon + 10, '{"info":{}}'],
    ])
    const queue = { webhookId, pending: 3, last: last!.number }
    expect(await webhooks.listFetchable([webhookId, anId(810)], noon)).toEqual([{ ...queue, lent: 2 }])
    expect(await webhooks.listFetchable([webhookId], noon + 10)).toEqual([{ ...queue, lent: 0 }])
    await webhooks.lendDeliveries([heads[1]!.number], noon + 10)
    expect([await webhooks.listFetchable([webhookId], noon), await webhooks.listFetchable([], noon)]).toEqual([[], []])
    expect(await webhooks.countPending(webhookId)).toBe(3)
  })

  test('what is pending is due when it is hastened, and what was not sent when it is recovered', async ({
    webhooks,
    storage,
  }) => {
    await webhooks.addWebhook(other)
    await add(storage, ...numbered(3), aDelivery({ deliveryId: 'msg_4', webhookId: other.webhookId }))
    await add(storage, aDelivery({ deliveryId: 'msg_5', createdAt: noon + 1 }))
    const { webhookId } = aWebhook()
    const failed = (await webhooks.findDelivery(webhookId, 'msg_5'))!
    await webhooks.updateDelivery({
      ...failed,
      state: 'failed',
      lastError: 'queue full',
      endedAt: noon,
      payload: 'other',
    })
    await webhooks.acknowledgeDeliveries(['msg_1'], noon)
    await webhooks.hastenPending(webhookId, noon + 7)
    const dueOf = async (...ids: string[]) =>
      Promise.all(ids.map(async (id) => (await webhooks.findDelivery(webhookId, id))?.nextAttemptAt))
    expect(await dueOf('msg_1', 'msg_2', 'msg_5')).toEqual([undefined, noon + 7, noon])
    expect(await webhooks.recoverDeliveries(webhookId, noon + 1, noon + 9)).toBe(1)
    expect(await webhooks.findDelivery(webhookId, 'msg_5')).toEqual({
      ...failed,
      lastError: 'queue full',
      nextAttemptAt: noon + 9,
    })
    expect((await webhooks.findDelivery(other.webhookId, 'msg_4'))?.nextAttemptAt).toBe(noon)
  })

  test('attempts are in their order, and go with their webhook', async ({ webhooks, storage }) => {
    await add(storage, ...numbered(2))
    const fetched = anAttempt({ deliveryId: 'msg_2', status: undefined, tookMs: undefined, responseText: 'fetched' })
    await webhooks.addAttempts([anAttempt(), fetched, anAttempt({ status: 503, responseText: 'away' })])
    const ofFirst = await webhooks.listAttempts('msg_1')
    expect(ofFirst).toEqual([anAttempt(), anAttempt({ status: 503, responseText: 'away' })])
    const { webhookId } = aWebhook()
    expect(await webhooks.listAttemptsOf(webhookId, { start: 2, num: 1 })).toEqual({
      total: 3,
      entries: [{ ...fetched, payload: '{"info":{}}' }],
    })
    await webhooks.removeWebhook(webhookId)
    expect([await webhooks.listAttempts('msg_1'), await storage.recorded.count('webhook_deliveries')]).toEqual([[], 0])
  })
}
