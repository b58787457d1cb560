import { mapParsed } from '../../../call/parsed.ts'
import { requireWebhook, requireWebhookManager } from '../../../webhooks/access.ts'
import { webhookLimits } from '../../../webhooks/hook.ts'
import { exampleIds, generatedIds } from '../../examples/examples.ts'
import { madeSecret, webhookAnswer } from '../../examples/webhooks.ts'
import { pageOf, pageToWire } from '../../shapes/page.ts'
import { id as idShape, list, object, text } from '../../shapes/shape.ts'
import { success, successShapeWith, successWith } from '../../shapes/success.ts'
import {
  usualSettings,
  webhookSettingsShape,
  webhookSettingsToWire,
  webhookShape,
  webhookToWire,
} from '../../shapes/webhooks/webhook.ts'
import { type Endpoint, endpointsOf } from '../endpoint.ts'
import { pagesOf } from '../page-parameters.ts'
import { onlyGiven, optionalInteger, withDefault } from '../parameter-types.ts'
import { withoutEffect } from '../unused-parameters.ts'
import {
  changeOf,
  createParameters,
  judgeAddress,
  newHookOf,
  newSecret,
  sealSecret,
  shortSecret,
  updateParameters,
  warningsOf,
} from './hook-parameters.ts'

const endpoint = endpointsOf('webhooks')

const { portalId, webhookId } = exampleIds
export const webhooksPath = '/portals/:portalId/webhooks'
export const webhookPath = `${webhooksPath}/:webhookId` as const
export const ids = { portalId, webhookId } as const
export const who = 'Administrators, and custom roles with portal:admin:manageWebhooks'
const secretMember = { secret: text('Shown once, where it was made here.') }
const answers = { json: successShapeWith({}, secretMember) }

/** The input of an operation that changes which webhooks collect. */
const switchRows = (
  [
    [
      'activateWebhook',
      'Activate webhook',
      'activate',
      'Switches a webhook on: what is pending is sent now, and failures are counted from the beginning.',
    ],
    ['deactivateWebhook', 'Deactivate webhook', 'deactivate', 'Switches a webhook off: nothing is collected for it.'],
    ['deleteWebhook', 'Delete webhook', 'delete', 'Deletes a webhook with all that is pending for it.'],
  ] as const
).map(([id, title, word, summary]) =>
  endpoint({
    id,
    title,
    path: `${webhookPath}/${word}`,
    who,
    summary,
    example: { ids, answer: { success: true } },
    async answer({ ids: named, dependencies: { random }, run }) {
      await run({ ...named, revision: random.id() })
      return success
    },
  }),
)

