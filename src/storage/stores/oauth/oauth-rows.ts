import type { App } from '../../../oauth/apps/app.ts'
import type { AuthorizationCode, BrowserSession, Grant, RefreshToken } from '../../../oauth/grant.ts'
import type {
  AuthorizationCodeRow,
  BrowserSessionRow,
  GrantRow,
  OAuthAppRow,
  RefreshTokenRow,
} from '../../tables/rows/oauth.ts'
import { boolean, decode, json, optional } from '../decode.ts'

/** Records of this room as rows, and back. */

/** An app with its item, which gives it its title and its owner. */
export type AppRow = OAuthAppRow & {
  readonly item_title: string | null
  readonly owner_id: string | null
  readonly owner_username: string | null
}

export function toApp(row: AppRow): App {
  const { item_title: itemTitle, owner_id: userId, owner_username: username } = row
  const owner = userId === null || username === null ? undefined : { userId, username }
  return { ...ownApps.toValue(row), owner, title: itemTitle ?? row.title }
}

const ownApps = decode<OAuthAppRow, Omit<App, 'owner'> & { readonly portalId: string }>()({
  clientId: 'client_id',
  portalId: 'portal_id',
  itemId: optional('item_id'),
  title: 'title',
  appType: 'app_type',
  redirectUris: json('redirect_uris'),
  httpReferrers: json('http_referrers'),
  privileges: json('privileges'),
  secretHash: optional('secret_hash'),
  formerSecretHash: optional('former_secret_hash'),
  secretMadeAt: optional('secret_made_at'),
  secretExpiresAt: optional('secret_expires_at'),
  formerSecretExpiresAt: optional('former_secret_expires_at'),
  reminders: 'reminders',
  allowsPlain: boolean('allows_plain'),
  cannotProve: boolean('cannot_prove'),
  queryMayDiffer: boolean('query_may_differ'),
  rotatesAlways: boolean('rotates_always'),
  asksNothing: boolean('asks_nothing'),
  isDisabled: boolean('disabled'),
  isConfirmed: boolean('confirmed'),
  createdAt: 'created_at',
  modifiedAt: 'modified_at',
})

export const fromApp = ownApps.toRow

/** Grants without `app_id`, which the table of apps decides. */
export const { toValue: toGrant, toRow: fromGrant } = decode<Omit<GrantRow, 'app_id'>, Grant>()({
  grantId: 'grant_id',
  userId: 'user_id',
  clientId: 'client_id',
  way: 'way',
  address: 'address',
  agent: 'agent',
  createdAt: 'created_at',
  lastUsedAt: 'last_used_at',
  expiresAt: 'expires_at',
  idleMinutes: 'idle_minutes',
  issuer: optional('issuer'),
  providerSession: optional('provider_session'),
  needsSecret: boolean('needs_secret'),
})

export const { toValue: toCode, toRow: fromCode } = decode<AuthorizationCodeRow, AuthorizationCode>()({
  codeHash: 'code_hash',
  grantId: 'grant_id',
  clientId: 'client_id',
  redirectUri: 'redirect_uri',
  challenge: optional('challenge'),
  challengeMethod: optional('challenge_method'),
  refreshMinutes: 'refresh_minutes',
  expiresAt: 'expires_at',
  usedAt: optional('used_at'),
})

export const { toValue: toRefreshToken, toRow: fromRefreshToken } = decode<RefreshTokenRow, RefreshToken>()({
  tokenHash: 'token_hash',
  grantId: 'grant_id',
  createdAt: 'created_at',
  expiresAt: 'expires_at',
  lifetimeMinutes: 'lifetime_minutes',
  exchangedAt: optional('exchanged_at'),
})

export const { toValue: toSession, toRow: fromSession } = decode<BrowserSessionRow, BrowserSession>()({
  sessionHash: 'session_hash',
  userId: 'user_id',
  way: 'way',
  address: 'address',
  agent: 'agent',
  createdAt: 'created_at',
  lastUsedAt: 'last_used_at',
  expiresAt: 'expires_at',
  issuer: optional('issuer'),
  providerSession: optional('provider_session'),
  sealedIdToken: optional('sealed_id_token'),
})
