import { expect, test } from 'vitest'
import { temporaryFile } from '../../storage/sqlite/temporary-file.ts'
import { OpenIdServer } from '../../support/identity-provider/openid-server.ts'
import { command, served } from '../run-command.ts'

const password = 'a password of the administrator'

test('doctor calls the provider: its discovery, keys, clock and the redirect address', async () => {
  await using provider = await OpenIdServer.open()
  const file = temporaryFile()
  const environment = {
    DATABASE_URL: `file:${file}`,
    ADMIN_PASSWORD: password,
    PUBLIC_URL: 'https://maps.example.com/portal',
    TRUST_PROXY: 'false',
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: 'cartulary',
    OIDC_CLIENT_SECRET: 'secret of the client at the provider',
  }
  await (await served(environment)).stop()
  const doctor = (given: Readonly<Record<string, string>> = {}) => command(['doctor'], { ...environment, ...given })
  const good = await doctor()
  expect(good.printed).toMatch(/ok +The discovery of the identity provider/)
  expect(good.printed).toMatch(/ok +The identity provider has \d+ keys, and keeps the same time/)
  expect(good.printed).toMatch(/ok +The identity provider knows the client id, and the address/)
  expect(good.printed).toMatch(/ok +Organization \w+ has 1 administrators with a password/)
  const wrong = await doctor({ PUBLIC_URL: 'https://other.example.com' })
  expect(wrong.printed).toMatch(/problem +The identity provider refuses a sign-in with 400: register https:\/\/other/)
  expect(wrong.code).toBe(1)
  const { OIDC_CLIENT_SECRET: _secret, ...withFile } = environment
  const noSecret = await command(['doctor'], { ...withFile, OIDC_CLIENT_SECRET_FILE: `${file}.missing` })
  expect(noSecret.printed).toMatch(/problem +OIDC_CLIENT_SECRET_FILE is .*missing, where there is no file/)
  expect(noSecret.printed).toMatch(/ok +Organization \w+ has 1 administrators with a password/)
  const dead = await doctor({ OIDC_ISSUER: 'http://127.0.0.1:49151' })
  expect(dead.printed).toMatch(
    /problem +The identity provider http:\/\/127.0.0.1:49151 cannot be used: .*cannot be called/,
  )
})
