import { usernameLength } from '../../directory/user.ts'
import { oauthRefused, signInFailed, tokenRequired } from '../../errors.ts'
import { maxAgentLength } from '../../oauth/grant.ts'
import { beginSignIn } from '../../tokens/sign-in.ts'
import { maxMinutes, tokenMinutes } from '../../tokens/token.ts'
import { annasPassword, annasToken, exampleTime, generatedIds } from '../examples/examples.ts'
import { boolean, object, text, time } from '../shapes/shape.ts'
import { success } from '../shapes/success.ts'
import { type Endpoint, endpointsOf } from './endpoint.ts'
import { optionalChoice, optionalInteger, optionalText } from './parameter-types.ts'
import { newPasswordAddress, signInTo } from './sign-in.ts'
import { withoutEffect } from './unused-parameters.ts'

const endpoint = endpointsOf('tokens')

const passwordsRefused = 'This server gives no tokens for passwords; sign in by an app, with OAuth 2.'

/** Sign-in and sign-out. */
export const tokenRows: readonly Endpoint[] = [
  endpoint({
    id: 'generateToken',
    title: 'Generate token',
    goals: ['Sign in and out'],
    path: '/generateToken',
    parameters: {
      username: optionalText('Username.', { maxLength: usernameLength.max }),
      password: optionalText('Password.', { isSecret: true }),
      expiration: optionalInteger(
        'Lifetime of the token in minutes; default 60. A value above the maximum is reduced to it.',
        { minimum: 1, cap: maxMinutes },
      ),
      client: optionalChoice('What the token is bound to; ignored.', ['referer', 'ip', 'requestip']),
      referer: optionalText('Ignored, since clients change it between requests.'),
      ip: optionalText('Ignored.'),
      ...withoutEffect('request', 'serverUrl'),
    },
    token: 'none',
    isRateLimited: true,
    who: 'Anyone with a username and a password',
    summary: 'Signs in: answers a token for a username and a password, which must be in the body.',
    chosen: [
      'Credentials in the query are rejected.',
      'With the setting `PROGRAM_PASSWORDS=refused`, every sign-in is refused, and no password is compared.',
      'A password that an administrator has given, or that has expired, is refused with the address where it is changed.',
      'After too many failed sign-ins for one account from one address, sign-in is answered 429 until the time has passed. There are wider limits for an account from all addresses, and for an address; they do not apply to an address that signed in to the account within 30 days.',
      'Failed sign-ins by pages of other origins are counted apart from all others.',
    ],
    answers: {
      json: object({
        token: text(),
        expires: time('When the token expires.'),
        ssl: boolean('Whether this server is reached over HTTPS.'),
      }),
    },
    example: {
      parameters: { username: 'anna', password: annasPassword, expiration: '120' },
      answer: { token: generatedIds.token, expires: exampleTime + 7_200_000, ssl: true },
    },
    async answer(request) {
      const { input, requestParameters, dependencies, now, agent, publicUrl, settings, read, run } = request
      if ('problems' in input) throw signInFailed(input.problems)
      if (requestParameters.isInQuery('username')) {
        throw signInFailed(['Credentials belong in the body of the request, not in its URL.'])
      }
      if (!settings.takesPasswordsOfPrograms) throw signInFailed([passwordsRefused])
      const { username, password, expiration } = input.value
      if (!username || !password) throw signInFailed()
      const signIn = signInTo(username, request)
      const { passwordHash, turn } = await read(beginSignIn, signIn)
      const matches = await dependencies.passwords.verify(password, passwordHash, turn)
      const token = dependencies.random.token()
      const expires = now + tokenMinutes(expiration, settings.maxTokenExpirationMinutes) * 60_000
      const { outcome } = await run({
        ...signIn,
        verifiedHash: matches ? passwordHash : undefined,
        tokenHash: dependencies.random.hashToken(token),
        expiresAt: expires,
        agent: agent.slice(0, maxAgentLength),
      })
      if (outcome === 'temporary password') {
        throw signInFailed([`The password has to be changed first, at ${newPasswordAddress(publicUrl)}`])
      }
      if (outcome === 'password') throw signInFailed()
      request.noteSignIn(username)
      return { json: { token, expires, ssl: publicUrl.startsWith('https:') } }
    },
  }),
  endpoint({
    id: 'revokeToken',
    title: 'Revoke token',
    goals: ['Sign in and out'],
    path: '/oauth2/revokeToken',
    parameters: {
      auth_token: optionalText('The token to revoke; default is the token of the request.', { isSecret: true }),
      client_id: optionalText('Client id of the app whose token it is; or in `Authorization: Basic`.'),
      client_secret: optionalText('Secret of the app; need not be given, but has to be right.', { isSecret: true }),
      ...withoutEffect('token_type_hint'),
    },
    token: 'none',
    who: 'Anyone who has the token',
    summary:
      'Signs out: the token becomes invalid. A refresh token or a token of an app ends all that was issued with it; other apps, and tokens by username and password, stay signed in.',
    chosen: [
      'Revoking an unknown or expired token succeeds.',
      'With the client id of another app it succeeds, and ends nothing.',
      'The token is proof enough: a secret is compared only where one is given.',
    ],
    example: { parameters: { auth_token: annasToken }, answer: { success: true } },
    async answer({ input, requestParameters, dependencies, findClient, run }) {
      const { auth_token: named, client_id, client_secret } = 'value' in input ? input.value : {}
      const token = named ?? requestParameters.tokens[0]
      if (!token) throw tokenRequired()
      if (requestParameters.isInQuery('client_secret')) {
        throw oauthRefused('invalid_request', 'client_secret: belongs in the body of the request, not in its URL.')
      }
      const { hashToken } = dependencies.random
      const client = findClient()
      const secret = client_secret || client?.clientSecret
      await run({
        tokenHash: hashToken(token),
        clientId: client_id || client?.clientId || undefined,
        secretHash: secret ? hashToken(secret) : undefined,
      })
      return success
    },
  }),
]
