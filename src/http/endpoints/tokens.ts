import { usernameLength } from '../../directory/user.ts'
import { signInFailed, tokenRequired } from '../../errors.ts'
import { beginSignIn } from '../../tokens/operations.ts'
import { longestMinutes, tokenMinutes } from '../../tokens/token.ts'
import { success } from '../answer.ts'
import { annasPassword, annasToken, exampleTime, generatedIds } from '../docs/examples.ts'
import { type Endpoint, endpoint } from './endpoint.ts'
import { optionalChoice, optionalInteger, optionalText } from './parameter-types.ts'

/** Sign-in and sign-out. */
export const tokenRows: readonly Endpoint[] = [
  endpoint({
    id: 'generateToken',
    room: 'tokens',
    title: 'Generate token',
    task: 'generate token',
    effect: 'change',
    path: '/generateToken',
    parameters: {
      username: optionalText('Username.', { maxLength: usernameLength.most }),
      password: optionalText('Password.', { isSecret: true }),
      expiration: optionalInteger(
        'Minutes until the token expires: 60 if not given; a larger wish than allowed gets the cap.',
        { minimum: 1, cap: longestMinutes },
      ),
      client: optionalChoice('What the client would bind the token to; accepted and not enforced.', [
        'referer',
        'ip',
        'requestip',
      ]),
      referer: optionalText('Accepted and not enforced: real clients change it between requests.'),
      ip: optionalText('Accepted and not enforced.'),
    },
    token: 'none',
    who: 'Anyone with a username and a password',
    summary: 'Signs in: answers a token for the credentials, which belong in the body.',
    source: 'documented',
    chosen: [
      'Credentials in the query are refused.',
      'Too many failed sign-ins for one account from one address: 429 until the time has passed.',
    ],
    example: {
      parameters: { username: 'anna', password: annasPassword, expiration: '120' },
      answer: { token: generatedIds.token, expires: exampleTime + 7_200_000, ssl: true },
    },
    async answer({ input, requestParameters, dependencies, now, address, publicUrl, settings, read, run }) {
      if ('problems' in input) throw signInFailed(input.problems)
      if (['username', 'password'].some(requestParameters.isInQuery)) {
        throw signInFailed(['Credentials belong in the body of the request, not in its URL.'])
      }
      const { username, password, expiration } = input.value
      if (!username || !password) throw signInFailed()
      const signIn = { username, address, limit: settings.signInLimit }
      const { passwordHash } = await read(beginSignIn, signIn)
      const matches = await dependencies.passwords.verify(password, passwordHash)
      const token = dependencies.random.token()
      const expires = now + tokenMinutes(expiration, settings.maxTokenExpirationMinutes) * 60_000
      const { signedIn } = await run({
        ...signIn,
        verifiedHash: matches ? passwordHash : undefined,
        tokenHash: dependencies.random.hashToken(token),
        expiresAt: expires,
      })
      if (!signedIn) throw signInFailed()
      return { json: { token, expires, ssl: publicUrl.startsWith('https:') } }
    },
  }),
  endpoint({
    id: 'revokeToken',
    room: 'tokens',
    title: 'Revoke token',
    task: 'revoke token',
    effect: 'change',
    path: '/oauth2/revokeToken',
    parameters: {
      auth_token: optionalText('The token that shall end; `token` is taken where it is absent.', { isSecret: true }),
    },
    token: 'none',
    who: 'Whoever has the token',
    summary: 'Signs out: the token is refused from then on.',
    source: 'observed',
    chosen: ['A token that is unknown or has ended is success too.'],
    example: { parameters: { auth_token: annasToken }, answer: { success: true } },
    async answer({ input, requestParameters, dependencies, run }) {
      const named = 'value' in input ? input.value.auth_token : undefined
      const token = named ?? requestParameters.tokens[0]
      if (!token) throw tokenRequired()
      await run({ tokenHash: dependencies.random.hashToken(token) })
      return success
    },
  }),
]
