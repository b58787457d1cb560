import { builtInTitles } from '../../items/reserved-title.ts'
import { field, type RecordOf } from '../../record.ts'
import { outOfBand, publicRoot } from './redirect-uri.ts'

/** Types of apps (documented). A `server` keeps a secret, `browser` and `native` cannot, `multiple` may be any of them. */
export const appTypes = ['browser', 'native', 'server', 'multiple'] as const
export type AppType = (typeof appTypes)[number]

export const appFields = {
  clientId: field.text(),
  /** Undefined for an app that was registered without an item. */
  itemId: field.id().optional(),
  appType: field.choice(appTypes),
  redirectUris: field.json<readonly string[]>(),
  /** Kept and shown, without effect (chosen). */
  httpReferrers: field.json<readonly string[]>(),
  /** Privileges of the app when it acts as itself. */
  privileges: field.json<readonly string[]>(),
  /** SHA-256 in lower-case hex; undefined for an app without a secret. */
  secretHash: field.text().optional(),
  /** Hash of the former secret, which is valid until the renewal is completed. */
  formerSecretHash: field.text().optional(),
  /** Undefined where there is no secret, and for one from before secrets had an end. */
  secretMadeAt: field.time().optional(),
  secretExpiresAt: field.time().optional(),
  formerSecretExpiresAt: field.time().optional(),
  /** Number of reminders that were sent of the end of the secret. */
  reminders: field.number(),
  /** A proof key may be sent as it is, and not only as its digest (chosen). */
  allowsPlain: field.flag(),
  /** It signs in without proof key and without secret: for a client that can do neither (chosen). */
  cannotProve: field.flag(),
  /** Only the part of a redirect address before the query is compared (chosen). */
  queryMayDiffer: field.flag(),
  /** A refresh gives a new refresh token, too (chosen). */
  rotatesAlways: field.flag(),
  /** Its users are not asked for consent (chosen). */
  asksNothing: field.flag(),
  createdAt: field.time(),
  modifiedAt: field.time(),
}

/** An app that users sign in to, by its client id. */
export interface App extends RecordOf<typeof appFields> {
  /** The organization whose users it signs in; undefined for a built-in app, which signs in all (chosen). */
  readonly portalId: string | undefined
  /** Who owns the item. */
  readonly owner: AppOwner | undefined
  /** Title of the item, where there is one. */
  readonly title: string
  readonly isDisabled: boolean
  /**
   * Whether an administrator has confirmed what it may do as itself; otherwise it may do no more than its owner may at the time
   * (chosen). An app without an owner counts as confirmed.
   */
  readonly isConfirmed: boolean
}

export interface AppOwner {
  readonly userId: string
  readonly username: string
}

/** Whether an app of this type keeps a secret, and so gets one (chosen). */
export function keepsSecret(appType: AppType): boolean {
  return appType === 'server' || appType === 'multiple'
}

/** Fields of an app that has no secret. */
export const withoutSecret = {
  secretHash: undefined,
  formerSecretHash: undefined,
  secretMadeAt: undefined,
  secretExpiresAt: undefined,
  formerSecretExpiresAt: undefined,
  reminders: 0,
}

const day = 86_400_000

/** Days until a secret ends (chosen). */
export const secretDays = { usual: 365, max: 730 } as const

/** Milliseconds before the end of a secret at which reminders are sent (chosen); none is sent of one that was made for less. */
export const reminderTimes = [30 * day, 7 * day] as const

/** Members of an app that gets this secret for so many days. */
export function newSecret(secretHash: string, now: number, days: number = secretDays.usual) {
  return { secretHash, secretMadeAt: now, secretExpiresAt: now + days * day, reminders: 0 }
}

/** Properties that built-in apps have in common. */
const builtIn = {
  portalId: undefined,
  itemId: undefined,
  owner: undefined,
  httpReferrers: [],
  privileges: [],
  ...withoutSecret,
  allowsPlain: false,
  queryMayDiffer: false,
  rotatesAlways: false,
  isDisabled: false,
  isConfirmed: true,
  createdAt: 0,
  modifiedAt: 0,
}

/** Client id of the application that this server serves. */
export const ownClientId = 'cartulary'

/**
 * Apps of every organization. `cartulary` is the application that this server serves. The others have the ids that the Python
 * client has built in (observed): a code is shown to the user, who, or whose client, copies it.
 */
export const builtInApps: readonly App[] = [
  {
    ...builtIn,
    clientId: ownClientId,
    title: builtInTitles.cartulary,
    appType: 'browser',
    redirectUris: [publicRoot],
    cannotProve: false,
    asksNothing: true,
  },
  ...(['arcgisonline', 'pythonapi'] as const).map((clientId) => ({
    ...builtIn,
    clientId,
    title: builtInTitles[clientId],
    appType: 'native' as const,
    redirectUris: [outOfBand],
    cannotProve: true,
    asksNothing: false,
  })),
]

/** The URL at which the server is, on which the addresses of its own application depend. */
export interface ServedAt {
  readonly publicUrl: string
}

/**
 * The app with its addresses as they are on a server at this URL: that of the server's own application is its root, and no
 * other by which the server can be reached (chosen).
 */
export function withAddresses(app: App, publicUrl: string): App {
  if (!isBuiltIn(app)) return app
  return { ...app, redirectUris: app.redirectUris.map((uri) => (uri === publicRoot ? `${publicUrl}/` : uri)) }
}

export function isBuiltIn({ portalId }: Pick<App, 'portalId'>): boolean {
  return portalId === undefined
}

/** Changes with whatever a user's consent to the app depends on: its title, and where it sends its users. */
export function consentFingerprint({ title, redirectUris }: Pick<App, 'title' | 'redirectUris'>): string {
  return JSON.stringify([title, ...redirectUris])
}

/** Stands for the fingerprint, which is JSON, where the user has ended a session of the app: the next sign-in to it asks. */
export const withdrawnConsent = 'withdrawn'

/** Why a client is not the app that it says it is. */
export type ClientRefusal = 'client' | 'secret' | 'secret expired'

/**
 * Whether the secret is the app's: an app of type `server` has to give one, any other may. A secret that the app does not
 * have is wrong.
 */
export function judgeSecret(app: App, secretHash: string | undefined, now: number): ClientRefusal | undefined {
  if (secretHash === undefined) return app.appType === 'server' ? 'secret' : undefined
  const expiresAt = endOfSecret(app, secretHash)
  if (expiresAt === undefined) return 'secret'
  return expiresAt > now ? undefined : 'secret expired'
}

/** When the secret ends, infinite for one without an end; undefined if it is not the app's. */
export function endOfSecret(app: App, secretHash: string): number | undefined {
  if (secretHash === app.secretHash) return app.secretExpiresAt ?? Number.POSITIVE_INFINITY
  if (secretHash === app.formerSecretHash) return app.formerSecretExpiresAt ?? Number.POSITIVE_INFINITY
  return undefined
}
