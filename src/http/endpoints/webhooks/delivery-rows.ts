import { mapParsed } from '../../../call/parsed.ts'
import { deliveryStates } from '../../../webhooks/hook.ts'
import { parseTexts } from '../../../webhooks/rules.ts'
import { exampleIds, exampleTime } from '../../examples/examples.ts'
import { deliveryAnswer, examplePayload, fetchedHeaders, notificationAnswer } from '../../examples/webhooks.ts'
import { pageMembers, pageOf, pageToWire } from '../../shapes/page.ts'
import { integer, list, object, text } from '../../shapes/shape.ts'
import { successShapeWith, successWith } from '../../shapes/success.ts'
import {
  deliveryShape,
  deliveryToWire,
  deliveryWithAttemptsShape,
  deliveryWithAttemptsToWire,
  notificationShape,
  notificationToWire,
  pulledShape,
  pulledToWire,
} from '../../shapes/webhooks/delivery.ts'
import { type Endpoint, endpointsOf } from '../endpoint.ts'
import { pagesOf } from '../page-parameters.ts'
import { optionalChoice, optionalInteger, type Parameter, Wrong, withDefault } from '../parameter-types.ts'
import { ids, webhookPath, who } from './hook-rows.ts'

const endpoint = endpointsOf('webhooks')

const withDelivery = { ...ids, deliveryId: exampleIds.deliveryId } as const
const queued = successShapeWith({ queued: integer('Deliveries that are made again.', 0) })
const page = { total: 1, start: 1, num: 25, nextStart: -1 }

const since = optionalInteger('Epoch milliseconds: those that were made then or later.', { minimum: 0 })

/** The parameter, of which a value has to be given. */
function required<Value>({
  readMalformed: _,
  readRepeated: __,
  ...of
}: Parameter<Value | undefined>): Parameter<Value> {
  return { ...of, isRequired: true, read: (given) => of.read(given) ?? new Wrong('give a value.') }
}

/** Ids of deliveries that are acknowledged together. */
const maxIds = 1_000
const maxIdLength = 64

