/** Rules that the operator sets about the identity provider: one for each server, and never in the database (chosen). */

/** The identity provider, and how its users sign in. */
export interface ProviderSettings {
  /** Https, or http on this machine; as its discovery has it. */
  readonly issuer: string
  readonly clientId: string
  /** Undefined for a client that keeps none. */
  readonly clientSecret:
    | { readonly kind: 'text'; readonly text: string }
    | { readonly kind: 'file'; readonly path: string }
    | undefined
  readonly scopes: string
  /** Hosts besides the issuer's that the server may call; undefined for those that the discovery names. */
  readonly hosts: readonly string[] | undefined
  readonly button: string
  readonly hidesPasswordForm: boolean
  /** Whether users may sign out at the provider too. */
  readonly endsItsSession: boolean
  readonly rules: AccountRules
}

/** Rules for the accounts that users of the identity provider get. */
export interface AccountRules {
  /** Id of the organization whose users sign in; undefined for the oldest one. */
  readonly organization: string | undefined
  readonly usernameClaim: string
  /** The claim whose value administrators enter beforehand. */
  readonly linkClaim: string
  /** Domains whose verified e-mail addresses link to the user with the same one; empty for none. */
  readonly emailDomains: readonly string[]
  readonly createsUsers: boolean
  readonly roles: RoleMap | undefined
  /** Value that the claims have to have, or no one signs in. */
  readonly gate: { readonly pointer: readonly string[]; readonly value: string } | undefined
}

/** Roles by values of a claim. */
export interface RoleMap {
  readonly pointer: readonly string[]
  /** The first whose value is among those of the claim counts. */
  readonly entries: readonly (readonly [value: string, role: string])[]
  /** Role without a match; undefined refuses. */
  readonly unmatched: string | undefined
  readonly isForNewUsersOnly: boolean
}

/** The member names of a JSON pointer (RFC 6901); undefined for a text that is none. */
export function parsePointer(text: string): readonly string[] | undefined {
  if (!/^(\/([^~/]|~[01])*)+$/.test(text)) return undefined
  return text
    .slice(1)
    .split('/')
    .map((name) => name.replace(/~1/g, '/').replace(/~0/g, '~'))
}
