import { ProviderFailure } from '../identities/provider.ts'

/** Fields of the libraries' errors, as far as they are looked at. */
interface LibraryError {
  readonly code?: string
  readonly message?: string
  readonly error?: string
  readonly error_description?: string
  readonly claim?: string
  readonly cause?: unknown
}

/** Characters of an explanation by the provider that are kept. */
const maxExplanationLength = 200

/** An error of a library as a failure: its words name the check that failed, and never the token, the code or the secret. */
export function toFailure(thrown: unknown, issuer: string): ProviderFailure {
  if (thrown instanceof ProviderFailure) return thrown
  const found = findFailure(thrown)
  if (found) return found
  const error = thrown as LibraryError
  const cause = findDetails(error.cause)
  const code = error.code ?? 'no code'
  if (code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED' && cause['attribute'] === 'issuer') {
    const named = (cause['body'] as { readonly issuer?: unknown } | undefined)?.issuer
    return new ProviderFailure(
      'unreachable',
      `its discovery names the issuer ${clean(named)}, OIDC_ISSUER is ${issuer}`,
    )
  }
  if (error.error !== undefined) {
    const explained = error.error_description === undefined ? '' : `: ${clean(error.error_description)}`
    return new ProviderFailure('refused', `it answers ${clean(error.error)}${explained}`)
  }
  const skew = findSkew(cause)
  const claim = cause['claim'] ?? error.claim
  const named = claim === undefined ? '' : `, claim ${clean(claim)}`
  return new ProviderFailure('refused', `${clean(error.message)} (${code}${named})${skew}`)
}

/** Finds details below the errors of the libraries, one of which has called the other. */
function findDetails(cause: unknown): Readonly<Record<string, unknown>> {
  let details = cause
  for (let depth = 0; details instanceof Error && depth < 5; depth += 1) details = details.cause
  return typeof details === 'object' && details !== null ? (details as Readonly<Record<string, unknown>>) : {}
}

/** Finds a failure of ours, such as of a limit, below the errors of a library. */
function findFailure(thrown: unknown): ProviderFailure | undefined {
  for (let error = thrown, depth = 0; error instanceof Error && depth < 5; error = error.cause, depth += 1) {
    if (error instanceof ProviderFailure) return error
  }
  return undefined
}

/** Difference of the clocks, where a time is wrong. */
function findSkew({ now, claims, claim }: Readonly<Record<string, unknown>>): string {
  const name = typeof claim === 'string' ? claim : ''
  const value = (claims as Readonly<Record<string, unknown>> | undefined)?.[name]
  if (typeof now !== 'number' || typeof value !== 'number') return ''
  return `: ${name} is ${Math.abs(now - value)} s ${value < now ? 'past' : 'ahead'} of this clock`
}

function clean(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return String(text)
    .replace(/[\p{Cc}\u2028\u2029]/gu, ' ')
    .replace(/[\w-]{43,}/g, '…')
    .slice(0, maxExplanationLength)
}
