import type { Configuration } from 'openid-client'
import type { ProviderFinding } from '../identities/provider.ts'
import type { ProviderSettings } from '../identities/rules.ts'
import type { LimitedFetch } from './limited-fetch.ts'

/** Milliseconds by which clocks may differ: as much as the times of ID tokens may. */
const maxSkew = 30_000

/** Whether the provider can be reached, has keys, keeps the same time, and knows the address of the callback. */
export async function* inspectProvider(
  { issuer, clientId, scopes }: Pick<ProviderSettings, 'issuer' | 'clientId' | 'scopes'>,
  call: LimitedFetch,
  discover: () => Promise<Configuration>,
  callback: string,
  now: () => number,
): AsyncGenerator<ProviderFinding> {
  let configuration: Configuration
  try {
    configuration = await discover()
  } catch (error) {
    yield { level: 'problem', text: `The identity provider ${issuer} cannot be used: ${messageOf(error)}.` }
    return
  }
  yield { level: 'ok', text: `The discovery of the identity provider ${issuer} can be read.` }
  const { jwks_uri, authorization_endpoint } = configuration.serverMetadata()
  yield await inspectKeys(jwks_uri!, call, now)
  yield await inspectCallback(authorization_endpoint!, { clientId, scopes, callback }, call)
}

/** Asks as for a sign-in without a page: a provider that knows client and address sends back there, with an error. */
async function inspectCallback(
  endpoint: string,
  { clientId, scopes, callback }: { readonly clientId: string; readonly scopes: string; readonly callback: string },
  call: LimitedFetch,
): Promise<ProviderFinding> {
  const url = new URL(endpoint)
  const asked = {
    client_id: clientId,
    redirect_uri: callback,
    response_type: 'code',
    scope: scopes,
    prompt: 'none',
    state: 'inspection',
    nonce: 'inspection',
    code_challenge: 'A'.repeat(43),
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value)
  try {
    call.allow([endpoint])
    const response = await call(url.href, { returnsRedirect: true })
    if (response.headers.get('location')?.startsWith(`${callback}?`)) {
      return { level: 'ok', text: `The identity provider knows the client id, and the address ${callback}.` }
    }
    const advice = `register ${callback} as a redirect address of the client ${clientId} there`
    if (response.status >= 400) {
      return { level: 'problem', text: `The identity provider refuses a sign-in with ${response.status}: ${advice}.` }
    }
    return { level: 'warning', text: `Whether the identity provider knows the address cannot be seen: ${advice}.` }
  } catch (error) {
    return { level: 'warning', text: `The identity provider’s page of sign-in was not checked: ${messageOf(error)}.` }
  }
}

async function inspectKeys(jwksUri: string, call: LimitedFetch, now: () => number): Promise<ProviderFinding> {
  try {
    const response = await call(jwksUri)
    if (!response.ok) return { level: 'problem', text: `${jwksUri} answers ${response.status}, and no keys.` }
    const keys = findKeys(await response.text())
    if (keys === undefined) return { level: 'problem', text: `${jwksUri} answers no JSON with a list of keys.` }
    if (keys.length === 0) return { level: 'problem', text: `${jwksUri} has no keys.` }
    const date = Date.parse(response.headers.get('date') ?? '')
    const difference = Math.abs(now() - date)
    if (difference > maxSkew) {
      const text = `The clock of the identity provider differs by ${Math.round(difference / 1_000)} s: sign-ins are refused from 30 s on.`
      return { level: 'problem', text }
    }
    const time = Number.isNaN(date) ? 'does not say its time' : 'keeps the same time'
    return { level: 'ok', text: `The identity provider has ${keys.length} keys, and ${time}.` }
  } catch (error) {
    return { level: 'problem', text: `The keys of the identity provider cannot be read: ${messageOf(error)}.` }
  }
}

/** The keys of a set (RFC 7517 §5); undefined for another text. */
function findKeys(text: string): readonly unknown[] | undefined {
  try {
    const set = JSON.parse(text) as { readonly keys?: unknown } | null
    return Array.isArray(set?.keys) ? set.keys : undefined
  } catch {
    return undefined
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
