import type { CountedLimit, Limits } from '../limits.ts'

/** Maximum number of failed sign-ins for one account from one address within a period. */
export interface SignInLimit {
  readonly failures: number
  readonly minutes: number
}

/** Source of a sign-in, and its account. */
export interface SignInSource {
  /** Keyed digest of the username: what is typed as a username may be a password. */
  readonly accountKey: string
  /** Key of `addressKey`. */
  readonly address: string
  /** The other origin whose page sent it; undefined for a sign-in that is not cross-site. */
  readonly crossSiteOrigin: string | undefined
}

export interface SignInFailure extends SignInSource {
  readonly failedAt: number
}

/** Failures of the period, cross-site ones if the sign-in is cross-site and only others if not; oldest first. */
export interface SignInFailures {
  readonly ofAccount: readonly SignInFailure[]
  readonly ofAddress: readonly SignInFailure[]
}

export interface SignInRefusal {
  readonly limit: CountedLimit
  /** Failures with one bucket are counted together. */
  readonly bucket: string
  /** When the next attempt is allowed. */
  readonly freeAt: number
}

/** Between two attempts for an account with too many failures, from addresses that it does not know. */
const slowMilliseconds = 10_000

/** How long an address stays known to an account: longer than any token is valid. */
export const knownMilliseconds = 30 * 24 * 60 * 60_000

/** Maximum number of addresses that are known to an account. */
export const maxKnownAddresses = 100

/**
 * The limit that forbids a sign-in now. Limits on all failures of an account, or of an address, are not for addresses
 * that the account knows, so that an anonymous caller's failures do not lock its owner out.
 */
export function findSignInRefusal(
  source: SignInSource,
  { ofAccount, ofAddress }: SignInFailures,
  isKnownAddress: boolean,
  { failures, minutes }: SignInLimit,
  limits: Limits,
  now: number,
): SignInRefusal | undefined {
  const { accountKey, address, crossSiteOrigin } = source
  const period = minutes * 60_000
  const site = crossSiteOrigin === undefined ? '' : ' cross-site'

  function findFull(limit: CountedLimit, max: number, counted: readonly SignInFailure[], bucket: string) {
    const first = counted[counted.length - max]
    return first && { limit, bucket, freeAt: first.failedAt + period }
  }

  function findSlow(): SignInRefusal | undefined {
    const limit = 'signInFailuresOfAccount'
    if (ofAccount.length < limits[limit]) return undefined
    const freeAt = ofAccount.at(-1)!.failedAt + slowMilliseconds
    return now < freeAt ? { limit, bucket: `${accountKey}${site}`, freeAt } : undefined
  }

  const fromHere = ofAccount.filter((failure) => failure.address === address)
  const refusal = findFull('signInFailures', failures, fromHere, `${accountKey} ${address}${site}`)
  if (refusal) return refusal
  if (crossSiteOrigin !== undefined) {
    const limit = 'crossSiteSignInFailures'
    const fromThere = ofAddress.filter((failure) => failure.crossSiteOrigin === crossSiteOrigin)
    const full = findFull(limit, limits[limit], fromThere, `${address} ${crossSiteOrigin}`)
    if (full) return full
  }
  if (isKnownAddress) return undefined
  const limit = 'signInFailuresOfAddress'
  return findFull(limit, limits[limit], ofAddress, `${address}${site}`) ?? findSlow()
}
