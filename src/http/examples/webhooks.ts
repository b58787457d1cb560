import { version } from '../../version.ts'
import { defaultPolicy } from '../../webhooks/rules.ts'
import type { WireWebhook } from '../shapes/webhooks/webhook.ts'
import { exampleIds, exampleRoot, exampleTime, generatedIds } from './examples.ts'

/** The webhook of the documented examples, and what is delivered to it. */

export const catalogue = { name: 'Catalogue', url: 'pull:', events: '/items,/groups/*/assignCategorySchema' } as const

export const webhookAnswer: WireWebhook = {
  id: exampleIds.webhookId,
  accountId: exampleIds.portalId,
  payloadUrl: catalogue.url,
  isActive: true,
  name: catalogue.name,
  config: { deactivationPolicy: defaultPolicy },
  ownerId: exampleIds.adminId,
  created: exampleTime,
  modified: exampleTime,
  events: catalogue.events.split(','),
  hasSecret: true,
  lastFailure: null,
  deactivatedBecause: null,
}

export const deliveryAnswer = {
  id: exampleIds.deliveryId,
  eventId: exampleIds.eventId,
  eventIds: [exampleIds.eventId],
  events: [`/items/${exampleIds.itemId}/update`],
  state: 'pending',
  attempts: 1,
  created: exampleTime,
  nextAttempt: null,
  lastStatus: null,
  lastError: null,
  tookMs: null,
} as const

export const madeSecret = `whsec_${Buffer.from(generatedIds.token, 'base64url').toString('base64')}`

export const examplePayload = JSON.stringify({
  info: {
    webhookName: catalogue.name,
    webhookId: exampleIds.webhookId,
    portalURL: `${exampleRoot}/`,
    when: exampleTime,
    deliveryId: exampleIds.deliveryId,
  },
  events: [
    {
      userId: exampleIds.adminId,
      username: 'admin',
      when: exampleTime,
      operation: 'update',
      source: 'item',
      id: exampleIds.itemId,
      eventId: exampleIds.eventId,
      properties: { title: 'Lakes', type: 'Web Map', owner: 'admin', changed: ['tags'] },
    },
  ],
})

export const notificationAnswer = {
  id: exampleIds.webhookId,
  isInvoked: false,
  invokedTimestamp: '2026-01-15 12:00:00.000',
  responseText: 'fetched',
  payload: examplePayload,
} as const

export const fetchedHeaders = {
  'content-type': 'application/json',
  'content-length': String(examplePayload.length),
  'user-agent': `Cartulary/${version}`,
  'webhook-id': exampleIds.deliveryId,
  'webhook-timestamp': String(exampleTime / 1_000),
  'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  'webhook-attempt': '2',
  'x-esrihook-signature': 'sha256=tZ1SVp9u6oEsjPj1Bl1jVLwqFNmn8lGnGxZbsdrp0mE=',
} as const
