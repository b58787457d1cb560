import { describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { refusalsOf } from './refusals.ts'

const provider = {
  PUBLIC_URL: 'https://maps.example.com',
  TRUST_PROXY: 'false',
  OIDC_ISSUER: 'https://login.example.com/realms/maps',
  OIDC_CLIENT_ID: 'maps',
}

describe('an identity provider', () => {
  test('is not there unless it is set', () => {
    expect(readConfig({}).identityProvider).toBeUndefined()
  })

  test('has defaults that let no user in who is not linked', () => {
    expect(readConfig(provider).identityProvider).toEqual({
      issuer: 'https://login.example.com/realms/maps',
      clientId: 'maps',
      clientSecret: undefined,
      scopes: 'openid profile email',
      hosts: undefined,
      button: 'Sign in with your organization',
      hidesPasswordForm: false,
      endsItsSession: false,
      rules: {
        organization: undefined,
        usernameClaim: 'preferred_username',
        linkClaim: 'sub',
        emailDomains: [],
        createsUsers: false,
        roles: undefined,
        gate: undefined,
      },
    })
  })

  test.each([
    ['https://login.example.com/realms/maps/.well-known/openid-configuration', 'https://login.example.com/realms/maps'],
    ['https://login.example.com/', 'https://login.example.com/'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ])('by %s is %s', (given, issuer) => {
    expect(readConfig({ ...provider, OIDC_ISSUER: given }).identityProvider?.issuer).toBe(issuer)
  })

  test.each([
    [{ OIDC_ISSUER: '' }, 'OIDC_CLIENT_ID is set without OIDC_ISSUER'],
    [{ OIDC_CLIENT_ID: '' }, 'OIDC_CLIENT_ID is missing'],
    [{ OIDC_ISSUER: 'login.example.com' }, 'OIDC_ISSUER has to be an https URL'],
    [{ OIDC_ISSUER: 'http://login.example.com' }, 'OIDC_ISSUER has to be an https URL'],
    [{ OIDC_ISSUER: 'https://anna:secret@login.example.com' }, 'OIDC_ISSUER has to be an https URL'],
    [{ OIDC_ISSUER: 'https://login.microsoftonline.com/common/v2.0' }, 'OIDC_ISSUER names common'],
    [{ OIDC_ISSUER: 'https://login.microsoftonline.com/organizations/v2.0' }, 'OIDC_ISSUER names organizations'],
    [{ PUBLIC_URL: 'http://maps.example.com' }, 'OIDC_ISSUER is set, but PUBLIC_URL is not https'],
    [
      { OIDC_CLIENT_SECRET: 'a', OIDC_CLIENT_SECRET_FILE: 'b' },
      'OIDC_CLIENT_SECRET and OIDC_CLIENT_SECRET_FILE are both',
    ],
    [{ OIDC_SCOPES: 'profile' }, 'OIDC_SCOPES is profile'],
    [{ OIDC_HOSTS: 'https://keys.example.com' }, 'OIDC_HOSTS has https://keys.example.com'],
    [{ OIDC_HOSTS: 'keys.example.com,' }, 'OIDC_HOSTS has an empty entry'],
    [{ OIDC_BUTTON: 'x'.repeat(65) }, 'OIDC_BUTTON has 65 characters'],
    [{ OIDC_EMAIL_DOMAINS: '@example.com' }, 'OIDC_EMAIL_DOMAINS has @example.com'],
    [
      { OIDC_ISSUER: 'https://login.microsoftonline.com/1/v2.0', OIDC_EMAIL_DOMAINS: 'example.com' },
      'OIDC_EMAIL_DOMAINS is set, but Entra does not verify',
    ],
    [{ OIDC_CREATE_USERS: 'yes' }, 'OIDC_CREATE_USERS is yes'],
    [{ OIDC_ROLE_MAP: '{"a":"org_user"}' }, 'OIDC_ROLE_MAP is set without OIDC_ROLE_POINTER'],
    [{ OIDC_ROLE_POINTER: '/roles' }, 'OIDC_ROLE_POINTER is set without OIDC_ROLE_MAP'],
    [{ OIDC_ROLE_POINTER: 'roles', OIDC_ROLE_MAP: '{"a":"org_user"}' }, 'OIDC_ROLE_POINTER is roles'],
    [{ OIDC_ROLE_POINTER: '/roles', OIDC_ROLE_MAP: '["a"]' }, 'OIDC_ROLE_MAP has to be a JSON object'],
    [{ OIDC_ROLE_POINTER: '/roles', OIDC_ROLE_MAP: '{"a":1}' }, 'OIDC_ROLE_MAP has to be a JSON object'],
    [{ OIDC_ROLE_POINTER: '/roles', OIDC_ROLE_MAP: '{"7":"org_user"}' }, 'OIDC_ROLE_MAP has the value 7'],
    [{ OIDC_ROLE_UNMATCHED: 'org_user' }, 'OIDC_ROLE_UNMATCHED is set without OIDC_ROLE_MAP'],
    [{ OIDC_ROLE_AT: 'creation' }, 'OIDC_ROLE_AT is set without OIDC_ROLE_MAP'],
    [
      { OIDC_ROLE_POINTER: '/roles', OIDC_ROLE_MAP: '{"a":"org_user"}', OIDC_ROLE_AT: 'never' },
      'OIDC_ROLE_AT is never',
    ],
    [{ OIDC_REQUIRED_VALUE: 'mfa' }, 'OIDC_REQUIRED_VALUE is set without OIDC_REQUIRED_POINTER'],
    [{ OIDC_SIGN_OUT: '1' }, 'OIDC_SIGN_OUT is 1'],
    [{ OIDC_PASSWORD_FORM: 'none' }, 'OIDC_PASSWORD_FORM is none'],
  ])('with %j is refused by one sentence', (environment, sentence) => {
    expect(refusalsOf(() => readConfig({ ...provider, ...environment }))).toEqual([expect.stringContaining(sentence)])
  })

  test('is refused for all that is wrong together, without its secrets', () => {
    const wrong = { OIDC_ISSUER: 'https://a:hidden@b.c', OIDC_SCOPES: 'x', OIDC_SIGN_OUT: 'x', PORT: 'x' }
    const refusals = refusalsOf(() => readConfig({ ...provider, ...wrong }))
    expect(refusals).toHaveLength(4)
    expect(refusals.join('\n')).not.toContain('hidden')
  })
})
