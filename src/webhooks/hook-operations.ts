import { nothingDone, type WithAuditDetails } from '../call/audit-details.ts'
import type { AuditData } from '../call/audit-entry.ts'
import type { Call } from '../call/call.ts'
import { type Parsed, unwrapParsed } from '../call/parsed.ts'
import { listPrivilegesOf } from '../directory/users/governing.ts'
import { operationRefused } from '../errors.ts'
import type { Page, Slice } from '../paging.ts'
import { say } from '../sentences/say.ts'
import {
  type NamedPortal,
  type NamedWebhook,
  requireWebhook,
  requireWebhookManager,
  webhookPrivilege,
} from './access.ts'
import { nameKeyOf, type Webhook, type WebhookSettings, webhookLimits } from './hook.ts'
import { defaultPolicy, originOf, type Policy } from './rules.ts'
import type { WebhookReaders, WebhookStores } from './store.ts'

/** Input of an operation that changes which hooks collect, or what they ask for. */
interface Revised {
  /** Random: by it, every server notices that hooks have changed. */
  readonly revision: string
}

/** Properties of a webhook that a person sets, but for its secret. */
export interface GivenHook {
  readonly name: string
  readonly url: string
  readonly events: readonly string[]
  readonly policy?: Partial<Policy>
}

/** All webhooks of an organization, oldest first: there are few. */
export async function listWebhooks(
  stores: WebhookReaders,
  call: Call,
  input: NamedPortal & { readonly page: Parsed<Page> },
): Promise<Slice<Webhook> & { readonly page: Page }> {
  const { portalId } = await requireWebhookManager(stores, call, input)
  const page = unwrapParsed(input.page)
  const hooks = await stores.webhooks.listWebhooks(portalId)
  return { total: hooks.length, entries: hooks.slice(page.start - 1, page.start - 1 + page.num), page }
}

export async function readWebhook(stores: WebhookReaders, call: Call, input: NamedWebhook): Promise<Webhook> {
  return (await requireWebhook(stores, call, input)).hook
}

/** Makes a webhook of the caller. It is active, and gets what begins to change after the answer. */
export async function createWebhook(
  stores: WebhookStores,
  call: Call,
  input: NamedWebhook &
    Revised & {
      readonly hook: Parsed<GivenHook>
      readonly sealedSecret: string
      readonly server: Pick<WebhookSettings, 'portalUrl' | 'sends'>
    },
): Promise<WithAuditDetails> {
  const { caller, portalId } = await requireWebhookManager(stores, call, input)
  const { policy, ...given } = unwrapParsed(input.hook)
  const others = await stores.webhooks.listWebhooks(portalId)
  requireFreeName(others, given.name)
  if (others.length >= webhookLimits.hooks) {
    throw operationRefused(say('webhooksFull', { max: webhookLimits.hooks }))
  }
  const { webhookId, sealedSecret } = input
  const hook: Webhook = {
    ...given,
    ...defaultPolicy,
    ...policy,
    ...newWindow,
    webhookId,
    portalId,
    sealedSecret,
    ownerId: caller.userId,
    nameKey: nameKeyOf(given.name),
    isActive: true,
    formerSecret: undefined,
    formerSecretEndsAt: undefined,
    createdAt: call.now,
    modifiedAt: call.now,
    lastFailureAt: undefined,
    pulledAt: undefined,
    hasOverflowed: false,
  }
  await stores.webhooks.addWebhook(hook)
  await stores.webhooks.putSettings(portalId, input.server)
  await stores.webhooks.putRevision(input.revision)
  return { audit: auditOf(hook, { url: originOf(hook.url), events: hook.events }) }
}

/** A hook that is on, and counts no failures. */
const newWindow = {
  ending: undefined,
  endedBy: undefined,
  failures: 0,
  windowBeganAt: undefined,
  failuresInRow: 0,
  waitsUntil: undefined,
  lease: undefined,
  leasedUntil: undefined,
} as const

function requireFreeName(others: readonly Webhook[], name: string): void {
  const same = others.find((other) => other.nameKey === nameKeyOf(name))
  if (same) throw operationRefused(`name: ${say('webhookTaken', { name: same.name })}`)
}

const givenNames = ['name', 'url', 'events', 'numberOfFailures', 'daysInPast'] as const

