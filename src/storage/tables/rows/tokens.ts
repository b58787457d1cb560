import type { Generated } from 'kysely'

export interface TokenRow {
  token_hash: string
  user_id: string
  created_at: number
  expires_at: number
  /** Null for a token that was issued for username and password. */
  grant_id: string | null
  /** Address in the form of `addressKey`; null where the grant has it, and for tokens from before it was kept. */
  address: string | null
  /** The start of the User-Agent; null like the address. */
  agent: string | null
}

export interface SignInFailureRow {
  id: Generated<number>
  /** Keyed digest of the username. */
  account_key: string
  /** Address in the form of `addressKey`. */
  address: string
  is_cross_site: number
  /** Null unless it was cross-site. */
  origin: string | null
  failed_at: number
}

/** An address from which a user has signed in. */
export interface SignInAddressRow {
  user_id: string
  /** Address in the form of `addressKey`. */
  address: string
  /** Time of the last sign-in. */
  signed_in_at: number
}
