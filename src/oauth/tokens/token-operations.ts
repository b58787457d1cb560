import { nothingDone, type WithAuditDetails } from '../../call/audit-details.ts'
import type { Call } from '../../call/call.ts'
import { nameOfApp } from '../../call/caller.ts'
import type { User } from '../../directory/user.ts'
import { isOfTheFuture } from '../../tokens/token.ts'
import { type App, endOfSecret, judgeSecret, type ServedAt, withAddresses } from '../apps/app.ts'
import { findEnabledApp } from '../apps/app-access.ts'
import { isRegistered } from '../apps/redirect-uri.ts'
import type { AuthorizationCode, Grant, RefreshToken } from '../grant.ts'
import { accessMinutes, maxLifetimeMinutes } from '../lifetimes.ts'
import { proves } from '../sign-in/proof-key.ts'
import type { OAuthStores } from '../store.ts'

/** Client as it identifies itself, and the hashes of tokens that it may get. */
interface TokenRequest extends ServedAt {
  readonly clientId: string
  /** Undefined if it gave none. */
  readonly secretHash: string | undefined
  readonly accessHash: string
  readonly refreshHash: string
}

/** Grants that a client gives for tokens (documented). */
export type GivenGrant =
  | {
      readonly type: 'authorization_code'
      readonly codeHash: string
      readonly redirectUri: string
      readonly verifier: string | undefined
    }
  | { readonly type: 'client_credentials'; readonly minutes: number }
  | { readonly type: 'refresh_token'; readonly refreshHash: string }
  | {
      readonly type: 'exchange_refresh_token'
      readonly refreshHash: string
      readonly redirectUri: string
      /** Minutes from the sign-in for which exchanges may go on. */
      readonly maxMinutes: number
    }

/** Tokens of a user, or that of an app. */
export interface IssuedTokens {
  readonly username: string
  /** Whether the token is the app's own. */
  readonly isOfApp: boolean
  /** Epoch milliseconds. */
  readonly expiresAt: number
  /** Undefined without a new refresh token. */
  readonly refreshExpiresAt: number | undefined
}

type NewTokens = Pick<IssuedTokens, 'expiresAt' | 'refreshExpiresAt'>

/** Why there are no tokens. */
export type TokenRefusal =
  | 'client'
  | 'secret'
  | 'secret expired'
  | 'code'
  | 'redirect address'
  | 'refresh token'
  | 'refresh token expired'

export type TokenOutcome = WithAuditDetails & ({ readonly issued: IssuedTokens } | { readonly refused: TokenRefusal })

/**
 * Issues the tokens of a grant. What is refused has an outcome instead of an error, as a code or an exchanged refresh token
 * that is used again ends its grant.
 */
export async function issueTokens(
  stores: OAuthStores,
  call: Call,
  input: TokenRequest & { readonly given: GivenGrant },
): Promise<TokenOutcome> {
  const found = await findEnabledApp(stores, input.clientId)
  if (!found) return refused('client')
  const app = withAddresses(found, input.publicUrl)
  const refusal = judgeSecret(app, input.secretHash, call.now)
  if (refusal) return refused(refusal)
  if (input.given.type === 'client_credentials') return useSecret(stores, call, app, input, input.given.minutes)
  if (input.given.type === 'authorization_code') return useCode(stores, call, app, input, input.given)
  return useRefreshToken(stores, call, app, input, input.given)
}

/**
 * An app acts as itself only if it is registered, and keeps a secret; unless it is confirmed, not while the owner of its item
 * is disabled (chosen).
 */
async function useSecret(
  stores: OAuthStores,
  call: Call,
  app: App,
  { secretHash, accessHash }: TokenRequest,
  minutes: number,
): Promise<TokenOutcome> {
  const { portalId } = app
  if (secretHash === undefined || portalId === undefined) return refused('secret')
  const owner = app.owner && (await stores.directory.findUserById(app.owner.userId))
  if (owner?.disabled && !app.isConfirmed) return refused('client')
  // A token ends with the secret that it was given for.
  const latest = endOfSecret(app, secretHash)!
  const { username, expiresAt, audit } = await issueAppToken(stores, call, { ...app, portalId }, accessHash, {
    minutes,
    latest,
  })
  return { issued: { username, isOfApp: true, expiresAt, refreshExpiresAt: undefined }, audit }
}