/** Changes only what is given. A secret counts alone, from now on. */
export async function updateWebhook(
  stores: WebhookStores,
  call: Call,
  input: NamedWebhook &
    Revised & { readonly change: Parsed<Partial<GivenHook>>; readonly sealedSecret: string | undefined },
): Promise<WithAuditDetails> {
  const { portalId, hook } = await requireWebhook(stores, call, input)
  const { policy, ...given } = unwrapParsed(input.change)
  const { sealedSecret } = input
  const others = (await stores.webhooks.listWebhooks(portalId)).filter((one) => one.webhookId !== hook.webhookId)
  if (given.name !== undefined) requireFreeName(others, given.name)
  const named = { ...hook, ...given, ...policy }
  const changed = givenNames.filter((name) => JSON.stringify(named[name]) !== JSON.stringify(hook[name]))
  if (changed.length === 0 && sealedSecret === undefined) return { audit: nothingDone }
  await stores.webhooks.updateWebhook({
    ...named,
    ...(sealedSecret !== undefined && withSecret(hook, sealedSecret)),
    nameKey: nameKeyOf(named.name),
    modifiedAt: call.now,
  })
  await stores.webhooks.putRevision(input.revision)
  const isMoved = named.url !== hook.url
  return {
    audit: auditOf(named, {
      changed: [...changed, ...(sealedSecret === undefined ? [] : ['secret'])],
      ...(isMoved && { url: { from: originOf(hook.url), to: originOf(named.url) } }),
      ...(changed.includes('events') && { events: { from: hook.events, to: named.events } }),
    }),
  }
}

/** Members of a hook with another secret. One that was lost is lost no more. */
function withSecret({ ending }: Webhook, sealedSecret: string): Partial<Webhook> {
  const mended = ending === 'secret' ? { ending: undefined } : {}
  return { ...mended, sealedSecret, formerSecret: undefined, formerSecretEndsAt: undefined }
}

/** Gives the webhook another secret, beside which the present one counts for some hours. */
export async function rotateWebhookSecret(
  stores: WebhookStores,
  call: Call,
  input: NamedWebhook & { readonly overlapHours: Parsed<number>; readonly sealedSecret: string },
): Promise<WithAuditDetails> {
  const { hook } = await requireWebhook(stores, call, input)
  const hours = unwrapParsed(input.overlapHours)
  const isOverlapping = hours > 0 && hook.ending !== 'secret'
  const former = { formerSecret: hook.sealedSecret, formerSecretEndsAt: call.now + hours * 3_600_000 }
  await stores.webhooks.updateWebhook({
    ...hook,
    ...withSecret(hook, input.sealedSecret),
    ...(isOverlapping && former),
    modifiedAt: call.now,
  })
  return { audit: auditOf(hook, { overlapHours: hours }) }
}

/** Switches the webhook on: what it missed by failures is forgotten, and what is pending is due. */
export async function activateWebhook(
  stores: WebhookStores,
  call: Call,
  input: NamedWebhook & Revised,
): Promise<WithAuditDetails> {
  const { caller, hook } = await requireWebhook(stores, call, input)
  if (hook.ending === 'secret') throw operationRefused(say('webhookSecretLost'))
  const ownerId = (await mayManage(stores, hook)) ? hook.ownerId : caller.userId
  const active: Webhook = { ...hook, ...newWindow, ownerId, isActive: true, modifiedAt: call.now }
  await stores.webhooks.updateWebhook(active)
  await stores.webhooks.hastenPending(hook.webhookId, call.now)
  await stores.webhooks.putRevision(input.revision)
  return { audit: auditOf(active) }
}

/** Whether the owner may still manage webhooks. */
async function mayManage(stores: WebhookReaders, { ownerId, portalId }: Webhook): Promise<boolean> {
  const owner = await stores.directory.findUserById(ownerId)
  if (owner?.portalId !== portalId || owner.disabled) return false
  return (await listPrivilegesOf(stores, owner)).includes(webhookPrivilege)
}

/** Switches the webhook off: nothing is collected for it. */
export async function deactivateWebhook(
  stores: WebhookStores,
  call: Call,
  input: NamedWebhook & Revised,
): Promise<WithAuditDetails> {
  const { caller, hook } = await requireWebhook(stores, call, input)
  if (hook.endedBy !== undefined) return { audit: nothingDone }
  // A lost secret has to be replaced before it is on again.
  const ending = hook.ending === 'secret' ? hook.ending : undefined
  const off: Webhook = { ...hook, ending, endedBy: caller.username, isActive: false, modifiedAt: call.now }
  await stores.webhooks.updateWebhook(off)
  await stores.webhooks.putRevision(input.revision)
  return { audit: auditOf(off) }
}

/** Removes the webhook, and all that is pending for it. */
export async function deleteWebhook(
  stores: WebhookStores,
  call: Call,
  input: NamedWebhook & Revised,
): Promise<WithAuditDetails> {
  const { hook } = await requireWebhook(stores, call, input)
  await stores.webhooks.removeWebhook(hook.webhookId)
  await stores.webhooks.putRevision(input.revision)
  return { audit: auditOf(hook) }
}

/** Target and data of an entry in the log. */
export function auditOf({ portalId, webhookId, ownerId, name }: Webhook, data: AuditData = {}) {
  return { target: `/portals/${portalId}/webhooks/${webhookId}`, ownerId, data: { name, ...data } }
}
