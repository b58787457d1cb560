import { oauthRefused } from '../../../errors.ts'
import { appTokenMinutes, type GivenGrant, type TokenRefusal } from '../../../oauth/tokens/token-operations.ts'
import { say } from '../../../sentences/say.ts'
import { exampleApp, exampleCode, generatedIds } from '../../examples/examples.ts'
import { boolean, constant, integer, list, object, text } from '../../shapes/shape.ts'
import { type ApiRequest, type Endpoint, type EndpointSettings, endpointsOf } from '../endpoint.ts'
import { optionalText, type Values } from '../parameter-types.ts'

const endpoint = endpointsOf('oauth')

/** Grant types that tokens are issued for. */
export const grantTypes = [
  'authorization_code',
  'refresh_token',
  'exchange_refresh_token',
  'client_credentials',
] as const

const tokenParameters = {
  grant_type: optionalText('`authorization_code`, `refresh_token`, `exchange_refresh_token` or `client_credentials`.'),
  client_id: optionalText('Client id of the app; or in `Authorization: Basic`.'),
  client_secret: optionalText('Secret of the app, if it has one; empty is as good as none.', { isSecret: true }),
  code: optionalText('Code of the sign-in.', { isSecret: true }),
  redirect_uri: optionalText('Address to which the code was sent; of an exchange, any registered one of the app.'),
  code_verifier: optionalText('Proof key of the challenge (RFC 7636).', { isSecret: true }),
  refresh_token: optionalText('Refresh token.', { isSecret: true }),
  expiration: optionalText(
    `With client_credentials, lifetime of the token in minutes: default ${appTokenMinutes.usual}, and a value above ${appTokenMinutes.max.toLocaleString('en')} is reduced to it; otherwise without effect.`,
  ),
}

const noUserShape = object({
  error: object({
    code: integer('Always 400.'),
    messageCode: constant('OAUTH_0066'),
    message: text(),
    details: list(text(), 'Empty.'),
  }),
})

const secrets = ['client_secret', 'code', 'code_verifier', 'refresh_token']

/** Tokens of apps, and what clients ask about them. */
export const oauthTokenRows: readonly Endpoint[] = [
  endpoint({
    id: 'issueTokens',
    title: 'Token',
    goals: ['Sign in from an app'],
    path: '/oauth2/token',
    parameters: tokenParameters,
    token: 'none',
    isAlwaysJson: true,
    who: 'An app with a code, a refresh token or its secret',
    summary: 'Issues tokens for a code of a sign-in, for a refresh token, or to an app for itself.',
    chosen: [
      'Codes, secrets and refresh tokens in the query are rejected.',
      'A code, or an exchanged refresh token, that is used a second time ends what was issued for it.',
      'A refresh keeps the refresh token, as clients do; `exchange_refresh_token` gives another one.',
      'An app that gave its secret for the code has to give it with the refresh token, too (RFC 6749 §6): also one of type `multiple`, which may do without where it proved itself by a proof key.',
      'What is renewed by a refresh token leaves no entry in the log: an app does so every half hour. The list of sessions says when it did so last; the log has the sign-in, and what is refused or ended.',
      'With client_credentials, an app with a secret acts as itself, with the privileges of its registration: never as a user, and only where an operation says so.',
    ],
    answers: {
      json: object(
        {
          access_token: text(),
          expires_in: integer('Seconds.', 0),
        },
        {
          username: text('Of the user; absent where the token is of an app itself.'),
          ssl: boolean('Whether this server is reached over HTTPS; absent where the token is of an app itself.'),
          refresh_token: text('For a code, and for an exchanged refresh token.'),
          refresh_token_expires_in: integer('Seconds.', 0),
        },
      ),
    },
    example: {
      parameters: {
        grant_type: 'authorization_code',
        client_id: exampleApp,
        code: exampleCode,
        redirect_uri: 'urn:ietf:wg:oauth:2.0:oob',
      },
      answer: {
        access_token: generatedIds.token,
        expires_in: 1_800,
        username: 'anna',
        ssl: true,
        refresh_token: generatedIds.refreshToken,
        refresh_token_expires_in: 86_400,
      },
    },
    async answer(request) {
      const { dependencies, now, publicUrl, run } = request
      const { random } = dependencies
      const { clientId, secret, given } = readTokenRequest(request)
      const accessToken = random.token()
      const refreshToken = random.token()
      const outcome = await run({
        clientId,
        publicUrl,
        secretHash: secret === undefined ? undefined : random.hashToken(secret),
        given,
        accessHash: random.hashToken(accessToken),
        refreshHash: random.hashToken(refreshToken),
      })
      if ('refused' in outcome) throw refusalOf(outcome.refused)
      const { username, isOfApp, expiresAt, refreshExpiresAt } = outcome.issued
      request.noteSignIn(username)
      if (isOfApp) return { json: { access_token: accessToken, expires_in: secondsUntil(expiresAt, now) } }
      return {
        json: {
          access_token: accessToken,
          expires_in: secondsUntil(expiresAt, now),
          username,
          ssl: publicUrl.startsWith('https:'),
          ...(refreshExpiresAt !== undefined && {
            refresh_token: refreshToken,
            refresh_token_expires_in: secondsUntil(refreshExpiresAt, now),
          }),
        },
      }
    },
  }),
  endpoint({
    id: 'readPlatformSelf',
    title: 'Platform self',
    task: 'find a signed-in user',
    path: '/oauth2/platformSelf',
    token: 'none',
    isAlwaysJson: true,
    isAlwaysRefused: true,
    who: 'Anyone; always refused',
    summary: 'Finds no user: no call of the API is authorized by a cookie. Clients go on without.',
    source: 'observed',
    answers: { json: noUserShape },
    example: {
      answer: { error: { code: 400, messageCode: 'OAUTH_0066', message: say('notSignedIn'), details: [] } },
    },
    async answer({ run }) {
      return { json: await run() }
    },
  }),
  endpoint({
    id: 'validateAppAccess',
    title: 'Validate app access',
    task: 'validate access to the app',
    goals: ['Sign in from an app'],
    path: '/oauth2/validateAppAccess',
    parameters: { client_id: optionalText('Client id of the app.') },
    isAlwaysJson: true,
    who: 'Users, for built-in apps and those of their organization',
    summary: 'Whether the user may sign in to an app.',
    source: 'observed',
    answers: {
      json: object({ valid: boolean('Always true.'), viewOnlyUserTypeApp: boolean('Always false.') }),
    },
    example: {
      parameters: { client_id: exampleApp },
      answer: { valid: true, viewOnlyUserTypeApp: false },
    },
    async answer({ input, run }) {
      await run({ clientId: 'value' in input ? input.value.client_id : undefined })
      return { json: { valid: true, viewOnlyUserTypeApp: false } }
    },
  }),
]

