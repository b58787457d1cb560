import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig, settings } from '../src/config.ts'
import { defaultLimits } from '../src/limits.ts'

type Environment = Readonly<Record<string, string>>

/** The sentence with which the settings are refused. */
function refusalOf(environment: Environment): string {
  try {
    readConfig(environment)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  throw new Error(`The settings were taken: ${JSON.stringify(environment)}`)
}

const replaceSecret =
  'take a random one, such as "openssl rand -base64 32" prints, and replace this one by "cartulary secret rotate" if ' +
  'private keys are encrypted under it.'

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
    maxTokenExpirationMinutes: 21_600,
    logLevel: 'info',
    trustProxy: false,
    signInLimit: { failures: 10, minutes: 15 },
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
    [{ HOST: '0.0.0.0' }, { host: '0.0.0.0' }],
    [{ PUBLIC_URL: 'https://maps.example.com' }, { publicUrl: 'https://maps.example.com' }],
    [{ PUBLIC_URL: 'https://maps.example.com/' }, { publicUrl: 'https://maps.example.com' }],
    [{ PUBLIC_URL: 'HTTPS://Maps.Example.com:443/gis/portal/' }, { publicUrl: 'https://maps.example.com/gis/portal' }],
    [{ PUBLIC_URL: 'http://localhost:8443/a-b_c.d~e' }, { publicUrl: 'http://localhost:8443/a-b_c.d~e' }],
    [{ DATABASE_URL: 'file:maps.db' }, { database: { file: 'maps.db' }, secretKey: { path: 'maps.db.key' } }],
    [{ DATABASE_URL: 'file:/var/lib/maps.db' }, { database: { file: '/var/lib/maps.db' } }],
    [{ DATABASE_URL: 'file:///var/lib/maps.db' }, { database: { file: '/var/lib/maps.db' } }],
    [{ DATABASE_URL: 'file::memory:' }, { database: { file: ':memory:' }, secretKey: { kind: 'ephemeral' } }],
    [{ SECRET_KEY: 'abcdefgh'.repeat(4) }, { secretKey: { kind: 'text', text: 'abcdefgh'.repeat(4) } }],
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
    [{ ADMIN_PASSWORD: ' with spaces ' }, { admin: { password: ' with spaces ' } }],
    [{ ORGANIZATION_NAME: 'Istituto Geografico' }, { organizationName: 'Istituto Geografico' }],
    [{ HTTP_ERROR_STATUS: 'match' }, { httpErrorStatus: 'match' }],
    [{ ALLOWED_ORIGINS: '*' }, { allowedOrigins: undefined }],
    [
      { ALLOWED_ORIGINS: 'https://a.example.com, http://localhost:3000' },
      { allowedOrigins: ['https://a.example.com', 'http://localhost:3000'] },
    ],
    [{ TLS_CERT_FILE: 'cert.pem', TLS_KEY_FILE: 'key.pem' }, { tls: { certFile: 'cert.pem', keyFile: 'key.pem' } }],
    [{ MAX_TOKEN_EXPIRATION_MINUTES: '1' }, { maxTokenExpirationMinutes: 1 }],
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

describe('a setting is refused in one sentence that names it:', () => {
  test.each<[Environment, string]>([
    [{ PORT: '65536' }, 'PORT is 65536; it has to be a whole number from 0 to 65535.'],
    [{ PORT: '-1' }, 'PORT is -1; it has to be a whole number from 0 to 65535.'],
    [{ PORT: '80.5' }, 'PORT is 80.5; it has to be a whole number from 0 to 65535.'],
    [{ PORT: '0x50' }, 'PORT is 0x50; it has to be a whole number from 0 to 65535.'],
    [{ PUBLIC_URL: 'maps.example.com' }, 'PUBLIC_URL is maps.example.com; it has to be an absolute URL.'],
    [
      { PUBLIC_URL: 'ftp://maps.example.com' },
      'PUBLIC_URL has to be an http or https URL without query, hash or user.',
    ],
    [
      { PUBLIC_URL: 'https://maps.example.com?a=b' },
      'PUBLIC_URL has to be an http or https URL without query, hash or user.',
    ],
    [
      { PUBLIC_URL: 'https://user:secret@maps.example.com' },
      'PUBLIC_URL has to be an http or https URL without query, hash or user.',
    ],
    [
      { PUBLIC_URL: 'https://maps.example.com/:portal' },
      'PUBLIC_URL has the path /:portal; it may have letters, digits, dots, hyphens, underscores and tildes between single slashes.',
    ],
    [
      { PUBLIC_URL: 'https://maps.example.com/my maps' },
      'PUBLIC_URL has the path /my%20maps; it may have letters, digits, dots, hyphens, underscores and tildes between single slashes.',
    ],
    [
      { PUBLIC_URL: 'http://maps.example.com', TLS_CERT_FILE: 'c', TLS_KEY_FILE: 'k' },
      'PUBLIC_URL begins with http:, but TLS_CERT_FILE makes the server speak https only.',
    ],
    [
      { DATABASE_URL: 'mysql://user:secret@host/maps' },
      'DATABASE_URL begins with "mysql:"; it has to be file:<path>, file::memory: or postgres://….',
    ],
    [
      { DATABASE_URL: 'maps.db' },
      'DATABASE_URL begins with ""; it has to be file:<path>, file::memory: or postgres://….',
    ],
    [
      { DATABASE_URL: 'file:' },
      'DATABASE_URL begins with "file:"; it has to be file:<path>, file::memory: or postgres://….',
    ],
    [
      { DATABASE_URL: 'file:maps.db?mode=ro' },
      'DATABASE_URL begins with "file:"; it has to be file:<path>, file::memory: or postgres://….',
    ],
    [{ SECRET_KEY: 's'.repeat(32) }, `SECRET_KEY can be guessed: of its 32 characters only 1 differ; ${replaceSecret}`],
    [
      { SECRET_KEY: 'abcdefg'.repeat(5) },
      `SECRET_KEY can be guessed: of its 35 characters only 7 differ; ${replaceSecret}`,
    ],
    [{ SECRET_KEY: 's'.repeat(31) }, 'SECRET_KEY has 31 characters; it has to have 32 or more.'],
    [
      { SECRET_KEY: 's'.repeat(32), SECRET_KEY_FILE: 'key' },
      'SECRET_KEY and SECRET_KEY_FILE are both set; keep one of them.',
    ],
    [{ PREVIOUS_SECRET_KEY: 's'.repeat(31) }, 'PREVIOUS_SECRET_KEY has 31 characters; it has to have 32 or more.'],
    [
      { PREVIOUS_SECRET_KEY: 's'.repeat(32), PREVIOUS_SECRET_KEY_FILE: 'key' },
      'PREVIOUS_SECRET_KEY and PREVIOUS_SECRET_KEY_FILE are both set; keep one of them.',
    ],
    [{ HTTP_ERROR_STATUS: 'real' }, 'HTTP_ERROR_STATUS is real; it has to be one of envelope, match.'],
    [
      { ALLOWED_ORIGINS: 'maps.example.com' },
      'ALLOWED_ORIGINS has maps.example.com; an origin is like https://maps.example.com.',
    ],
    [
      { ALLOWED_ORIGINS: 'https://a.example.com,*' },
      'ALLOWED_ORIGINS has *; an origin is like https://maps.example.com.',
    ],
    [
      { ALLOWED_ORIGINS: 'https://a.example.com/' },
      'ALLOWED_ORIGINS has https://a.example.com/; an origin is like https://maps.example.com.',
    ],
    [{ TLS_CERT_FILE: 'cert.pem' }, 'TLS_CERT_FILE and TLS_KEY_FILE go together; only one of them is set.'],
    [{ TLS_KEY_FILE: 'key.pem' }, 'TLS_CERT_FILE and TLS_KEY_FILE go together; only one of them is set.'],
    [
      { MAX_TOKEN_EXPIRATION_MINUTES: '0' },
      'MAX_TOKEN_EXPIRATION_MINUTES is 0; it has to be a whole number from 1 to 21600.',
    ],
    [
      { MAX_TOKEN_EXPIRATION_MINUTES: '21601' },
      'MAX_TOKEN_EXPIRATION_MINUTES is 21601; it has to be a whole number from 1 to 21600.',
    ],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL is loud; it has to be one of fatal, error, warn, info, debug, silent.'],
    [{ METRICS_PORT: '65536' }, 'METRICS_PORT is 65536; it has to be a whole number from 0 to 65535.'],
    [
      { METRICS_HOST: '0.0.0.0' },
      'METRICS_HOST is 0.0.0.0, but METRICS_PORT is not set: metrics are beside the API then.',
    ],
    [{ TRUST_PROXY: '1' }, 'TRUST_PROXY is 1; it has to be one of false, true.'],
    [
      { RATE_LIMIT_SIGN_IN_FAILURES: '0' },
      'RATE_LIMIT_SIGN_IN_FAILURES is 0; it has to be a whole number from 1 to 1000000.',
    ],
    [
      { RATE_LIMIT_SIGN_IN_MINUTES: '1441' },
      'RATE_LIMIT_SIGN_IN_MINUTES is 1441; it has to be a whole number from 1 to 1440.',
    ],
  ])('%j', (environment, sentence) => {
    expect(refusalOf(environment)).toBe(sentence)
  })

  test.each([
    'ADMIN_PASS',
    'ALLOWED_ORIGIN',
    'CARTULARY_PORT',
    'DATABASE_URI',
    'HTTP_ERROR_STATES',
    'MAX_TOKEN_EXPIRATION',
    'METRICS_POTR',
    'ORGANIZATION_NAMES',
    'PREVIOUS_SECRET',
    'PUBLIC_URI',
    'RATE_LIMIT_SIGNINS',
    'SECRET_KEY_PATH',
    'TLS_CERT',
    'TRUST_PROXIES',
  ])('%s, which is a misspelling', (name) => {
    expect(refusalOf({ [name]: 'x' })).toBe(`Unknown setting ${name}.`)
  })

  test('never with a secret in it', () => {
    const secret = 'short-secret'
    expect(refusalOf({ SECRET_KEY: secret })).not.toContain(secret)
    expect(refusalOf({ PREVIOUS_SECRET_KEY: secret })).not.toContain(secret)
    expect(refusalOf({ DATABASE_URL: `postgres+x://user:${secret}@host` })).not.toContain(secret)
    expect(refusalOf({ PUBLIC_URL: `https://user:${secret}@host` })).not.toContain(secret)
    expect(refusalOf({ PUBLIC_URL: `https://host?key=${secret}` })).not.toContain(secret)
  })
})

test('what belongs to others is left alone', () => {
  const others = { PATH: '/bin', HOME: '/root', LOGNAME: 'x', TLS_SESSION: '1', npm_config_cache: 'x', HOSTNAME: 'x' }
  expect(readConfig(others)).toEqual(readConfig({}))
})
