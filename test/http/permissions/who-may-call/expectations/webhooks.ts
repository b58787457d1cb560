import type { Case, Expectations } from './case.ts'
import { type Expected, forbidden, governors, insiders, notFound, ok, signedOut } from './outcomes.ts'

const privileges = ['portal:admin:manageWebhooks'] as const
const expected: Expected = { ...signedOut, outsider: notFound, ...insiders(forbidden), ...governors }

const none = () => ({})

/** No outsider learns whether there are any, in a public organization neither. */
function managed(on: string, parameters: Case['parameters'] = none): readonly Case[] {
  const one = { on, privileges, expected, parameters }
  return [one, { ...one, on: `${on}, if it is public`, access: 'public' }]
}

/** Hooks of another organization: below its own path, and below that of the callers. */
function ofHook(parameters: Case['parameters'] = none): readonly Case[] {
  const missing: Expected = { ...expected, holder: notFound, everything: notFound, administrator: notFound }
  const theirs: Expected = { ...signedOut, outsider: ok, ...insiders(notFound) }
  const hook = { privileges, parameters }
  return [
    ...managed('a webhook', parameters),
    {
      ...hook,
      on: 'a webhook of the outsider, through the organization',
      ids: ({ hooks }) => hooks.theirs,
      expected: missing,
    },
    {
      ...hook,
      on: 'a webhook of the outsider',
      ids: ({ hooks, otherPortalId }) => ({ portalId: otherPortalId, ...hooks.theirs }),
      expected: theirs,
    },
  ]
}

const seas = { name: 'Seas', url: 'pull:', changes: 'allChanges' }

/** Webhooks, and what is delivered to them. */
export const webhookExpectations: Expectations = {
  listWebhooks: managed('the organization'),
  createWebhook: managed('the organization', () => seas),
  readWebhookSettings: managed('the organization'),
  updateWebhookSettings: managed('the organization', () => ({ notificationAttempts: '2' })),
  listServiceWebhooks: managed('the organization'),
  readWebhook: ofHook(),
  updateWebhook: ofHook(() => ({ name: 'Seas' })),
  activateWebhook: ofHook(),
  deactivateWebhook: ofHook(),
  deleteWebhook: ofHook(),
  rotateWebhookSecret: ofHook(),
  listWebhookNotifications: ofHook(),
  listWebhookDeliveries: ofHook(),
  readWebhookDelivery: ofHook(),
  redeliverWebhookDelivery: ofHook(),
  recoverWebhookDeliveries: ofHook(() => ({ since: '0' })),
  pullWebhookDeliveries: ofHook(),
  ackWebhookDeliveries: ofHook(({ hooks }) => ({ ids: `${hooks.ours.deliveryId},${hooks.theirs.deliveryId}` })),
}
