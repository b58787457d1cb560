import { field, type GivenOf, type RecordOf } from '../record.ts'

/** Limits of webhooks (chosen). */
export const webhookLimits = {
  hooks: 50,
  /** Characters of a name and of an address. */
  name: 100,
  url: 2_048,
  paths: 100,
  path: 200,
  secret: 128,
  /** Shorter secrets are taken with a warning. */
  safeSecret: 16,
  pending: 10_000,
  /** An overflow is noted again only after the queue was shorter than this. */
  pendingAgain: 9_000,
  eventsOfDelivery: 100,
  bytesOfDelivery: 65_536,
  pingsPerMinute: 20,
} as const

/** Address of a hook whose deliveries are fetched. */
export const pullAddress = 'pull:'

/** Why a hook is off without a person having said so. */
export const endings = ['policy', 'gone', 'owner', 'copy', 'unread', 'secret'] as const

export const webhookFields = {
  webhookId: field.id(),
  portalId: field.text(),
  ownerId: field.id(),
  name: field.text(webhookLimits.name).given(),
  /** Folded form of the name, unique in an organization. */
  nameKey: field.text(),
  url: field.text(webhookLimits.url).given(),
  isActive: field.flag(),
  /** Paths of events. */
  events: field.json<readonly string[]>(),
  numberOfFailures: field.number(),
  daysInPast: field.number(),
  sealedSecret: field.text(),
  /** Secret that counts beside the new one until its end. */
  formerSecret: field.text().optional(),
  formerSecretEndsAt: field.time().optional(),
  createdAt: field.time(),
  modifiedAt: field.time(),
  lastFailureAt: field.time().optional(),
  ending: field.choice(endings).optional(),
  /** Username of the person who switched it off. */
  endedBy: field.text().optional(),
  /** Failures since the begin of the window of its policy. */
  failures: field.number(),
  windowBeganAt: field.time().optional(),
  /** Deliveries in a row whose quick attempts were used up. */
  failuresInRow: field.number(),
  /** No attempt is made before. */
  waitsUntil: field.time().optional(),
  /** Last fetch; for hooks that are sent to, undefined. */
  pulledAt: field.time().optional(),
  hasOverflowed: field.flag(),
  /** Who makes an attempt just now, and until when that counts: one request of a hook is in flight, over all servers. */
  lease: field.text().optional(),
  leasedUntil: field.time().optional(),
}

/** A program that learns of changes: the server sends to it, or it fetches them. */
export interface Webhook extends RecordOf<typeof webhookFields> {}

export const webhookSettingFields = {
  portalId: field.text(),
  notificationAttempts: field.number(),
  notificationTimeOutInSeconds: field.number(),
  notificationElapsedTimeInSeconds: field.number(),
  /** Public URL of the server, with one slash at the end. */
  portalUrl: field.text(),
  /** Whether the operator has the server send. */
  sends: field.flag(),
}

/** Settings of an organization (documented). */
export interface WebhookSettings extends RecordOf<typeof webhookSettingFields> {}

/** Members that an organization sets. */
export const settingNumbers = [
  'notificationAttempts',
  'notificationTimeOutInSeconds',
  'notificationElapsedTimeInSeconds',
] as const

export const defaultSettings = {
  notificationAttempts: 3,
  notificationTimeOutInSeconds: 10,
  notificationElapsedTimeInSeconds: 5,
  portalUrl: '',
  sends: false,
} as const

/** Seconds between the attempts that follow the quick ones. */
export const retrySchedule = [300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400] as const

/**
 * Whether deliveries are collected for it: also while its receiver is away, but not where it was switched off, nor where the server
 * does not send.
 */
export function collects(
  hook: Pick<Webhook, 'isActive' | 'ending' | 'url'>,
  { sends }: Pick<WebhookSettings, 'sends'>,
): boolean {
  return (hook.isActive || hook.ending === 'policy') && (sends || isPulled(hook))
}

export function isPulled({ url }: Pick<Webhook, 'url'>): boolean {
  return url === pullAddress
}

/** Form in which names are compared. */
export function nameKeyOf(name: string): string {
  return name.normalize('NFKC').toLowerCase()
}

/** The sentence about a hook that is off; undefined for one that is on, and never was switched off. */
export function sentenceOf(
  hook: Pick<Webhook, 'ending' | 'endedBy' | 'numberOfFailures' | 'daysInPast'>,
): string | undefined {
  if (hook.endedBy !== undefined) return `Switched off by ${hook.endedBy}.`
  switch (hook.ending) {
    case 'policy':
      return `${hook.numberOfFailures} deliveries failed within ${hook.daysInPast} days.`
    case 'gone':
      return 'The receiver answered 410: it is gone.'
    case 'owner':
      return 'Its owner may no longer manage webhooks.'
    case 'copy':
      return 'This server is a copy; activate what it shall send.'
    case 'unread':
      return 'Nothing was fetched for 7 days.'
    case 'secret':
      return 'Its secret was lost; make a new one.'
    case undefined:
      return undefined
  }
}

export const deliveryStates = ['pending', 'sent', 'failed'] as const
export type DeliveryState = (typeof deliveryStates)[number]

export const deliveryFields = {
  deliveryId: field.text(),
  webhookId: field.id(),
  portalId: field.text(),
  eventIds: field.json<readonly string[]>(),
  /** The different paths of its events, with ids. */
  paths: field.json<readonly string[]>(),
  /** Keys of its objects: a later delivery that shares one waits. */
  objects: field.json<readonly string[]>(),
  /** The bytes that are sent, as text. */
  payload: field.text(),
  state: field.choice(deliveryStates),
  /** Requests made so far. */
  attempts: field.number(),
  /** Requests since it was added or was made due again: they decide the time of the next one. */
  tries: field.number(),
  createdAt: field.time(),
  /** Undefined where no attempt will be made by itself. */
  nextAttemptAt: field.time().optional(),
  lastStatus: field.number().optional(),
  lastError: field.text().optional(),
  tookMs: field.number().optional(),
  /** Until when it is lent to a program that fetches. */
  leasedUntil: field.time().optional(),
  endedAt: field.time().optional(),
}

/** Events of one call for one hook, as bytes. */
export interface Delivery extends RecordOf<typeof deliveryFields> {
  /** Increases in the order of addition; for one object, in the order of its changes. */
  readonly number: number
}

export type NewDelivery = Omit<GivenOf<typeof deliveryFields>, 'state' | 'attempts' | 'tries'>

export const attemptFields = {
  deliveryId: field.text(),
  webhookId: field.id(),
  attemptedAt: field.time(),
  status: field.number().optional(),
  error: field.text().optional(),
  tookMs: field.number().optional(),
  /** Start of the answer; of a fetched one, `fetched` or `acknowledged`. */
  responseText: field.text().optional(),
}

/** One request, or one hand-out to a program that fetches. */
export interface Attempt extends RecordOf<typeof attemptFields> {}
