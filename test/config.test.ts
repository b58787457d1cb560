import { describe, expect, test } from 'vitest'
import { readConfig, settings } from '../src/config.ts'
import { defaultLimits } from '../src/limits.ts'

type Environment = Readonly<Record<string, string>>

test('without settings everything has its default', () => {
  expect(readConfig({})).toEqual({
    port: 8080,
    host: '127.0.0.1',
    publicUrl: undefined,
    database: { engine: 'sqlite', file: './data/cartulary.db' },
    secretKey: { kind: 'file', path: './data/cartulary.db.key' },
    admin: { username: 'admin', password: undefined },
    organizationName: 'Cartulary',
    httpErrorStatus: 'envelope',
    allowedOrigins: undefined,
    tls: undefined,
    takesPasswordsOfPrograms: true,
    membersRegisterApps: true,
    maxTokenExpirationMinutes: 21_600,
    maxRefreshTokenMinutes: 129_600,
    logLevel: 'info',
    trustProxy: false,
    drainSeconds: 0,
    databaseWaitSeconds: 60,
    migrationWaitSeconds: 60,
    identityProvider: undefined,
    signInLimit: { failures: 10, minutes: 15 },
    diskReserveMegabytes: 16,
    webhooks: { isOn: false, allowedHosts: [], authorityFile: undefined },
    limits: defaultLimits,
  })
})

test.each(settings.map(({ name }) => name))('an empty %s is its default', (name) => {
  expect(readConfig({ [name]: '' })).toEqual(readConfig({}))
})

test.each(settings.filter(({ name }) => name !== 'ADMIN_PASSWORD').map(({ name }) => name))(
  'a blank %s is its default',
  (name) => {
    expect(readConfig({ [name]: '  ' })).toEqual(readConfig({}))
  },
)

describe('a setting is read:', () => {
  test.each<[Environment, object]>([
    [{ PORT: '0' }, { port: 0 }],
    [{ PORT: ' 65535 ' }, { port: 65_535 }],
    [
      { HOST: '0.0.0.0', PUBLIC_URL: 'http://maps.example.com' },
      { host: '0.0.0.0', publicUrl: 'http://maps.example.com' },
    ],
    [{ HOST: '::1' }, { host: '::1' }],
    [{ HOST: 'localhost' }, { host: 'localhost' }],
    [{ PUBLIC_URL: 'https://maps.example.com', TRUST_PROXY: 'false' }, { publicUrl: 'https://maps.example.com' }],
    [{ PUBLIC_URL: 'https://maps.example.com/', TRUST_PROXY: 'false' }, { publicUrl: 'https://maps.example.com' }],
    [
      { PUBLIC_URL: 'HTTPS://Maps.Example.com:443/gis/portal/', TRUST_PROXY: 'false' },
      { publicUrl: 'https://maps.example.com/gis/portal' },
    ],
    [{ PUBLIC_URL: 'http://localhost:8443/a-b_c.d~e' }, { publicUrl: 'http://localhost:8443/a-b_c.d~e' }],
    [{ DATABASE_URL: 'file:maps.db' }, { database: { file: 'maps.db' }, secretKey: { path: 'maps.db.key' } }],
    [{ DATABASE_URL: 'file:/var/lib/maps.db' }, { database: { file: '/var/lib/maps.db' } }],
    [{ DATABASE_URL: 'file:///var/lib/maps.db' }, { database: { file: '/var/lib/maps.db' } }],
    [{ DATABASE_URL: 'file::memory:' }, { database: { file: ':memory:' }, secretKey: { kind: 'ephemeral' } }],
    [{ SECRET_KEY: 'abcdefgh'.repeat(4) }, { secretKey: { kind: 'text', text: 'abcdefgh'.repeat(4) } }],
    [{ SECRET_KEY: ` ${'abcdefgh'.repeat(4)} ` }, { secretKey: { kind: 'text', text: 'abcdefgh'.repeat(4) } }],
    [{ SECRET_KEY_FILE: '/run/secrets/key' }, { secretKey: { kind: 'file', path: '/run/secrets/key' } }],
    [
      { SECRET_KEY_FILE: '/run/secrets/key', DATABASE_URL: 'file::memory:' },
      { secretKey: { kind: 'file', path: '/run/secrets/key' } },
    ],
    [{ PREVIOUS_SECRET_KEY: 'p'.repeat(32) }, { previousSecretKey: { kind: 'text', text: 'p'.repeat(32) } }],
    [
      { PREVIOUS_SECRET_KEY_FILE: '/run/secrets/old' },
      { previousSecretKey: { kind: 'file', path: '/run/secrets/old' } },
    ],
    [{ ADMIN_USERNAME: 'maria' }, { admin: { username: 'maria', password: undefined } }],
    [{ ADMIN_PASSWORD: 'cartulary-admin' }, { admin: { password: 'cartulary-admin' } }],
    [{ ADMIN_PASSWORD: ' with spaces ' }, { admin: { password: ' with spaces ' } }],
    [{ ORGANIZATION_NAME: 'Istituto Geografico' }, { organizationName: 'Istituto Geografico' }],
    [{ HTTP_ERROR_STATUS: 'match' }, { httpErrorStatus: 'match' }],
    [{ ALLOWED_ORIGINS: '*' }, { allowedOrigins: undefined }],
    [
      { ALLOWED_ORIGINS: 'https://a.example.com, http://localhost:3000' },
      { allowedOrigins: ['https://a.example.com', 'http://localhost:3000'] },
    ],
    [
      { TLS_CERT_FILE: 'cert.pem', TLS_KEY_FILE: 'key.pem', PUBLIC_URL: 'https://a.example' },
      { tls: { certFile: 'cert.pem', keyFile: 'key.pem' } },
    ],
    [{ PROGRAM_PASSWORDS: 'refused' }, { takesPasswordsOfPrograms: false }],
    [{ ORGANIZATION_APPS: 'administrators' }, { membersRegisterApps: false }],
    [{ MAX_TOKEN_EXPIRATION_MINUTES: '1' }, { maxTokenExpirationMinutes: 1 }],
    [{ MAX_REFRESH_TOKEN_MINUTES: '1440' }, { maxRefreshTokenMinutes: 1440 }],
    [{ LOG_LEVEL: 'silent' }, { logLevel: 'silent' }],
    [{ METRICS_PORT: '0' }, { metrics: { port: 0, host: '127.0.0.1' } }],
    [{ METRICS_PORT: '9464', METRICS_HOST: '::1' }, { metrics: { port: 9464, host: '::1' } }],
    [{ TRUST_PROXY: 'true' }, { trustProxy: true }],
    [{ RATE_LIMIT_SIGN_IN_FAILURES: '3' }, { signInLimit: { failures: 3, minutes: 15 } }],
    [{ RATE_LIMIT_SIGN_IN_MINUTES: '60' }, { signInLimit: { failures: 10, minutes: 60 } }],
  ])('%j', (environment, config) => {
    expect(readConfig(environment)).toMatchObject(config)
  })
})
