import type { Delivery, Webhook } from '../../../src/webhooks/hook.ts'
import { anId, aPortal, builder, noon } from './records.ts'

export const aWebhook = builder<Webhook>({
  webhookId: anId(800),
  portalId: aPortal().portalId,
  ownerId: anId(1),
  name: 'Catalogue',
  nameKey: 'catalogue',
  url: 'pull:',
  isActive: true,
  events: ['/'],
  numberOfFailures: 5,
  daysInPast: 5,
  sealedSecret: 'sealed',
  formerSecret: undefined,
  formerSecretEndsAt: undefined,
  createdAt: noon,
  modifiedAt: noon,
  lastFailureAt: undefined,
  ending: undefined,
  endedBy: undefined,
  failures: 0,
  windowBeganAt: undefined,
  failuresInRow: 0,
  waitsUntil: undefined,
  pulledAt: undefined,
  hasOverflowed: false,
  lease: undefined,
  leasedUntil: undefined,
})

export const aDelivery = builder<Omit<Delivery, 'number' | 'state' | 'attempts' | 'tries'>>({
  deliveryId: 'msg_1',
  webhookId: anId(800),
  portalId: aPortal().portalId,
  eventIds: [anId(801)],
  paths: ['/items/add'],
  objects: ['items/1'],
  payload: '{"info":{}}',
  createdAt: noon,
  nextAttemptAt: noon,
  lastStatus: undefined,
  lastError: undefined,
  tookMs: undefined,
  leasedUntil: undefined,
  endedAt: undefined,
})

export const anAttempt = builder({
  deliveryId: 'msg_1',
  webhookId: anId(800),
  attemptedAt: noon,
  status: 200 as number | undefined,
  error: undefined as string | undefined,
  tookMs: 38 as number | undefined,
  responseText: undefined as string | undefined,
})