async function useCode(
  stores: OAuthStores,
  { now }: Call,
  app: App,
  input: TokenRequest,
  given: GivenGrant & { readonly type: 'authorization_code' },
): Promise<TokenOutcome> {
  const { oauth } = stores
  const code = await oauth.findCode(given.codeHash)
  const holder = code && (await findHolder(stores, code.grantId))
  if (!code || !holder) return refused('code')
  const isOfApp = code.clientId === app.clientId
  if (code.usedAt !== undefined) return isOfApp ? endGrant(stores, holder, 'code') : refused('code')
  const isHere = code.redirectUri === given.redirectUri && isRegistered(given.redirectUri, app)
  const isOwn =
    isOfApp && code.expiresAt > now && !isOfTheFuture(holder.grant, now) && isHere && isProven(app, code, given, input)
  // The first attempt of an app that has given its right secret, or has none, uses it up: nothing can be tried out on a stolen code.
  if (!isOwn) return endGrant(stores, holder, 'code')
  const expiresAt = now + code.refreshMinutes * 60_000
  const grant = { ...holder.grant, expiresAt, needsSecret: input.secretHash !== undefined }
  await oauth.useCode(code.codeHash, now, grant)
  await oauth.addRefreshToken({
    tokenHash: input.refreshHash,
    grantId: grant.grantId,
    createdAt: now,
    expiresAt,
    lifetimeMinutes: code.refreshMinutes,
    exchangedAt: undefined,
  })
  const accessExpiresAt = await addAccessToken(stores, now, grant, input.accessHash)
  return issued(holder.user, { expiresAt: accessExpiresAt, refreshExpiresAt: expiresAt })
}

/** Authenticates the app: by a proof key, by a secret, or by nothing for an app that can do neither. */
function isProven(
  app: App,
  { challenge, challengeMethod }: AuthorizationCode,
  { verifier }: { readonly verifier: string | undefined },
  { secretHash }: TokenRequest,
): boolean {
  if (challenge !== undefined && challengeMethod !== undefined)
    return proves(verifier, { challenge, method: challengeMethod })
  return verifier === undefined && (secretHash !== undefined || app.cannotProve)
}

async function useRefreshToken(
  stores: OAuthStores,
  { now }: Call,
  app: App,
  input: TokenRequest,
  given: Extract<GivenGrant, { readonly type: 'refresh_token' | 'exchange_refresh_token' }>,
): Promise<TokenOutcome> {
  const { oauth } = stores
  const token = await oauth.findRefreshToken(given.refreshHash)
  const holder = token && (await findHolder(stores, token.grantId))
  if (!token || !holder || holder.grant.clientId !== app.clientId) return refused('refresh token')
  if (holder.grant.needsSecret && input.secretHash === undefined) return refused('secret')
  if (token.exchangedAt !== undefined) return endGrant(stores, holder, 'refresh token')
  if (given.type === 'exchange_refresh_token' && !isRegistered(given.redirectUri, app))
    return refused('redirect address')
  const { grant, user } = holder
  if (hasEnded(token, grant, now)) return refused('refresh token expired')
  const isExchanged = given.type === 'exchange_refresh_token' || app.rotatesAlways
  if (!isExchanged) {
    await oauth.touchGrant(grant.grantId, now)
    const expiresAt = await addAccessToken(stores, now, grant, input.accessHash)
    return renewed(user, { expiresAt, refreshExpiresAt: undefined })
  }
  // A refresh that rotates never lengthens the grant; an exchange lets it live as long again (documented), up to the longest
  // time of the app from the sign-in (chosen): a stolen token would otherwise live for ever. Who signed in through a provider has to do so again: whom it has dismissed would stay otherwise.
  const isLengthened = given.type === 'exchange_refresh_token' && grant.issuer === undefined
  const refreshExpiresAt = isLengthened
    ? Math.min(
        now + token.lifetimeMinutes * 60_000,
        grant.createdAt + maxLifetimeMinutes(app, given.maxMinutes) * 60_000,
      )
    : token.expiresAt
  const lengthened = { ...grant, lastUsedAt: now, expiresAt: refreshExpiresAt }
  await oauth.exchangeRefreshToken(token.tokenHash, now)
  await oauth.removeTokensOfGrant(grant)
  await oauth.renewGrant(lengthened)
  await oauth.addRefreshToken({
    ...token,
    tokenHash: input.refreshHash,
    createdAt: now,
    expiresAt: refreshExpiresAt,
  })
  const expiresAt = await addAccessToken(stores, now, lengthened, input.accessHash)
  return renewed(user, { expiresAt, refreshExpiresAt })
}

