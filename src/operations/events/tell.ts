import type { AuditDetails } from '../../call/audit-details.ts'
import type { Caller } from '../../call/caller.ts'
import type { Stores } from '../../storage/storage.ts'
import { type EventName, partsOfName } from '../../webhooks/events.ts'
import type { NewDelivery, Webhook } from '../../webhooks/hook.ts'
import { auditOf } from '../../webhooks/hook-operations.ts'
import { covers, mayCover } from '../../webhooks/paths.ts'
import { splitDeliveries, type TaggedEvent, writeDelivery } from '../../webhooks/payload.ts'
import type { WriteCommand } from '../command.ts'
import { type Cause, findCause, webhooks } from './causes.ts'
import { Observer } from './observed.ts'
import { isLimited, maySee, readWatching, SeenBefore, type Watcher, type Watching } from './watchers.ts'

/** Hooks that collect. They are of a revision, which each write reads with its caller, so that no server uses an old list. */
export class RememberedHooks {
  #revision: string | undefined
  #watching: Watching | undefined

  async find(stores: Stores, revision: string): Promise<Watching> {
    if (this.#watching && this.#revision === revision) return this.#watching
    const watching = await readWatching(stores)
    // A write that changes hooks itself reads both before it.
    this.#revision = revision
    this.#watching = watching
    return watching
  }
}

/** A write whose events are reported. */
export interface Telling {
  /** Stores through which the operation writes. */
  readonly stores: Stores
  /** Adds the deliveries, in the transaction of the change. */
  finish(entries: readonly AuditDetails[]): Promise<void>
}

interface Write {
  readonly command: WriteCommand
  readonly caller: Caller | undefined
  readonly newId: () => string
}

/**
 * Begins to watch a write whose events some hook may ask for; undefined for any other, which costs no statement. Of a write without a
 * caller, one look-up says whether there is any hook at all.
 */
export async function beginTelling(
  stores: Stores,
  { command, caller, newId }: Write,
  remembered: RememberedHooks,
): Promise<Telling | undefined> {
  const cause = findCause(command.operation)
  if (!cause) return undefined
  const revision = caller ? caller.hookRevision : await stores.webhooks.findRevision()
  if (revision === undefined) return undefined
  const before = await remembered.find(stores, revision)
  const isOfRights = endsRights(cause.names)
  if (!isOfRights && !before.watchers.some((watcher) => isAsked(watcher, cause))) return undefined

  const seenBefore = new SeenBefore()
  const limited = before.watchers.filter(isLimited).map(({ owner }) => owner)
  const observer = new Observer(stores, (kind, ids) => seenBefore.note(stores, limited, kind, ids))
  return {
    stores: observer.stores,
    async finish(entries) {
      const { operation, input, now } = command
      const { watchers, ownerless } = isOfRights ? await readWatching(stores) : { ...before, ownerless: [] }
      const portalId = caller?.portalId ?? entries.find((entry) => entry.portalId !== undefined)?.portalId ?? ''
      const reported = await cause.tell({ operation, input, stores, observer, entries, portalId })
      const by = caller ?? (await starterOf(stores, entries))
      const runId = operation === 'stepJob' ? (input as { readonly jobId: string }).jobId : undefined
      const ended = await endOwnerless(observer.stores, command, ownerless, newId)
      const byServer = ended ? await webhooks.tell({ operation, input, stores, observer, entries, portalId }) : []
      const events = [
        ...reported.map((event) => ({ portalId, ...event, eventId: newId(), at: now, by, runId })),
        ...byServer.map((event) => ({ ...event, eventId: newId(), at: now, by: undefined, runId: undefined })),
      ]
      await stores.webhooks.addDeliveries(await addressEvents(stores, watchers, events, { now, newId, seenBefore }))
    },
  }
}

/** Whether a hook may ask for an event of it. */
function isAsked({ patterns }: Watcher, { names }: Cause): boolean {
  return names.some((name) => mayCover(patterns, name))
}

/** Whether owners of hooks may lose their right by it. */
function endsRights(names: readonly EventName[]): boolean {
  return names.some((name) => {
    const [noun, operation] = partsOfName(name)
    return (noun === 'users' && ['delete', 'disable', 'updateRole'].includes(operation)) || noun === 'roles'
  })
}

/** Switches off hooks whose owner may no longer manage webhooks; answers whether there were any. */
async function endOwnerless(
  stores: Stores,
  { now, origin }: WriteCommand,
  ownerless: readonly Webhook[],
  newId: () => string,
): Promise<boolean> {
  for (const hook of ownerless) {
    const off = { ...hook, isActive: false, ending: 'owner', endedBy: undefined, modifiedAt: now } as const
    await stores.webhooks.updateWebhook(off)
    const { portalId } = hook
    const entry = { at: now, operation: 'deactivateWebhook', outcome: 200, portalId, username: undefined } as const
    await stores.audit.add({ ...entry, ...origin, ...auditOf(off, { reason: 'owner' }) })
  }
  if (ownerless.length > 0) await stores.webhooks.putRevision(newId())
  return ownerless.length > 0
}

/** Who began what is done without a caller: the starter of a job, or a person who signs in, whom the log names. */
async function starterOf(stores: Stores, [entry]: readonly AuditDetails[]) {
  const user = entry?.username === undefined ? undefined : await stores.directory.findUser(entry.username)
  return user && { userId: user.userId, username: user.username, role: user.role }
}

interface Addressing {
  readonly now: number
  readonly newId: () => string
  readonly seenBefore: SeenBefore
}

/** The deliveries to each hook that asked for some of the events, and whose owner may see them. */
async function addressEvents(
  stores: Stores,
  watchers: readonly Watcher[],
  events: readonly TaggedEvent[],
  { now, newId, seenBefore }: Addressing,
): Promise<readonly NewDelivery[]> {
  const deliveries: NewDelivery[] = []
  for (const watcher of watchers) {
    const { hook, portalUrl, patterns } = watcher
    const chosen: TaggedEvent[] = []
    for (const event of events) {
      const isOurs = event.portalId === hook.portalId && event.id !== hook.webhookId
      if (isOurs && covers(patterns, event) && (await maySee(stores, watcher, event, seenBefore))) chosen.push(event)
    }
    // A delivery has events of one operation.
    for (const of of Map.groupBy(chosen, ({ name }) => name).values()) {
      for (const part of splitDeliveries(of)) {
        const events = part.map((event) => withUrl(event, portalUrl))
        deliveries.push(writeDelivery({ hook, events, deliveryId: `msg_${newId()}`, portalUrl, now }))
      }
    }
  }
  return deliveries
}

/** The event with the whole address of its object, where it has one. */
function withUrl(event: TaggedEvent, portalUrl: string): TaggedEvent {
  const { url } = event.properties
  return url === undefined ? event : { ...event, properties: { ...event.properties, url: `${portalUrl}${url}` } }
}