/** Webhooks of an organization, and their settings. */
export const hookRows: readonly Endpoint[] = [
  endpoint({
    id: 'listWebhooks',
    title: 'Webhooks',
    path: webhooksPath,
    parameters: pagesOf(webhookLimits.hooks),
    who,
    summary: 'Webhooks of the organization, the oldest first.',
    answers: { json: pageOf('webhooks', webhookShape) },
    example: { ids: { portalId }, answer: { total: 1, start: 1, num: 50, nextStart: -1, webhooks: [webhookAnswer] } },
    async answer({ ids: named, input, run }) {
      return { json: pageToWire('webhooks', await run({ ...named, page: input }), webhookToWire) }
    },
  }),
  endpoint({
    id: 'createWebhook',
    title: 'Create webhook',
    path: `${webhooksPath}/createWebhook`,
    parameters: createParameters,
    who,
    summary: 'Makes a webhook, which gets each change that begins after the answer.',
    extension: 'webhooks',
    chosen: [
      `An organization has at most ${webhookLimits.hooks} webhooks. A name that another one has is refused.`,
      'An address is looked up, and nothing is requested from it. The secret signs deliveries, and is never sent.',
      'Paths of events that are unknown are refused.',
    ],
    answers: { json: successShapeWith({ id: idShape() }, secretMember) },
    example: {
      ids: { portalId },
      parameters: { name: 'Groups', url: 'pull:', changes: 'manualChanges', events: '/groups/add' },
      answer: { success: true, id: generatedIds.id, secret: madeSecret },
    },
    async answer({ ids: named, input, publicUrl, settings, dependencies, read, run }) {
      await read(requireWebhookManager, named)
      const { random } = dependencies
      const hook = await judgeAddress(newHookOf(input), { dependencies })
      const given = 'value' in input ? input.value.secret : undefined
      const { sealedSecret, shown } = await sealSecret(given, dependencies)
      const made = { ...named, webhookId: random.id(), revision: random.id() }
      const server = { portalUrl: `${publicUrl}/`, sends: settings.webhooks.isOn }
      await run({ ...made, hook, sealedSecret, server })
      return { ...successWith({ id: made.webhookId, ...shown }), warnings: warningsOf(input, hook) }
    },
  }),
  endpoint({
    id: 'readWebhookSettings',
    title: 'Webhook settings',
    path: `${webhooksPath}/settings`,
    who,
    summary: 'How often and how long deliveries of the organization are tried.',
    chosen: ['retrySchedule, which is the same for every organization.'],
    answers: { json: webhookSettingsShape },
    example: { ids: { portalId }, answer: usualSettings },
    async answer({ ids: named, run }) {
      return { json: webhookSettingsToWire(await run(named)) }
    },
  }),
  endpoint({
    id: 'updateWebhookSettings',
    title: 'Update webhook settings',
    path: `${webhooksPath}/settings/update`,
    parameters: {
      notificationAttempts: optionalInteger('Requests that follow each other; 0 counts as 1.', {
        minimum: 0,
        maximum: 5,
      }),
      notificationTimeOutInSeconds: optionalInteger('Seconds in which a receiver has to answer; 0 counts as 10.', {
        minimum: 0,
        maximum: 60,
      }),
      notificationElapsedTimeInSeconds: optionalInteger('Seconds between these requests.', {
        minimum: 1,
        maximum: 100,
      }),
      ...withoutEffect('retrySchedule'),
    },
    who,
    summary: 'Changes the given numbers; the others are unchanged.',
    example: { ids: { portalId }, parameters: { notificationAttempts: '5' }, answer: { success: true } },
    async answer({ ids: named, input, run }) {
      await run({ ...named, change: mapParsed(input, ({ retrySchedule: _, ...change }) => onlyGiven(change)) })
      return success
    },
  }),
  endpoint({
    id: 'listServiceWebhooks',
    title: 'Service webhooks',
    path: `${webhooksPath}/serviceWebhooks`,
    who,
    summary: 'Webhooks of services: there are none.',
    answers: { json: object({ webhooks: list(webhookShape) }) },
    example: { ids: { portalId }, answer: { webhooks: [] } },
    async answer({ ids: named, run }) {
      await run(named)
      return { json: { webhooks: [] } }
    },
  }),
  endpoint({
    id: 'readWebhook',
    title: 'Webhook',
    path: webhookPath,
    who,
    summary: 'A webhook, without its secret.',
    answers: { json: webhookShape },
    example: { ids, answer: webhookAnswer },
    answer: async ({ ids: named, run }) => ({ json: webhookToWire(await run(named)) }),
  }),
  endpoint({
    id: 'updateWebhook',
    title: 'Update webhook',
    path: `${webhookPath}/update`,
    parameters: updateParameters,
    who,
    summary:
      'Changes what is given; the rest is unchanged. New events and a new address count from the next change on.',
    chosen: ['What is pending is sent to the new address, or can be fetched.'],
    answers,
    example: { ids, parameters: { name: 'Catalogue', events: '/items' }, answer: { success: true } },
    async answer({ ids: named, input, dependencies, read, run }) {
      await read(requireWebhook, named)
      const change = await judgeAddress(changeOf(input), { dependencies })
      const given = 'value' in input ? input.value.secret : undefined
      const sealed = given === undefined ? undefined : await sealSecret(given, dependencies)
      const revision = dependencies.random.id()
      await run({ ...named, revision, change, sealedSecret: sealed?.sealedSecret })
      return { ...successWith({ ...sealed?.shown }), warnings: warningsOf(input, change) }
    },
  }),
  ...switchRows,
  endpoint({
    id: 'rotateWebhookSecret',
    title: 'Rotate webhook secret',
    path: `${webhookPath}/rotateSecret`,
    parameters: {
      secret: newSecret,
      overlapHours: withDefault(
        optionalInteger('Hours in which the present secret signs too, after the new one; default 24.', {
          minimum: 0,
          maximum: 168,
        }),
        24,
      ),
    },
    who,
    summary: 'Gives a webhook another secret. At most two count: a third ends the first.',
    source: 'chosen',
    answers,
    example: { ids, answer: { success: true, secret: madeSecret } },
    async answer({ ids: named, input, dependencies, read, run }) {
      await read(requireWebhook, named)
      const given = 'value' in input ? input.value.secret : undefined
      const { sealedSecret, shown } = await sealSecret(given, dependencies)
      await run({ ...named, overlapHours: mapParsed(input, ({ overlapHours }) => overlapHours), sealedSecret })
      return { ...successWith(shown), warnings: shortSecret(given) }
    },
  }),
]
