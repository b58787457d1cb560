import { defaultSettings, retrySchedule, sentenceOf, type Webhook } from '../../../webhooks/hook.ts'
import type { SettingNumbers } from '../../../webhooks/settings-operations.ts'
import {
  boolean,
  component,
  constant,
  id,
  integer,
  list,
  nullable,
  number,
  object,
  shortId,
  text,
  time,
  type ValueOf,
} from '../shape.ts'

export const webhookShape = component(
  'Webhook',
  'A program that learns of changes: the server sends to it, or it fetches them.',
  object({
    id: id(),
    accountId: shortId('The organization.'),
    payloadUrl: text('Where deliveries are sent to; `pull:` where they are fetched.'),
    isActive: boolean(),
    name: text('Unique in the organization, whatever its case.'),
    config: object({
      deactivationPolicy: object({
        numberOfFailures: integer('Failed deliveries with which it is switched off.', 1),
        daysInPast: integer('Days, from the first of them, in which they count.', 1),
      }),
    }),
    ownerId: id('Id of its owner.'),
    created: time('When it was made.'),
    modified: time('When it was last changed.'),
    events: list(text(), 'Paths of the events that it asks for.'),
    hasSecret: constant(true),
    lastFailure: nullable(time('When a delivery last failed.')),
    deactivatedBecause: nullable(text('Why it is off; null where it is on.')),
  }),
)
export type WireWebhook = ValueOf<typeof webhookShape>

/** Never with its secret, nor with what stands for it: clients send back what they have read (observed). */
export function webhookToWire(hook: Webhook): WireWebhook {
  const { numberOfFailures, daysInPast } = hook
  return {
    id: hook.webhookId,
    accountId: hook.portalId,
    payloadUrl: hook.url,
    isActive: hook.isActive,
    name: hook.name,
    config: { deactivationPolicy: { numberOfFailures, daysInPast } },
    ownerId: hook.ownerId,
    created: hook.createdAt,
    modified: hook.modifiedAt,
    events: hook.events,
    hasSecret: true,
    lastFailure: hook.lastFailureAt ?? null,
    deactivatedBecause: sentenceOf(hook) ?? null,
  }
}

export const webhookSettingsShape = component(
  'WebhookSettings',
  'How often and how long deliveries of an organization are tried.',
  object({
    notificationAttempts: integer('Requests that follow each other; 0 counts as 1.', 0),
    notificationTimeOutInSeconds: integer('Seconds in which a receiver has to answer; 0 counts as 10.', 0),
    notificationElapsedTimeInSeconds: integer('Seconds between these requests.', 1),
    retrySchedule: list(
      number(),
      'Seconds between the attempts after them, each more or less a fifth. The same for all.',
    ),
  }),
)

export function webhookSettingsToWire(settings: SettingNumbers): ValueOf<typeof webhookSettingsShape> {
  const { notificationAttempts, notificationTimeOutInSeconds, notificationElapsedTimeInSeconds } = settings
  const numbers = { notificationAttempts, notificationTimeOutInSeconds, notificationElapsedTimeInSeconds }
  return { ...numbers, retrySchedule }
}

/** Settings of an organization that has set none. */
export const usualSettings = webhookSettingsToWire(defaultSettings)
