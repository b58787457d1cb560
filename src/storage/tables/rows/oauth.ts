/** An app that users sign in to. JSON arrays are texts. */
export interface OAuthAppRow {
  client_id: string
  portal_id: string
  /** Null for an app that an administrator registered without an item. */
  item_id: string | null
  title: string
  app_type: string
  redirect_uris: string
  http_referrers: string
  privileges: string
  /** SHA-256; null for an app without a secret. */
  secret_hash: string | null
  /** Former secret, still valid while the secret is renewed. */
  former_secret_hash: string | null
  /** Null for a secret from before secrets had an end, and where there is none. */
  secret_made_at: number | null
  secret_expires_at: number | null
  former_secret_expires_at: number | null
  /** Number of reminders that were sent of the end of the secret. */
  reminders: number
  allows_plain: number
  cannot_prove: number
  query_may_differ: number
  rotates_always: number
  asks_nothing: number
  disabled: number
  /** 1 where an administrator has confirmed it, or it has no owner. */
  confirmed: number
  created_at: number
  modified_at: number
}

/** Permission that a user gave an app; all tokens issued under it end with it. */
export interface GrantRow {
  grant_id: string
  user_id: string
  client_id: string
  way: string
  address: string
  /** The start of the User-Agent. */
  agent: string
  created_at: number
  last_used_at: number
  expires_at: number
  idle_minutes: number
  /** Issuer of the identity provider. */
  issuer: string | null
  provider_session: string | null
  /** Null for a built-in app; otherwise its client id. */
  app_id: string | null
  /** 1 where the app gave its secret for the code. */
  needs_secret: number
}

export interface AuthorizationCodeRow {
  code_hash: string
  grant_id: string
  client_id: string
  redirect_uri: string
  challenge: string | null
  challenge_method: string | null
  refresh_minutes: number
  expires_at: number
  /** Time of its use; the row stays for a while, so that a second use is detected. */
  used_at: number | null
}

export interface RefreshTokenRow {
  token_hash: string
  grant_id: string
  created_at: number
  expires_at: number
  /** Lifetime of the token, and of its successor. */
  lifetime_minutes: number
  /** Null while the token is valid; an exchanged one stays, so that a second use is detected. */
  exchanged_at: number | null
}

/** A token of an app itself, and not of a user. */
export interface AppTokenRow {
  token_hash: string
  client_id: string
  created_at: number
  expires_at: number
}

/** A built-in app that signs in no users of the organization. */
export interface SwitchedOffAppRow {
  portal_id: string
  client_id: string
}

/** Sign-in of a user on the pages of sign-in, by a cookie. */
export interface BrowserSessionRow {
  session_hash: string
  user_id: string
  way: string
  address: string
  agent: string
  created_at: number
  last_used_at: number
  expires_at: number
  issuer: string | null
  provider_session: string | null
  sealed_id_token: string | null
}

/** Consent of a user, so that the app does not ask again. */
export interface ConsentRow {
  user_id: string
  client_id: string
  /** Title and redirect URIs that the user consented to: after a change of them, the app asks again. */
  fingerprint: string
  given_at: number
}

/** An account of an identity provider that signs in as the user. */
export interface UserIdentityRow {
  issuer: string
  subject: string
  user_id: string
  display: string
  linked_at: number
  last_used_at: number
}

/** A logout token that was used. */
export interface LogoutTokenRow {
  token_hash: string
  expires_at: number
}

/** Link by which a user sets a password once. */
export interface OneTimeLinkRow {
  link_hash: string
  user_id: string
  expires_at: number
  /** Null where no administrator made it. */
  maker_id: string | null
}
