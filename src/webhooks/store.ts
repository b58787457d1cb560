import type { Privilege } from '../call/privilege.ts'
import type { DirectoryReaders, DirectoryStores } from '../directory/store.ts'
import type { User } from '../directory/user.ts'
import type { Page, Slice } from '../paging.ts'
import type { Attempt, Delivery, DeliveryState, NewDelivery, Webhook, WebhookSettings } from './hook.ts'

/** A hook that collects, with what its owner may do now. */
export interface CollectingHook {
  readonly hook: Webhook
  /** Public URL of the server, with one slash at the end. */
  readonly portalUrl: string
  /** Undefined where the user is deleted. */
  readonly owner: (Pick<User, 'username' | 'portalId' | 'role' | 'disabled'> & CustomPrivileges) | undefined
}

interface CustomPrivileges {
  /** Undefined for a built-in role. */
  readonly customPrivileges: readonly Privilege[] | undefined
}

export type ListedDelivery = Omit<Delivery, 'payload'>
export type DeliveryOutline = Pick<Delivery, 'deliveryId' | 'state'>
export type DeliveryHead = Pick<Delivery, 'number' | 'objects' | 'leasedUntil'>

/** Pending deliveries of a hook: whatever is added, lent, or ended changes one of the numbers. */
export interface FetchableQueue {
  readonly webhookId: string
  readonly pending: number
  readonly lent: number
  /** Number of the newest. */
  readonly last: number
}

/** Times before which deliveries are too old: when pending ones were added, and others ended. */
export type OldDeliveries = Readonly<Record<DeliveryState, number>>

/** Reading methods of webhooks. */
export interface WebhookReader {
  findWebhook(webhookId: string): Promise<Webhook | undefined>
  /** All of an organization, oldest first. */
  listWebhooks(portalId: string): Promise<readonly Webhook[]>
  /** Hooks of all organizations that deliveries are collected for. */
  listCollecting(): Promise<readonly CollectingHook[]>
  /** Changes with what hooks collect, and what they ask for; undefined without any. */
  findRevision(): Promise<string | undefined>
  /** Settings of all organizations that have any. */
  listSettings(): Promise<readonly WebhookSettings[]>
  findSettings(portalId: string): Promise<WebhookSettings | undefined>
  findDelivery(webhookId: string, deliveryId: string): Promise<Delivery | undefined>
  /** Newest first, without their bytes. */
  listDeliveries(webhookId: string, state: DeliveryState | undefined, page: Page): Promise<Slice<ListedDelivery>>
  /** States of the deliveries with these ids. */
  listStates(webhookId: string, deliveryIds: readonly string[]): Promise<readonly DeliveryOutline[]>
  /** Pending ones, oldest first, from a number on. */
  listPending(webhookId: string, after: number, max: number): Promise<readonly Delivery[]>
  /** Heads of the same deliveries, without their bytes: they decide which may be fetched. */
  listHeads(webhookId: string, after: number, max: number): Promise<readonly DeliveryHead[]>
  /** Deliveries by their numbers, oldest first. */
  listNumbered(numbers: readonly number[]): Promise<readonly Delivery[]>
  countPending(webhookId: string): Promise<number>
  /** Oldest first. */
  listAttempts(deliveryId: string): Promise<readonly Attempt[]>
  /** Attempts of all deliveries of a hook with their payloads, newest first. */
  listAttemptsOf(webhookId: string, page: Page): Promise<Slice<Attempt & { readonly payload: string }>>
  /** Hooks that are on, are sent to, and have a delivery that is due: round-robin over organizations. */
  listDueHooks(now: number): Promise<readonly { readonly webhookId: string }[]>
  /** Pending deliveries that are due, or are in their quick attempts: oldest first, from a number on. */
  listUnsettled(
    webhookId: string,
    of: { readonly after: number; readonly quick: number; readonly now: number },
    max: number,
  ): Promise<readonly (DeliveryHead & Pick<Delivery, 'nextAttemptAt'>)[]>
  hasOldDeliveries(before: OldDeliveries): Promise<boolean>
  /** Queues of those of these hooks that have a delivery which is not lent. */
  listFetchable(webhookIds: readonly string[], now: number): Promise<readonly FetchableQueue[]>
}

/** The store of webhooks. */
export interface WebhookStore extends WebhookReader {
  addWebhook(hook: Webhook): Promise<void>
  updateWebhook(hook: Webhook): Promise<void>
  /** Removes it with its deliveries. */
  removeWebhook(webhookId: string): Promise<void>
  /** Changes the given members; an organization without settings has the defaults. */
  putSettings(portalId: string, change: Partial<Omit<WebhookSettings, 'portalId'>>): Promise<void>
  /** Notes that other hooks collect, or ask for other things. */
  putRevision(revision: string): Promise<void>
  addDeliveries(deliveries: readonly NewDelivery[]): Promise<void>
  /** Everything but its payload. */
  updateDelivery(delivery: Delivery): Promise<void>
  /** Lends them until then, which is an attempt. */
  lendDeliveries(numbers: readonly number[], until: number): Promise<void>
  /** Makes them sent. */
  acknowledgeDeliveries(deliveryIds: readonly string[], now: number): Promise<void>
  /** Has the next attempt of what is pending made now. */
  hastenPending(webhookId: string, now: number): Promise<void>
  /** Gives up the oldest pending ones for this reason; answers how many. */
  failOldest(webhookId: string, max: number, error: string, now: number): Promise<number>
  /** Gives up pending ones, and removes others, that are too old; answers how many. */
  endOldDeliveries(before: OldDeliveries, max: number, now: number): Promise<number>
  addAttempts(attempts: readonly Attempt[]): Promise<void>
  /** Makes those that are not sent and were created at or after `since` pending and due; answers how many. */
  recoverDeliveries(webhookId: string, since: number, now: number): Promise<number>
}

export interface WebhookReaders extends DirectoryReaders {
  readonly webhooks: WebhookReader
}
export interface WebhookStores extends DirectoryStores {
  readonly webhooks: WebhookStore
}
