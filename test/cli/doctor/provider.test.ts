import { expect, test } from 'vitest'
import { OpenIdServer } from '../../support/identity-provider/openid-server.ts'
import { Folder, run, serve } from '../../support/portal/process.ts'

const password = 'a password of the administrator'

test('doctor calls the provider: its discovery, keys, clock and the redirect address', async () => {
  await using provider = await OpenIdServer.open()
  using folder = new Folder()
  const environment = {
    DATABASE_URL: 'file:maps.db',
    ADMIN_PASSWORD: password,
    PUBLIC_URL: 'https://maps.example.com/portal',
    TRUST_PROXY: 'false',
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: 'cartulary',
    OIDC_CLIENT_SECRET: 'secret of the client at the provider',
  }
  await (await serve({ folder: folder.path, environment })).stop()
  const doctor = (given: Readonly<Record<string, string>> = {}) =>
    run({ folder: folder.path, words: ['doctor'], environment: { ...environment, ...given } })
  const good = await doctor()
  expect(good.out).toMatch(/ok +The discovery of the identity provider/)
  expect(good.out).toMatch(/ok +The identity provider has \d+ keys, and keeps the same time/)
  expect(good.out).toMatch(/ok +The identity provider knows the client id, and the address/)
  expect(good.out).toMatch(/ok +Organization \w+ has 1 administrators with a password/)
  const wrong = await doctor({ PUBLIC_URL: 'https://other.example.com' })
  expect(wrong.out).toMatch(/problem +The identity provider refuses a sign-in with 400: register https:\/\/other/)
  expect(wrong.code).toBe(1)
  const { OIDC_CLIENT_SECRET: _secret, ...withFile } = environment
  const words = ['doctor']
  const noSecret = await run({
    folder: folder.path,
    words,
    environment: { ...withFile, OIDC_CLIENT_SECRET_FILE: 'missing' },
  })
  expect(noSecret.out).toMatch(/problem +OIDC_CLIENT_SECRET_FILE is .*missing, where there is no file/)
  expect(noSecret.out).toMatch(/ok +Organization \w+ has 1 administrators with a password/)
  const dead = await doctor({ OIDC_ISSUER: 'http://127.0.0.1:49151' })
  expect(dead.out).toMatch(/problem +The identity provider http:\/\/127.0.0.1:49151 cannot be used: .*cannot be called/)
})
