import type { App, AppType } from '../../../oauth/apps/app.ts'
import type { AuthorizationCode, BrowserSession, Grant, RefreshToken, Way } from '../../../oauth/grant.ts'
import type {
  AuthorizationCodeRow,
  BrowserSessionRow,
  GrantRow,
  OAuthAppRow,
  RefreshTokenRow,
} from '../../tables/rows/oauth.ts'

/** Records of this room as rows, and back. */

/** An app with its item, which gives it its title and its owner. */
export type AppRow = OAuthAppRow & {
  readonly item_title: string | null
  readonly owner_id: string | null
  readonly owner_username: string | null
}

export function toApp(row: AppRow): App {
  return {
    clientId: row.client_id,
    portalId: row.portal_id,
    itemId: row.item_id ?? undefined,
    owner:
      row.owner_id === null || row.owner_username === null
        ? undefined
        : { userId: row.owner_id, username: row.owner_username },
    title: row.item_title ?? row.title,
    appType: row.app_type as AppType,
    redirectUris: JSON.parse(row.redirect_uris),
    httpReferrers: JSON.parse(row.http_referrers),
    privileges: JSON.parse(row.privileges),
    secretHash: row.secret_hash ?? undefined,
    formerSecretHash: row.former_secret_hash ?? undefined,
    allowsPlain: row.allows_plain === 1,
    cannotProve: row.cannot_prove === 1,
    queryMayDiffer: row.query_may_differ === 1,
    rotatesAlways: row.rotates_always === 1,
    asksNothing: row.asks_nothing === 1,
    isDisabled: row.disabled === 1,
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
  }
}

export function fromApp(app: App & { readonly portalId: string }): OAuthAppRow {
  return {
    client_id: app.clientId,
    portal_id: app.portalId,
    item_id: app.itemId ?? null,
    title: app.title,
    app_type: app.appType,
    redirect_uris: JSON.stringify(app.redirectUris),
    http_referrers: JSON.stringify(app.httpReferrers),
    privileges: JSON.stringify(app.privileges),
    secret_hash: app.secretHash ?? null,
    former_secret_hash: app.formerSecretHash ?? null,
    allows_plain: app.allowsPlain ? 1 : 0,
    cannot_prove: app.cannotProve ? 1 : 0,
    query_may_differ: app.queryMayDiffer ? 1 : 0,
    rotates_always: app.rotatesAlways ? 1 : 0,
    asks_nothing: app.asksNothing ? 1 : 0,
    disabled: app.isDisabled ? 1 : 0,
    created_at: app.createdAt,
    modified_at: app.modifiedAt,
  }
}

export function toGrant(row: GrantRow): Grant {
  return {
    grantId: row.grant_id,
    userId: row.user_id,
    clientId: row.client_id,
    way: row.way as Way,
    address: row.address,
    agent: row.agent,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    expiresAt: row.expires_at,
    idleMinutes: row.idle_minutes,
    issuer: row.issuer ?? undefined,
    providerSession: row.provider_session ?? undefined,
    needsSecret: row.needs_secret === 1,
  }
}

/** Without the app, which is known by a look at the table of apps. */
export function fromGrant(grant: Grant): Omit<GrantRow, 'app_id'> {
  return {
    grant_id: grant.grantId,
    user_id: grant.userId,
    client_id: grant.clientId,
    way: grant.way,
    address: grant.address,
    agent: grant.agent,
    created_at: grant.createdAt,
    last_used_at: grant.lastUsedAt,
    expires_at: grant.expiresAt,
    idle_minutes: grant.idleMinutes,
    issuer: grant.issuer ?? null,
    provider_session: grant.providerSession ?? null,
    needs_secret: grant.needsSecret ? 1 : 0,
  }
}

export function toCode(row: AuthorizationCodeRow): AuthorizationCode {
  return {
    codeHash: row.code_hash,
    grantId: row.grant_id,
    clientId: row.client_id,
    redirectUri: row.redirect_uri,
    challenge: row.challenge ?? undefined,
    challengeMethod: (row.challenge_method ?? undefined) as AuthorizationCode['challengeMethod'],
    refreshMinutes: row.refresh_minutes,
    expiresAt: row.expires_at,
    usedAt: row.used_at ?? undefined,
  }
}

export function fromCode(code: AuthorizationCode): AuthorizationCodeRow {
  return {
    code_hash: code.codeHash,
    grant_id: code.grantId,
    client_id: code.clientId,
    redirect_uri: code.redirectUri,
    challenge: code.challenge ?? null,
    challenge_method: code.challengeMethod ?? null,
    refresh_minutes: code.refreshMinutes,
    expires_at: code.expiresAt,
    used_at: code.usedAt ?? null,
  }
}

export function toRefreshToken(row: RefreshTokenRow): RefreshToken {
  return {
    tokenHash: row.token_hash,
    grantId: row.grant_id,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lifetimeMinutes: row.lifetime_minutes,
    exchangedAt: row.exchanged_at ?? undefined,
  }
}

export function fromRefreshToken(token: RefreshToken): RefreshTokenRow {
  return {
    token_hash: token.tokenHash,
    grant_id: token.grantId,
    created_at: token.createdAt,
    expires_at: token.expiresAt,
    lifetime_minutes: token.lifetimeMinutes,
    exchanged_at: token.exchangedAt ?? null,
  }
}

export function toSession(row: BrowserSessionRow): BrowserSession {
  return {
    sessionHash: row.session_hash,
    userId: row.user_id,
    way: row.way as Way,
    address: row.address,
    agent: row.agent,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    expiresAt: row.expires_at,
    issuer: row.issuer ?? undefined,
    providerSession: row.provider_session ?? undefined,
    sealedIdToken: row.sealed_id_token ?? undefined,
  }
}

export function fromSession(session: BrowserSession): BrowserSessionRow {
  return {
    session_hash: session.sessionHash,
    user_id: session.userId,
    way: session.way,
    address: session.address,
    agent: session.agent,
    created_at: session.createdAt,
    last_used_at: session.lastUsedAt,
    expires_at: session.expiresAt,
    issuer: session.issuer ?? null,
    provider_session: session.providerSession ?? null,
    sealed_id_token: session.sealedIdToken ?? null,
  }
}
