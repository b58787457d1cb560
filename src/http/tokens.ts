import { usernameLength } from '../directory/user.ts'
import { signInFailed, tokenRequired } from '../errors.ts'
import { beginSignIn, findTokenOwner, finishSignIn, revokeToken } from '../tokens/operations.ts'
import { longestMinutes, tokenMinutes } from '../tokens/token.ts'
import { success } from './answer.ts'
import { annasPassword, annasToken, drawn, exampleTime } from './examples.ts'
import { type Operation, operation } from './operation.ts'
import { optionalChoice, optionalInteger, optionalText } from './parameters.ts'

/** Sign-in and sign-out. */
export const tokenRows: readonly Operation[] = [
  operation({
    id: 'generateToken',
    room: 'tokens',
    title: 'Generate token',
    task: 'generate token',
    kind: 'operation',
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
      answer: { token: drawn.token, expires: exampleTime + 7_200_000, ssl: true },
    },
    async answer({ input, params, ports, now, address, publicUrl, settings, read, write }) {
      if ('problems' in input) throw signInFailed(input.problems)
      if (['username', 'password'].some(params.isInQuery)) {
        throw signInFailed(['Credentials belong in the body of the request, not in its URL.'])
      }
      const { username, password, expiration } = input.value
      if (!username || !password) throw signInFailed()
      const signIn = { username, address, limit: settings.signInLimit }
      const { passwordHash } = await read(beginSignIn, signIn)
      const matches = await ports.passwords.verify(password, passwordHash)
      const token = ports.random.token()
      const expires = now + tokenMinutes(expiration, settings.maxTokenExpirationMinutes) * 60_000
      const { signedIn } = await write(
        finishSignIn,
        {
          ...signIn,
          verifiedHash: matches ? passwordHash : undefined,
          tokenHash: ports.random.hashToken(token),
          expiresAt: expires,
        },
        { username },
      )
      if (!signedIn) throw signInFailed()
      return { json: { token, expires, ssl: publicUrl.startsWith('https:') } }
    },
  }),
  operation({
    id: 'revokeToken',
    room: 'tokens',
    title: 'Revoke token',
    task: 'revoke token',
    kind: 'operation',
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
    async answer({ input, params, ports, read, write }) {
      const named = 'value' in input ? input.value.auth_token : undefined
      const token = named ?? params.tokens[0]
      if (!token) throw tokenRequired()
      const tokenHash = ports.random.hashToken(token)
      const owner = await read(findTokenOwner, { tokenHash })
      if (owner) await write(revokeToken, { tokenHash }, owner)
      return success
    },
  }),
]