/** Deliveries of webhooks: looked at, made again, or fetched. */
export const deliveryRows: readonly Endpoint[] = [
  endpoint({
    id: 'listWebhookNotifications',
    title: 'Webhook notification status',
    path: `${webhookPath}/notificationStatus`,
    parameters: pagesOf(25),
    who,
    summary: 'Attempts at the deliveries of a webhook, the newest first.',
    answers: { json: object({ ...pageMembers, WebhookStatus: list(notificationShape) }) },
    example: { ids, answer: { ...page, WebhookStatus: [notificationAnswer] } },
    async answer({ ids: named, input, run }) {
      return { json: pageToWire('WebhookStatus', await run({ ...named, page: input }), notificationToWire) }
    },
  }),
  endpoint({
    id: 'listWebhookDeliveries',
    title: 'Webhook deliveries',
    path: `${webhookPath}/deliveries`,
    parameters: { ...pagesOf(25), state: optionalChoice('Only those in this state.', deliveryStates) },
    who,
    summary: 'Deliveries of a webhook, the newest first.',
    source: 'chosen',
    chosen: ['Deliveries that were sent are kept for 7 days, those that failed for 30.'],
    answers: { json: pageOf('deliveries', deliveryShape) },
    example: { ids, answer: { ...page, deliveries: [deliveryAnswer] } },
    async answer({ ids: named, input, run }) {
      const found = await run({ ...named, asked: input })
      return { json: pageToWire('deliveries', found, (delivery) => deliveryToWire(delivery, found.hook)) }
    },
  }),
  endpoint({
    id: 'readWebhookDelivery',
    title: 'Webhook delivery',
    path: `${webhookPath}/deliveries/:deliveryId`,
    who,
    summary: 'A delivery with its bytes and its attempts.',
    source: 'chosen',
    answers: { json: deliveryWithAttemptsShape },
    example: {
      ids: withDelivery,
      answer: {
        ...deliveryAnswer,
        payload: examplePayload,
        attemptLog: [{ when: exampleTime, status: null, error: null, tookMs: null, responseText: 'fetched' }],
      },
    },
    async answer({ ids: named, run }) {
      const { delivery, hook, attempts } = await run(named)
      return { json: deliveryWithAttemptsToWire(delivery, hook, attempts) }
    },
  }),
  endpoint({
    id: 'redeliverWebhookDelivery',
    title: 'Redeliver',
    path: `${webhookPath}/deliveries/:deliveryId/redeliver`,
    who,
    summary: 'Makes one delivery again, whatever became of it, with the same id and bytes.',
    source: 'chosen',
    answers: { json: queued },
    example: { ids: withDelivery, answer: { success: true, queued: 1 } },
    async answer({ ids: named, run }) {
      await run(named)
      return successWith({ queued: 1 })
    },
  }),
  endpoint({
    id: 'recoverWebhookDeliveries',
    title: 'Recover deliveries',
    path: `${webhookPath}/recover`,
    parameters: {
      since: required(since),
    },
    who,
    summary: 'Makes all deliveries since a time again that were not sent, in their order.',
    source: 'chosen',
    answers: { json: queued },
    example: { ids, parameters: { since: String(exampleTime) }, answer: { success: true, queued: 1 } },
    async answer({ ids: named, input, run }) {
      return successWith(await run({ ...named, since: mapParsed(input, (given) => given.since) }))
    },
  }),
  endpoint({
    id: 'pullWebhookDeliveries',
    title: 'Pull deliveries',
    path: `${webhookPath}/pull`,
    parameters: {
      max: withDefault(optionalInteger('Deliveries at most; default 25.', { minimum: 1, maximum: 100 }), 25),
      leaseSeconds: withDefault(
        optionalInteger('Seconds in which they are not given again; default 60.', { minimum: 10, maximum: 300 }),
        60,
      ),
      waitSeconds: withDefault(
        optionalInteger('Seconds to wait for the first; default 0.', { minimum: 0, maximum: 25 }),
        0,
      ),
    },
    who,
    summary: 'The oldest deliveries of a webhook whose url is pull:, until they are acknowledged or their lease ends.',
    source: 'chosen',
    chosen: [
      'Of one object, a delivery is given only when those before it are in the same answer or acknowledged. Each goes to one of several readers.',
      'At most 4 wait for a webhook, and 100 for a server; more are answered immediately.',
      'An answer has about 1 MiB of payloads at most.',
    ],
    answers: { json: pulledShape },
    example: {
      ids,
      varies: true,
      answer: { deliveries: [{ id: deliveryAnswer.id, headers: fetchedHeaders, payload: examplePayload }] },
    },
    async answer({ ids: named, input, now, dependencies, outside, run }) {
      const { webhookSecrets, pullWaits } = dependencies
      const seconds = 'value' in input ? input.value.waitSeconds : 0
      const until = performance.now() + seconds * 1_000
      const fetch = () => run({ ...named, asked: input, waited: Math.max(0, dependencies.now() - now) })
      let pulled = await fetch()
      for (let seen: string | undefined; pulled.deliveries.length === 0; pulled = await fetch()) {
        const { webhookId } = pulled
        const milliseconds = until - performance.now()
        if (milliseconds <= 0) break
        seen = await outside((signal) => pullWaits.wait(webhookId, { seen, milliseconds, signal }))
        if (seen === undefined) break
      }
      const headers = await webhookSecrets.sign(pulled.deliveries, pulled.sealedSecrets, dependencies.now())
      return { json: pulledToWire(pulled.deliveries, headers) }
    },
  }),
  endpoint({
    id: 'ackWebhookDeliveries',
    title: 'Acknowledge deliveries',
    task: 'acknowledge webhook deliveries',
    path: `${webhookPath}/ack`,
    parameters: {
      ids: {
        type: 'string',
        isRequired: true,
        meaning: 'Ids of deliveries, with commas between them or as a JSON array of texts.',
        read(given = '') {
          const parsed = parseTexts(given, { max: maxIds, maxLength: maxIdLength })
          return 'value' in parsed ? parsed.value : new Wrong(parsed.problems.join(' '))
        },
      } satisfies Parameter<readonly string[]> as Parameter<readonly string[]>,
    },
    who,
    summary: 'Ends deliveries that were fetched: they are not given again.',
    source: 'chosen',
    answers: {
      json: successShapeWith({
        acked: integer('Deliveries that were open.', 0),
        unknown: list(text(), 'Ids of none of its deliveries.'),
      }),
    },
    example: { ids, parameters: { ids: exampleIds.deliveryId }, answer: { success: true, acked: 1, unknown: [] } },
    async answer({ ids: named, input, run }) {
      return successWith(await run({ ...named, deliveryIds: mapParsed(input, (given) => given.ids) }))
    },
  }),
]
