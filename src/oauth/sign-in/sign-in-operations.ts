import { nothingDone, type WithAuditDetails } from '../../call/audit-details.ts'
import type { Call } from '../../call/call.ts'
import { isAdministrative, isBuiltInRole } from '../../call/privilege.ts'
import { privilegesOf } from '../../directory/role.ts'
import type { User } from '../../directory/user.ts'
import { failedSignIn } from '../../tokens/operations.ts'
import { type ComparedSignIn, completeSignIn } from '../../tokens/sign-in.ts'
import { isOfTheFuture } from '../../tokens/token.ts'
import {
  type App,
  consentFingerprint,
  isBuiltIn,
  ownClientId,
  type ServedAt,
  withAddresses,
  withdrawnConsent,
} from '../apps/app.ts'
import { findEnabledApp, signsInUsersOf } from '../apps/app-access.ts'
import { isOfOneSite, isRegistered } from '../apps/redirect-uri.ts'
import type { BrowserSession, SignedInAt } from '../grant.ts'
import { codeMilliseconds, idleMinutes, sessionIdleMinutes, sessionMinutes } from '../lifetimes.ts'
import { addLink } from '../passwords/new-password-operations.ts'
import type { OAuthReaders, OAuthStores } from '../store.ts'
import type { AuthorizationRequest } from './authorization.ts'

/** Data that the page of sign-in shows. */
export interface SignInView {
  readonly app: App
  /** The organization that registered the app; undefined for a built-in one. */
  readonly publisher: string | undefined
  /** The organization of the server, for its own application; undefined where there are several, and for any other app. */
  readonly organization: string | undefined
  /** Who is signed in already, and may go on; undefined without a session. */
  readonly username: string | undefined
  /** Whether that user goes on without being asked (chosen). */
  readonly isAsked: boolean
  /** Whether a user without administrative privileges owns the app, and who signs in has some, or is not known yet (chosen). */
  readonly warnsAdministrators: boolean
}

/** Reads what the page of sign-in shows; undefined for an unknown client. */
export async function readSignIn(
  stores: OAuthReaders,
  call: Call,
  input: ServedAt & {
    readonly clientId: string
    readonly redirectUri: string | undefined
    readonly sessionHash: string | undefined
  },
): Promise<SignInView | undefined> {
  const found = await findEnabledApp(stores, input.clientId)
  if (!found) return undefined
  const app = withAddresses(found, input.publicUrl)
  const portal = app.portalId === undefined ? undefined : await stores.directory.findPortal(app.portalId)
  const signedIn = await findSignedIn(stores, call, input.sessionHash, app)
  const isAsked = !signedIn || !(await goesOnUnasked(stores, app, signedIn.user, input.redirectUri))
  const owner = app.owner && !app.isConfirmed ? await stores.directory.findUserById(app.owner.userId) : undefined
  const isOfMember = owner !== undefined && !(await administers(stores, owner))
  const warnsAdministrators = isOfMember && (!signedIn || (await administers(stores, signedIn.user)))
  const organization = app.clientId === ownClientId ? await findOnlyOrganization(stores) : undefined
  return { app, publisher: portal?.name, organization, username: signedIn?.user.username, isAsked, warnsAdministrators }
}

async function findOnlyOrganization({ directory }: OAuthReaders): Promise<string | undefined> {
  const portals = await directory.listPortals()
  return portals.length === 1 ? portals[0]!.name : undefined
}

async function administers({ directory }: OAuthReaders, { role }: User): Promise<boolean> {
  const custom = isBuiltInRole(role) ? undefined : await directory.findRole(role)
  return privilegesOf(role, custom).some(isAdministrative)
}

/** The user of a browser session who may sign in to the app. */
async function findSignedIn(
  { oauth, directory }: OAuthReaders,
  { now }: Call,
  sessionHash: string | undefined,
  app: App,
): Promise<{ readonly session: BrowserSession; readonly user: User } | undefined> {
  const session = sessionHash === undefined ? undefined : await oauth.findSession(sessionHash)
  if (!session || session.expiresAt <= now || session.lastUsedAt + sessionIdleMinutes * 60_000 <= now) return undefined
  if (isOfTheFuture(session, now)) return undefined
  const user = await directory.findUserById(session.userId)
  if (!user || user.disabled || !(await signsInUsersOf({ oauth }, app, user.portalId))) return undefined
  return { session, user }
}

/**
 * Requires that no program but the site of the app gets the answer, and that neither has changed since the user consented. An app that
 * asks nothing needs no consent; it asks once after the user has ended a session of it (chosen).
 */
async function goesOnUnasked(
  { oauth }: OAuthReaders,
  app: App,
  user: User,
  redirectUri: string | undefined,
): Promise<boolean> {
  if (redirectUri === undefined) return false
  if (!mayGoOnUnasked(app, redirectUri)) return false
  const consent = await oauth.findConsent(user.userId, app.clientId)
  return app.asksNothing ? consent !== withdrawnConsent : consent === consentFingerprint(app)
}

/** The server's own application has the site that would ask, by http on this machine too. */
function mayGoOnUnasked(app: App, redirectUri: string): boolean {
  return isOfOneSite(redirectUri) || (isBuiltIn(app) && app.asksNothing)
}

/** Grant and code that both ways of signing in to an app make. */
interface NewGrant extends ServedAt {
  readonly request: AuthorizationRequest
  readonly grantId: string
  readonly codeHash: string
  readonly at: Omit<SignedInAt, 'way' | 'issuer' | 'providerSession'>
}

