import type { Fault } from './fault.ts'

/** Tokens, sessions and sign-in to apps: when they end, and where they lead. */
export const tokens: readonly Fault[] = [
  {
    name: 'A token still counts at the moment at which it ends',
    file: 'src/tokens/operations.ts',
    find: 'found.disabled || found.expiresAt <= now',
    replace: 'found.disabled || found.expiresAt < now',
    tests: ['test/rooms/token.test.ts'],
  },
  {
    name: 'A browser stays signed in after the password was changed',
    file: 'src/storage/stores/token-store.ts',
    find: `for (const table of ['tokens', 'grants', 'browser_sessions', 'one_time_links'] as const) {`,
    replace: `for (const table of ['tokens', 'grants', 'one_time_links'] as const) {`,
    tests: ['test/http/sign-in/threats/ended-sessions.test.ts', 'test/http/endpoints/tokens/users-password.test.ts'],
  },
  {
    name: 'A link for a new password is still good after the user has ended the other sessions',
    file: 'src/storage/stores/token-store.ts',
    find: `for (const table of ['browser_sessions', 'one_time_links'] as const) {`,
    replace: `for (const table of ['browser_sessions'] as const) {`,
    tests: ['test/http/endpoints/tokens/sessions.test.ts', 'test/http/sign-in/new-password.test.ts'],
  },
  {
    name: 'A link for a new password is good after its administrator was disabled',
    file: 'src/oauth/passwords/new-password-operations.ts',
    find: 'return maker && !maker.disabled && isDefault',
    replace: 'return maker && isDefault',
    tests: ['test/http/sign-in/new-password.test.ts'],
  },
  {
    name: 'An invitation to a group is good after the user who sent it was disabled',
    file: 'src/directory/groups/admission.ts',
    find: 'if (!inviter || inviter.disabled) return false',
    replace: 'if (!inviter) return false',
    tests: ['test/http/endpoints/directory/groups/invitations.test.ts'],
  },
  {
    name: 'A stolen code that is used again does not end the tokens of the first use',
    file: 'src/oauth/tokens/token-operations.ts',
    find: `return isOfApp ? endGrant(stores, holder, 'code') : refused('code')`,
    replace: `return refused('code')`,
    tests: ['test/http/sign-in/threats/codes.test.ts'],
  },
  {
    name: 'A refresh token that was exchanged and is used again does not end its grant',
    file: 'src/oauth/tokens/token-operations.ts',
    find: `if (token.exchangedAt !== undefined) return endGrant(stores, holder, 'refresh token')`,
    replace: `if (token.exchangedAt !== undefined) return refused('refresh token')`,
    tests: ['test/http/sign-in/threats/refresh-tokens.test.ts'],
  },
  {
    name: 'After the end of a session, a browser is sent back to the app without a question',
    file: 'src/oauth/sessions/session-operations.ts',
    find: '    await stores.oauth.putConsent(user.userId, key.clientId, withdrawnConsent, call.now)\n',
    replace: '',
    tests: ['test/http/endpoints/tokens/sessions.test.ts'],
  },
  {
    name: 'A code is exchanged by a request with another redirect address of the app',
    file: 'src/oauth/tokens/token-operations.ts',
    find: 'const isHere = code.redirectUri === given.redirectUri && isRegistered(given.redirectUri, app)',
    replace: 'const isHere = isRegistered(given.redirectUri, app)',
    tests: ['test/http/sign-in/threats/codes.test.ts', 'test/http/sign-in/threats/redirects.test.ts'],
  },
  {
    name: 'A web app is answered at any port of this machine',
    file: 'src/oauth/apps/redirect-uri.ts',
    find: 'const loopback = isOfMachine ? withoutPort(uri) : undefined',
    replace: 'const loopback = withoutPort(uri)',
    tests: ['test/rooms/oauth/redirect-uri.test.ts'],
  },
  {
    name: 'An app registers an address by http whose host only begins as this machine',
    file: 'src/oauth/apps/redirect-uri.ts',
    find: `scheme === 'http' && !loopbackHosts.has(url.hostname)`,
    replace: `scheme === 'http' && ![...loopbackHosts].some((host) => url.hostname.startsWith(host))`,
    tests: ['test/rooms/oauth/redirect-uri.test.ts'],
  },
  {
    name: 'An app gets another state back than it sent, where that has signs of a query',
    file: 'src/oauth/apps/redirect-uri.ts',
    find: 'encodeURIComponent(value)',
    replace: 'encodeURI(value)',
    tests: ['test/rooms/oauth/redirect-uri.test.ts'],
  },
]
