import { createRemoteJWKSet, jwtVerify, customFetch as keyFetch } from 'jose'
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
} from 'openid-client'
import { type IdentityProvider, logoutTokenMilliseconds, ProviderFailure } from '../identities/provider.ts'
import type { ProviderSettings } from '../identities/rules.ts'
import { toFailure } from './failure.ts'
import { inspectProvider } from './inspection.ts'
import { type FetchOptions, type LimitedFetch, openLimitedFetch } from './limited-fetch.ts'

/** Milliseconds after which the discovery is read again. */
const discoveryMilliseconds = 3_600_000

/** A provider whose discovery was read. */
interface Discovered {
  readonly configuration: Configuration
  readonly keys: ReturnType<typeof createRemoteJWKSet>
  readonly readAt: number
}

/** The identity provider by OpenID Connect. It is asked for its discovery at the first sign-in, and not at the start. */
export function openIdentityProvider(
  settings: Pick<ProviderSettings, 'issuer' | 'clientId' | 'scopes' | 'hosts'>,
  clientSecret: string | undefined,
  now: () => number,
): IdentityProvider {
  const { issuer, clientId, scopes } = settings
  const call = openLimitedFetch(issuer, settings.hosts)
  let known: Discovered | undefined
  let reading: Promise<Discovered> | undefined

  async function discover(): Promise<Discovered> {
    if (known && now() - known.readAt < discoveryMilliseconds) return known
    reading ??= readDiscovery().finally(() => {
      reading = undefined
    })
    known = await reading
    return known
  }

  async function readDiscovery(): Promise<Discovered> {
    const isLocal = new URL(issuer).protocol === 'http:'
    const configuration = await discovery(new URL(issuer), clientId, {}, authenticate(clientSecret), {
      [customFetch]: call as (url: string, options: FetchOptions) => Promise<Response>,
      execute: [enableNonRepudiationChecks, ...(isLocal ? [allowInsecureRequests] : [])],
    })
    const metadata = configuration.serverMetadata()
    const { token_endpoint, jwks_uri, userinfo_endpoint } = metadata
    if (!jwks_uri || !token_endpoint || !metadata.authorization_endpoint) {
      throw new ProviderFailure('unreachable', 'its discovery lacks jwks_uri, token_endpoint or authorization_endpoint')
    }
    call.allow([token_endpoint, jwks_uri, ...(userinfo_endpoint ? [userinfo_endpoint] : [])])
    return { configuration, keys: openKeys(jwks_uri, call), readAt: now() }
  }

  /** Has every failure thrown as one of the provider. */
  function guarded<Arguments extends readonly unknown[], Result>(
    work: (discovered: Discovered, ...given: Arguments) => Promise<Result>,
  ): (...given: Arguments) => Promise<Result> {
    return async (...given) => {
      try {
        return await work(await discover(), ...given)
      } catch (error) {
        throw toFailure(error, issuer)
      }
    }
  }

  return {
    begin: guarded(async ({ configuration }, { state, nonce, verifier }, callback: string) => {
      const url = buildAuthorizationUrl(configuration, {
        redirect_uri: callback,
        scope: scopes,
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
      return url.href
    }),
    complete: guarded(async ({ configuration }, { state, nonce, verifier }, answer: URL) => {
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true }
      const tokens = await authorizationCodeGrant(configuration, answer, checks)
      const claims = tokens.claims()!
      // The library looks at it only where there are several audiences.
      if (claims.azp !== undefined && claims.azp !== clientId) {
        throw new ProviderFailure('refused', 'the ID token was issued to another client, as its azp says')
      }
      const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined
      const others = hasUserInfo ? await fetchUserInfo(configuration, tokens.access_token, claims.sub) : {}
      const session = claims['sid']
      return {
        issuer: claims.iss,
        subject: claims.sub,
        claims: { ...others, ...claims },
        idToken: tokens.id_token!,
        session: typeof session === 'string' && session.length <= maxSessionLength ? session : undefined,
      }
    }),
    readLogoutToken: guarded(async ({ configuration, keys }, token: string) => {
      const metadata = configuration.serverMetadata()
      const algorithms = metadata.id_token_signing_alg_values_supported?.filter((name) => /^(RS|PS|ES|Ed)/.test(name))
      const { payload, protectedHeader } = await jwtVerify(token, keys, {
        algorithms: algorithms?.length ? algorithms : ['RS256'],
        issuer: metadata.issuer,
        audience: clientId,
        requiredClaims: ['iat', 'jti', 'events'],
        maxTokenAge: logoutTokenMilliseconds / 1_000,
        clockTolerance: clockTolerance,
        currentDate: new Date(now()),
      })
      const type = protectedHeader.typ?.toLowerCase()
      // Recommended only (OpenID Connect Back-Channel Logout §2.4): the event and the nonce tell an ID token apart.
      if (type !== undefined && !logoutTypes.includes(type)) {
        throw new ProviderFailure('refused', 'the type of the logout token is another one')
      }
      const { sub, sid, jti, iat, events, nonce } = payload
      const isLogout = typeof events === 'object' && events !== null && Object.hasOwn(events, logoutEvent)
      if (!isLogout) throw new ProviderFailure('refused', 'the logout token has no event of a logout')
      if (nonce !== undefined) throw new ProviderFailure('refused', 'the logout token has a nonce')
      const isNamed = [sub, sid].some((one) => one !== undefined) && [sub, sid].every(isShortText)
      if (!isNamed || jti === '')
        throw new ProviderFailure('refused', 'the logout token names no session and no subject')
      return {
        issuer: metadata.issuer,
        subject: sub,
        session: sid as string | undefined,
        tokenId: jti!,
        issuedAt: iat! * 1_000,
      }
    }),
    findSignOut: guarded(async ({ configuration }, idToken: string | undefined, back: string) => {
      if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined
      const hint = idToken === undefined ? undefined : { id_token_hint: idToken }
      return buildEndSessionUrl(configuration, { ...hint, post_logout_redirect_uri: back }).href
    }),
    inspect: (callback) => inspectProvider(settings, call, discoverForInspection, callback, now),
  }

  async function discoverForInspection(): Promise<Configuration> {
    try {
      return (await discover()).configuration
    } catch (error) {
      throw toFailure(error, issuer)
    }
  }
}

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'

/** Types in the header of a logout token, if it has one. */
const logoutTypes: readonly string[] = ['logout+jwt', 'application/logout+jwt', 'jwt']

/** Seconds by which clocks may differ, the same as for ID tokens. */
const clockTolerance = 30

/** Characters of a session id that are kept. */
const maxSessionLength = 255

function isShortText(value: unknown): boolean {
  return value === undefined || (typeof value === 'string' && value !== '' && value.length <= maxSessionLength)
}

/** Authenticates in the way that the provider prefers; without a secret, the proof key alone speaks for the client. */
function authenticate(secret: string | undefined): ClientAuth {
  if (secret === undefined) return None()
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)]
  return (server, ...others) => {
    const methods = server.token_endpoint_auth_methods_supported
    const isBasic = methods === undefined || methods.includes('client_secret_basic')
    return (isBasic ? basic : post)(server, ...others)
  }
}

function openKeys(jwksUri: string, call: LimitedFetch): ReturnType<typeof createRemoteJWKSet> {
  return createRemoteJWKSet(new URL(jwksUri), { [keyFetch]: (url, options) => call(String(url), options) })
}