type TokenRequest = Pick<ApiRequest, 'requestParameters' | 'findClient' | 'settings'> & {
  readonly input: { readonly value: Values<typeof tokenParameters> } | { readonly problems: readonly string[] }
  readonly dependencies: Pick<ApiRequest['dependencies'], 'random'>
}

function readTokenRequest({ input, requestParameters, dependencies, findClient, settings }: TokenRequest) {
  if ('problems' in input) throw oauthRefused('invalid_request', input.problems.join(' '))
  const inQuery = secrets.find(requestParameters.isInQuery)
  if (inQuery) throw oauthRefused('invalid_request', `${inQuery}: belongs in the body of the request, not in its URL.`)
  const { value } = input
  const named = findClient()
  const clientId = value.client_id || named?.clientId
  if (!clientId || (named && named.clientId !== clientId)) throw oauthRefused('invalid_client_id', 'Invalid client_id')
  // Some clients send an empty secret where they have none (observed).
  const secret = value.client_secret || named?.clientSecret || undefined
  // A client authenticates in one way (RFC 6749 §2.3): a secret sent twice has to be the same.
  if (named?.clientSecret && named.clientSecret !== secret)
    throw oauthRefused('invalid_request', 'Invalid client_secret')
  return {
    clientId,
    secret,
    given: readGrant(value, dependencies.random.hashToken, settings),
  }
}

function readGrant(
  value: Values<typeof tokenParameters>,
  hash: (token: string) => string,
  { maxTokenExpirationMinutes, maxRefreshTokenMinutes }: EndpointSettings,
): GivenGrant {
  const type = grantTypes.find((known) => known === value.grant_type)
  if (type === undefined) {
    if (value.grant_type) throw oauthRefused('unsupported_grant_type', 'Unsupported grant_type')
    throw oauthRefused('invalid_request', 'grant_type not specified')
  }
  if (type === 'authorization_code') {
    if (!value.redirect_uri) throw oauthRefused('invalid_request', 'redirect_uri not specified')
    if (!value.code) throw oauthRefused('invalid_request', 'code not specified')
    return {
      type,
      codeHash: hash(value.code),
      redirectUri: value.redirect_uri,
      verifier: value.code_verifier || undefined,
    }
  }
  if (type === 'client_credentials') return { type, minutes: readMinutes(value.expiration, maxTokenExpirationMinutes) }
  if (!value.refresh_token) throw oauthRefused('invalid_request', 'refresh_token not specified')
  const refreshHash = hash(value.refresh_token)
  if (type === 'refresh_token') return { type, refreshHash }
  if (!value.redirect_uri) throw oauthRefused('invalid_request', 'redirect_uri not specified')
  return { type, refreshHash, redirectUri: value.redirect_uri, maxMinutes: maxRefreshTokenMinutes }
}

function readMinutes(expiration: string | undefined, max: number): number {
  const given = expiration?.trim() || String(appTokenMinutes.usual)
  if (!/^\d+$/.test(given) || Number(given) < 1) {
    throw oauthRefused('invalid_request', 'expiration: has to be a whole number of minutes, 1 or more.')
  }
  return Math.min(Number(given), appTokenMinutes.max, max)
}

/** Texts that clients know (observed). */
function refusalOf(refusal: TokenRefusal) {
  switch (refusal) {
    case 'client':
      return oauthRefused('invalid_client_id', 'Invalid client_id')
    case 'secret':
      return oauthRefused('invalid_request', 'Invalid client_secret')
    case 'secret expired':
      return oauthRefused('invalid_request', 'client_secret expired: have another one made by renewSecret')
    case 'code':
      return oauthRefused('invalid_request', 'Invalid code')
    case 'redirect address':
      return oauthRefused('invalid_request', 'Invalid redirect_uri')
    case 'refresh token':
      return oauthRefused('invalid_request', 'Invalid refresh_token', 498)
    case 'refresh token expired':
      return oauthRefused('invalid_request', 'refresh_token expired', 498)
  }
}

function secondsUntil(time: number, now: number): number {
  return Math.max(0, Math.floor((time - now) / 1000))
}
