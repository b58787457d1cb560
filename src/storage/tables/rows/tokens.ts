import type { Generated } from 'kysely'
import type { RowOf } from '../../../record.ts'
import type { tokenFields } from '../../../tokens/token.ts'

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

export interface TokenTables {
  tokens: RowOf<typeof tokenFields>
  sign_in_failures: SignInFailureRow
  sign_in_addresses: SignInAddressRow
}