function hasEnded(token: RefreshToken, grant: Grant, now: number): boolean {
  if (isOfTheFuture(token, now) || isOfTheFuture(grant, now)) return true
  return token.expiresAt <= now || grant.expiresAt <= now || grant.lastUsedAt + grant.idleMinutes * 60_000 <= now
}

/** A grant and its user, who is enabled. */
interface Holder {
  readonly grant: Grant
  readonly user: User
}

async function findHolder({ oauth, directory }: OAuthStores, grantId: string): Promise<Holder | undefined> {
  const grant = await oauth.findGrant(grantId)
  const user = grant && (await directory.findUserById(grant.userId))
  return grant && user && !user.disabled ? { grant, user } : undefined
}

/** It lives no longer than the grant. */
async function addAccessToken({ tokens }: OAuthStores, now: number, grant: Grant, tokenHash: string): Promise<number> {
  const { grantId, userId } = grant
  const expiresAt = Math.min(now + accessMinutes * 60_000, grant.expiresAt)
  await tokens.addToken({ tokenHash, userId, createdAt: now, expiresAt, grantId })
  return expiresAt
}

/** Ends the grant of a token used a second time, or wrongly, as it may be stolen (RFC 9700 §2.1.1, §4.14.2). */
async function endGrant({ oauth }: OAuthStores, { grant, user }: Holder, refusal: TokenRefusal): Promise<TokenOutcome> {
  await oauth.removeGrant(grant)
  return { refused: refusal, audit: { username: user.username, portalId: user.portalId, outcome: 400 } }
}

function refused(refusal: TokenRefusal): TokenOutcome {
  return { refused: refusal, audit: nothingDone }
}

function issued(user: User, tokens: NewTokens): TokenOutcome & { readonly issued: IssuedTokens } {
  const { username, portalId } = user
  return { issued: { username, isOfApp: false, ...tokens }, audit: { username, portalId } }
}

/** An app renews its tokens every half hour, and no access changes by it: the log has sign-ins, refusals and ends (chosen). */
function renewed(user: User, tokens: NewTokens): TokenOutcome {
  return { ...issued(user, tokens), audit: nothingDone }
}

/** Minutes for which an app's own token lives (documented). */
export const appTokenMinutes = { usual: 120, max: 20_160 } as const

/** A token for the app itself: the caller has given its secret, which is right. The oldest tokens above the limit end (chosen). */
export async function issueAppToken(
  { oauth, tokens }: OAuthStores,
  { now, limits }: Call,
  app: App & { readonly portalId: string },
  tokenHash: string,
  { minutes, latest }: { readonly minutes: number; readonly latest: number },
): Promise<WithAuditDetails & { readonly username: string; readonly expiresAt: number }> {
  const { clientId, portalId } = app
  const username = nameOfApp(clientId)
  const expiresAt = Math.min(now + minutes * 60_000, latest)
  await tokens.removeExpired(now)
  await oauth.addAppToken({ tokenHash, clientId, createdAt: now, expiresAt }, limits.appTokens)
  return { username, expiresAt, audit: { username, portalId } }
}
