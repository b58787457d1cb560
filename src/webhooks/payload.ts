import type { Caller } from '../call/caller.ts'
import { roleOfApps } from '../call/caller.ts'
import { type ChangeEvent, describeEvent, partsOfName, pathOf, sourceWords } from './events.ts'
import { type NewDelivery, type Webhook, webhookLimits } from './hook.ts'

/** An event with what the transaction gives it. */
export interface TaggedEvent extends ChangeEvent {
  readonly eventId: string
  /** Epoch milliseconds. */
  readonly at: number
  /** Who did it; undefined for the server itself, and for commands of the program. */
  readonly by: Pick<Caller, 'userId' | 'username' | 'role'> | undefined
  /** Job that it is a step of. */
  readonly runId: string | undefined
}

/** A delivery to one hook before it has its bytes. */
interface Draft {
  readonly hook: Webhook
  readonly events: readonly TaggedEvent[]
  readonly deliveryId: string
  readonly portalUrl: string
  readonly now: number
}

/** Events as one hook gets them in one or several deliveries, in their order. */
export function splitDeliveries(events: readonly TaggedEvent[]): readonly (readonly TaggedEvent[])[] {
  const { eventsOfDelivery } = webhookLimits
  const parts = Math.ceil(events.length / eventsOfDelivery)
  return Array.from({ length: parts }, (_, part) =>
    events.slice(part * eventsOfDelivery, (part + 1) * eventsOfDelivery),
  )
}

/** The delivery with its bytes, which stay as they are whatever happens to the hook. */
export function writeDelivery({ hook, events, deliveryId, portalUrl, now }: Draft): NewDelivery {
  const info = { webhookName: hook.name, webhookId: hook.webhookId, portalURL: portalUrl, when: now, deliveryId }
  const distinct = (texts: readonly string[]) => [...new Set(texts)]
  return {
    deliveryId,
    webhookId: hook.webhookId,
    portalId: hook.portalId,
    eventIds: events.map(({ eventId }) => eventId),
    paths: distinct(events.map(pathOf)),
    objects: distinct(events.map(objectOf)),
    payload: fitPayload(info, events),
    createdAt: now,
    nextAttemptAt: now,
  }
}

/** Key of the object by which deliveries are ordered. */
function objectOf({ name, id }: ChangeEvent): string {
  return `${partsOfName(name)[0]}/${id}`
}

/** The payload; where it is too long, properties of the last events are left out, as many as needed. */
function fitPayload(info: object, events: readonly TaggedEvent[]): string {
  const wires = events.map(toWire)
  const write = (some: readonly object[]) => JSON.stringify({ info, events: some })
  const whole = write(wires)
  if (Buffer.byteLength(whole) <= webhookLimits.bytesOfDelivery) return whole
  const excess = () => Buffer.byteLength(write(wires)) - webhookLimits.bytesOfDelivery
  let left = excess()
  for (let at = wires.length - 1; at >= 0 && left > 0; at -= 1) {
    const short = { ...wires[at]!, properties: { truncated: true } }
    left -= Buffer.byteLength(JSON.stringify(wires[at])) - Buffer.byteLength(JSON.stringify(short))
    wires[at] = short
  }
  return write(wires)
}

function toWire(event: TaggedEvent) {
  const { name, id, eventId, at, by, runId, source, properties } = event
  const [noun, operation] = partsOfName(name)
  const isApp = by?.role === roleOfApps
  const named = isApp ? undefined : by
  const described = describeEvent(noun, operation)?.properties ?? []
  const ordered = described.flatMap((member) =>
    properties[member] === undefined ? [] : [[member, properties[member]]],
  )
  return {
    userId: named?.userId ?? '',
    username: named?.username ?? '',
    when: at,
    operation,
    source: source ?? sourceWords[noun],
    id,
    eventId,
    properties: {
      ...Object.fromEntries(ordered),
      ...(isApp && { app: by.userId }),
      ...(runId !== undefined && { runId }),
    },
  }
}
