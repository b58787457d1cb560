import { type Call, requireCaller } from '../call/call.ts'
import type { Caller } from '../call/caller.ts'
import { findNamedPortal, requirePrivilege } from '../directory/portal-operations.ts'
import { resourceNotFound } from '../errors.ts'
import type { Webhook } from './hook.ts'
import type { WebhookReaders } from './store.ts'

export const webhookPrivilege = 'portal:admin:manageWebhooks'

export interface NamedPortal {
  readonly portalId: string
}

export interface NamedWebhook extends NamedPortal {
  readonly webhookId: string
}

interface Managed {
  readonly caller: Caller
  readonly portalId: string
}

/** The caller, who may manage the webhooks of the organization: 404 for another one, public or not, else 403 (chosen). */
export async function requireWebhookManager(stores: WebhookReaders, call: Call, input: NamedPortal): Promise<Managed> {
  const caller = requireCaller(call)
  const { portalId } = caller
  if ((await findNamedPortal(stores, call, input.portalId))?.portalId !== portalId) throw resourceNotFound()
  requirePrivilege(caller, portalId, webhookPrivilege)
  return { caller, portalId }
}

/** A webhook of the caller's organization. */
export async function requireWebhook(
  stores: WebhookReaders,
  call: Call,
  input: NamedWebhook,
): Promise<Managed & { readonly hook: Webhook }> {
  const managed = await requireWebhookManager(stores, call, input)
  const hook = await stores.webhooks.findWebhook(input.webhookId)
  if (hook?.portalId !== managed.portalId) throw resourceNotFound()
  return { ...managed, hook }
}
