import type { passwordLinkFields } from '../../../directory/passwords/password.ts'
import type { identityFields } from '../../../identities/store.ts'
import type { appFields } from '../../../oauth/apps/app.ts'
import type { appTokenFields } from '../../../oauth/apps/app-registry.ts'
import type { browserSessionFields, codeFields, grantFields, refreshTokenFields } from '../../../oauth/grant.ts'
import type { RowOf } from '../../../record.ts'

interface OAuthAppRow extends RowOf<typeof appFields> {
  portal_id: string
  title: string
  disabled: number
  /** 1 where an administrator has confirmed it, or it has no owner. */
  confirmed: number
}

interface GrantRow extends RowOf<typeof grantFields> {
  /** Null for a built-in app; otherwise its client id. */
  app_id: string | null
}

/** Consent of a user, so that the app does not ask again. */
interface ConsentRow {
  user_id: string
  client_id: string
  /** Title and redirect URIs that the user consented to: after a change of them, the app asks again. */
  fingerprint: string
  given_at: number
}

export interface OAuthTables {
  oauth_apps: OAuthAppRow
  grants: GrantRow
  authorization_codes: RowOf<typeof codeFields>
  refresh_tokens: RowOf<typeof refreshTokenFields>
  app_tokens: RowOf<typeof appTokenFields>
  /** Built-in apps that sign in no users of the organization. */
  switched_off_apps: { portal_id: string; client_id: string }
  browser_sessions: RowOf<typeof browserSessionFields>
  consents: ConsentRow
  user_identities: RowOf<typeof identityFields>
  /** Logout tokens that were used. */
  logout_tokens: { token_hash: string; expires_at: number }
  one_time_links: RowOf<typeof passwordLinkFields>
}