/** A sign-in on the page, whose password was verified outside the transaction. */
export interface PageSignIn extends ComparedSignIn, NewGrant {
  /** Hash of the link that is made where the password has to be changed. */
  readonly linkHash: string
  /** Hash of the new session; undefined for a client that is no browser. */
  readonly sessionHash: string | undefined
  /** Hash of the session that the new one replaces. */
  readonly formerSessionHash: string | undefined
}

/**
 * `app`: it is disabled or gone, or no longer has the address. `password`: username and password do not match; where they do, a
 * temporary password has to be changed first, for which there is the link.
 */
export type SignInOutcome = 'signed in' | 'app' | 'password' | 'temporary password' | 'session'

/** Second half of a sign-in to an app: a grant with its code, and a browser session. */
export async function signInToApp(
  stores: OAuthStores,
  call: Call,
  input: PageSignIn,
): Promise<WithAuditDetails & { readonly outcome: SignInOutcome }> {
  const { sessionHash, formerSessionHash, at } = input
  const app = await findAppOf(stores, input)
  if (!app) return { outcome: 'app', audit: nothingDone }
  const { user, named, hasToChange } = await completeSignIn(stores, call, input, app.portalId)
  if (named && hasToChange) {
    await addLink(stores, call, named, input.linkHash)
    return { outcome: 'temporary password', audit: failedSignIn(named) }
  }
  if (!user) return { outcome: 'password', audit: failedSignIn(named) }
  // The user who signs in is known only now.
  if (!(await signsInUsersOf(stores, app, user.portalId))) return { outcome: 'app', audit: failedSignIn(user) }
  const signedInAt: SignedInAt = { ...at, way: 'password', issuer: undefined, providerSession: undefined }
  if (formerSessionHash !== undefined) await stores.oauth.removeSession(formerSessionHash)
  if (sessionHash !== undefined) {
    await stores.oauth.addSession({
      ...signedInAt,
      sessionHash,
      userId: user.userId,
      createdAt: call.now,
      lastUsedAt: call.now,
      expiresAt: call.now + sessionMinutes * 60_000,
      sealedIdToken: undefined,
    })
  }
  await addGrant(stores, call, app, user, input, signedInAt)
  return { outcome: 'signed in', audit: { username: user.username, portalId: user.portalId } }
}

/** The app of a request; undefined if it was disabled, or lost the address, while the page was open. */
async function findAppOf(
  stores: OAuthReaders,
  { request, publicUrl }: Pick<NewGrant, 'request' | 'publicUrl'>,
): Promise<App | undefined> {
  const app = await findEnabledApp(stores, request.clientId)
  return app && isRegistered(request.redirectUri, withAddresses(app, publicUrl)) ? app : undefined
}

/** A sign-in to an app by the browser session. */
export async function continueToApp(
  stores: OAuthStores,
  call: Call,
  input: NewGrant & { readonly sessionHash: string },
): Promise<WithAuditDetails & { readonly outcome: SignInOutcome }> {
  const app = await findAppOf(stores, input)
  if (!app) return { outcome: 'app', audit: nothingDone }
  const signedIn = await findSignedIn(stores, call, input.sessionHash, app)
  if (!signedIn) return { outcome: 'session', audit: nothingDone }
  const { session, user } = signedIn
  await stores.oauth.touchSession(session.sessionHash, call.now)
  const { issuer, providerSession } = session
  const request = issuer === undefined ? input.request : withinSession(input.request, session, call.now)
  const signedInAt: SignedInAt = { ...input.at, way: 'session', issuer, providerSession }
  await addGrant(stores, call, app, user, { ...input, request }, signedInAt)
  return { outcome: 'signed in', audit: { username: user.username, portalId: user.portalId } }
}

/**
 * A grant of a session through an identity provider ends no later than the session: the provider is not asked again, so who
 * is dismissed there stays for twelve hours at most (chosen).
 */
function withinSession(
  request: AuthorizationRequest,
  { expiresAt }: BrowserSession,
  now: number,
): AuthorizationRequest {
  const minutes = Math.max(1, Math.floor((expiresAt - now) / 60_000))
  return { ...request, refreshMinutes: Math.min(request.refreshMinutes, minutes) }
}

/** A user who went on by the page consents to what it named (chosen). */
async function addGrant(
  { oauth }: OAuthStores,
  { now }: Call,
  app: App,
  user: User,
  { request, grantId, codeHash }: NewGrant,
  signedInAt: SignedInAt,
): Promise<void> {
  const { redirectUri, refreshMinutes, challenge } = request
  const { clientId } = app
  const expiresAt = now + codeMilliseconds(redirectUri)
  await oauth.addGrant(
    {
      ...signedInAt,
      grantId,
      userId: user.userId,
      clientId,
      createdAt: now,
      lastUsedAt: now,
      expiresAt,
      idleMinutes,
      needsSecret: false,
    },
    {
      codeHash,
      grantId,
      clientId,
      redirectUri,
      challenge: challenge?.challenge,
      challengeMethod: challenge?.method,
      refreshMinutes,
      expiresAt,
      usedAt: undefined,
    },
  )
  if (mayGoOnUnasked(app, redirectUri)) await oauth.putConsent(user.userId, clientId, consentFingerprint(app), now)
}

/** Signs out of the browser session. */
export async function signOut(
  { oauth, directory }: OAuthStores,
  _call: Call,
  input: { readonly sessionHash: string },
): Promise<WithAuditDetails & { readonly hasEnded: boolean; readonly sealedIdToken: string | undefined }> {
  const session = await oauth.findSession(input.sessionHash)
  const user = session && (await directory.findUserById(session.userId))
  if (!user) return { hasEnded: false, sealedIdToken: undefined, audit: nothingDone }
  await oauth.removeSession(input.sessionHash)
  const { username, portalId } = user
  return { hasEnded: true, sealedIdToken: session.sealedIdToken, audit: { username, portalId } }
}
