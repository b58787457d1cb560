import { nothingDone, type WithAuditDetails } from '../call/audit-details.ts'
import type { Call } from '../call/call.ts'
import { type Parsed, unwrapParsed } from '../call/parsed.ts'
import { type NamedPortal, requireWebhookManager } from './access.ts'
import { defaultSettings, settingNumbers, type WebhookSettings } from './hook.ts'
import type { WebhookReaders, WebhookStores } from './store.ts'

export type SettingNumbers = Pick<WebhookSettings, (typeof settingNumbers)[number]>

/** How attempts of an organization are made. */
export async function readWebhookSettings(
  stores: WebhookReaders,
  call: Call,
  input: NamedPortal,
): Promise<SettingNumbers> {
  const { portalId } = await requireWebhookManager(stores, call, input)
  return (await stores.webhooks.findSettings(portalId)) ?? defaultSettings
}

/** Changes only the given numbers. */
export async function updateWebhookSettings(
  stores: WebhookStores,
  call: Call,
  input: NamedPortal & { readonly change: Parsed<Partial<SettingNumbers>> },
): Promise<WithAuditDetails> {
  const { portalId } = await requireWebhookManager(stores, call, input)
  const change = unwrapParsed(input.change)
  const present = (await stores.webhooks.findSettings(portalId)) ?? defaultSettings
  const names = settingNumbers.filter((name) => change[name] !== undefined && change[name] !== present[name])
  if (names.length === 0) return { audit: nothingDone }
  await stores.webhooks.putSettings(portalId, change)
  const data = Object.fromEntries(names.map((name) => [name, { from: present[name], to: change[name]! }]))
  return { audit: { target: `/portals/${portalId}/webhooks`, data } }
}

/** Webhooks of services, of which there are none here. */
export async function listServiceWebhooks(stores: WebhookReaders, call: Call, input: NamedPortal): Promise<void> {
  await requireWebhookManager(stores, call, input)
}
