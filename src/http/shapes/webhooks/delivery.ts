import { type Attempt, type Delivery, deliveryStates, isPulled, type Webhook } from '../../../webhooks/hook.ts'
import type { SignedDelivery } from '../../../webhooks/secrets.ts'
import type { ListedDelivery } from '../../../webhooks/store.ts'
import {
  boolean,
  choice,
  component,
  durationOf,
  id,
  integer,
  list,
  matching,
  nullable,
  object,
  text,
  time,
  type ValueOf,
} from '../shape.ts'

const deliveryId = matching('^msg_[0-9a-f]{32}$', 'The webhook-id, the same for all attempts.')
const errorText = text('Why an attempt failed, one of a closed list, such as `no answer in time` or `HTTP 503`.')

const members = {
  id: deliveryId,
  eventId: id('Of the first event.'),
  eventIds: list(id()),
  events: list(text(), 'The different paths of its events, with ids.'),
  state: choice(deliveryStates),
  attempts: integer('Requests made so far, or times that it was fetched.', 0),
  created: time('When it was made.'),
  nextAttempt: nullable(time('Null where none is made by itself.')),
  lastStatus: nullable(integer('HTTP status of the last answer.')),
  lastError: nullable(errorText),
  tookMs: nullable(durationOf('Of the last attempt.')),
}

export const deliveryShape = component(
  'WebhookDelivery',
  'Events for a webhook, and what became of them.',
  object(members),
)

export const deliveryWithAttemptsShape = component(
  'WebhookDeliveryWithAttempts',
  'A delivery with its bytes and its attempts.',
  object({
    ...members,
    payload: text('The bytes that are sent, as text.'),
    attemptLog: list(
      object({
        when: time('When it was made.'),
        status: nullable(integer('HTTP status of the answer.')),
        error: nullable(errorText),
        tookMs: nullable(durationOf('From its begin to the answer.')),
        responseText: nullable(text('Start of the answer, of public addresses only; `fetched` or `acknowledged`.')),
      }),
      'Oldest first.',
    ),
  }),
)

/** The next attempt of a hook that is off is at no time. */
export function deliveryToWire(delivery: ListedDelivery, hook: Webhook): ValueOf<typeof deliveryShape> {
  const isTried = delivery.state === 'pending' && hook.isActive && !isPulled(hook)
  return {
    id: delivery.deliveryId,
    eventId: delivery.eventIds[0]!,
    eventIds: delivery.eventIds,
    events: delivery.paths,
    state: delivery.state,
    attempts: delivery.attempts,
    created: delivery.createdAt,
    nextAttempt: (isTried ? delivery.nextAttemptAt : undefined) ?? null,
    lastStatus: delivery.lastStatus ?? null,
    lastError: delivery.lastError ?? null,
    tookMs: delivery.tookMs ?? null,
  }
}

export function deliveryWithAttemptsToWire(
  delivery: Delivery,
  hook: Webhook,
  attempts: readonly Attempt[],
): ValueOf<typeof deliveryWithAttemptsShape> {
  return {
    ...deliveryToWire(delivery, hook),
    payload: delivery.payload,
    attemptLog: attempts.map(({ attemptedAt, status, error, tookMs, responseText }) => ({
      when: attemptedAt,
      status: status ?? null,
      error: error ?? null,
      tookMs: tookMs ?? null,
      responseText: responseText ?? null,
    })),
  }
}

export const notificationShape = component(
  'WebhookNotification',
  'An attempt, as the public API shows it.',
  object({
    id: id('The webhook.'),
    isInvoked: boolean('Whether it was answered by a success, or acknowledged.'),
    invokedTimestamp: matching('^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\.\\d{3}$', 'UTC.'),
    responseText: text('`HTTP <status>` and the start of the answer, or why there was none.'),
    payload: text('The bytes that were sent, as text.'),
  }),
)

export function notificationToWire(attempt: Attempt & { readonly payload: string }): ValueOf<typeof notificationShape> {
  const { webhookId, attemptedAt, status, error, responseText = '', payload } = attempt
  const answer = status === undefined ? (error ?? responseText) : `HTTP ${status} ${responseText}`.trimEnd()
  return {
    id: webhookId,
    isInvoked: status === undefined ? responseText === 'acknowledged' : status >= 200 && status < 300,
    invokedTimestamp: new Date(attemptedAt).toISOString().replace('T', ' ').slice(0, -1),
    responseText: answer,
    payload,
  }
}

/** Headers of a delivery that is sent, with names in lower case. */
const headersShape = object({
  'content-type': text(),
  'content-length': text('Bytes of the payload.'),
  'user-agent': text(),
  'webhook-id': deliveryId,
  'webhook-timestamp': text('Epoch seconds of the answer.'),
  'webhook-signature': text('By each secret that counts, the newer first (Standard Webhooks).'),
  'webhook-attempt': text('How often it was given, this time too.'),
  'x-esrihook-signature': text('By the newer secret, of the payload alone.'),
})

export const pulledShape = object({
  deliveries: list(
    object({
      id: deliveryId,
      headers: headersShape,
      payload: text('The bytes that are signed, as text.'),
    }),
    'Oldest first.',
  ),
})

export function pulledToWire(
  deliveries: readonly SignedDelivery[],
  headers: readonly Readonly<Record<string, string>>[],
): ValueOf<typeof pulledShape> {
  const inLowerCase = (of: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(of).map(([name, value]) => [name.toLowerCase(), value]))
  return {
    deliveries: deliveries.map(({ deliveryId: id, payload }, at) => ({
      id,
      headers: inLowerCase(headers[at]!) as ValueOf<typeof headersShape>,
      payload,
    })),
  }
}
