import { describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { refusalsOf } from './refusals.ts'

type Environment = Readonly<Record<string, string>>

const integer = (name: string, value: string, min: number, max: number) =>
  [{ [name]: value }, `${name} is ${value}; it has to be a whole number from ${min} to ${max}.`] as const
const secret = 'c5d2Zk8QmV0xLrT9pYw3Hn6BfJ1sGuEa'
const other = 'another secret, which is long enough'
const postgres = { DATABASE_URL: 'postgres://maria:geheim@db.example.com/maps' }
const replaceSecret =
  'take a random one, such as "openssl rand -base64 32" prints, and replace this one by "cartulary secret rotate" if ' +
  'private keys are encrypted under it.'
const noPostgres = 'postgres://user:password@host:5432/database'
const mustBeMachine = 'it has to be an address or the name of a machine, without scheme, port or path.'
const mustBeDatabase = 'it has to be file:<path>, file::memory: or postgres://….'
const pathCharacters = 'it may have letters, digits, dots, hyphens, underscores and tildes between single slashes.'
const noUser = 'PUBLIC_URL has to be an http or https URL without query, hash or user.'
const likeAnOrigin = 'an origin is like https://maps.example.com.'
const mustBeUsername = 'a username has 3 to 128 letters, digits, dots, hyphens, underscores and at signs.'
const notWithApi = (url: string, base: string) =>
  [
    { PUBLIC_URL: url },
    `PUBLIC_URL is ${base}/sharing/rest; clients add /sharing/rest to it themselves: set it to ${base}.`,
  ] as const
const unreadableUrl = (url: string) =>
  [
    { DATABASE_URL: url, SECRET_KEY: secret },
    `DATABASE_URL begins with "postgres:", but is not a URL such as ${noPostgres}.`,
  ] as const
const mustBeDuration = 'it has to be a number of minutes, hours or days up to 366 days, such as 30m, 24h or 7d.'
const noTls =
  'PUBLIC_URL begins with https:, but this server speaks plain http, and TRUST_PROXY is not set: set it to true behind a ' +
  'reverse proxy that sets X-Forwarded-For, to false behind one that does not, or set TLS_CERT_FILE and TLS_KEY_FILE.'

/** Settings, each with the one sentence that refuses it. */
const wrong: readonly (readonly [Environment, string])[] = [
  [{ BACKUP_DIR: 'backups', BACKUP_EVERY: '1 day' }, `BACKUP_EVERY is 1 day; ${mustBeDuration}`],
  [{ BACKUP_DIR: 'backups', BACKUP_EVERY: '24' }, `BACKUP_EVERY is 24; ${mustBeDuration}`],
  [{ BACKUP_DIR: 'backups', BACKUP_EVERY: '0h' }, `BACKUP_EVERY is 0h; ${mustBeDuration}`],
  [{ BACKUP_DIR: 'backups', BACKUP_EVERY: '400d' }, `BACKUP_EVERY is 400d; ${mustBeDuration}`],
  [{ BACKUP_DIR: 'backups', BACKUP_EVERY: '-1h' }, `BACKUP_EVERY is -1h; ${mustBeDuration}`],
  [{ BACKUP_EVERY: '1h' }, 'BACKUP_EVERY is set, but BACKUP_DIR is not: no backups are made without a folder.'],
  [{ BACKUP_KEEP: '3' }, 'BACKUP_KEEP is set, but BACKUP_DIR is not: no backups are made without a folder.'],
  [
    { BACKUP_DIR: 'backups', BACKUP_COMMAND: 'rclone copy' },
    'BACKUP_COMMAND is rclone copy; it has to be the whole path of a program, without arguments.',
  ],
  [{ BACKUP_DIR: 'backups', BACKUP_KEEP: '0' }, 'BACKUP_KEEP is 0; it has to be a whole number from 1 to 10000.'],
  [
    { BACKUP_DIR: 'backups', DATABASE_URL: 'file::memory:' },
    'BACKUP_DIR is set, but the database is in memory: there is no file to copy.',
  ],
  integer('DATABASE_WAIT_SECONDS', '-1', 0, 86_400),
  integer('MIGRATION_WAIT_SECONDS', '1m', 0, 86_400),
  integer('PORT', '80a', 0, 65_535),
  integer('PORT', '65536', 0, 65_535),
  integer('PORT', '-1', 0, 65_535),
  integer('PORT', '80.5', 0, 65_535),
  integer('PORT', '0x50', 0, 65_535),
  integer('PORT', '80 81', 0, 65_535),
  integer('PORT', '١٢', 0, 65_535),
  [{ PORT: '9'.repeat(200) }, `PORT is ${'9'.repeat(100)}…; it has to be a whole number from 0 to 65535.`],
  [{ PORT: '80\n81\u001b[2J' }, 'PORT is 80�81�[2J; it has to be a whole number from 0 to 65535.'],
  [{ HOST: 'http://127.0.0.1' }, `HOST is http://127.0.0.1; ${mustBeMachine}`],
  [{ HOST: '127.0.0.1:8080' }, `HOST is 127.0.0.1:8080; ${mustBeMachine}`],
  [{ HOST: '*' }, `HOST is *; ${mustBeMachine}`],
  [{ HOST: '[::1]' }, `HOST is [::1]; ${mustBeMachine}`],
  [{ HOST: 'localhost/maps' }, `HOST is localhost/maps; ${mustBeMachine}`],
  [
    { HOST: '0.0.0.0' },
    'HOST is 0.0.0.0, which other machines can reach, but PUBLIC_URL is not set: answers would send them to ' +
      'http://localhost:8080. Set PUBLIC_URL to the URL that clients use, such as http://<name of this machine>:8080.',
  ],
  [
    { HOST: '::', PORT: '0', TLS_CERT_FILE: 'c', TLS_KEY_FILE: 'k' },
    'HOST is ::, which other machines can reach, but PUBLIC_URL is not set: answers would send them to ' +
      'https://localhost:<port>. Set PUBLIC_URL to the URL that clients use, such as https://<name of this machine>:<port>.',
  ],
  [
    { HOST: 'maps.example.com', PORT: '80' },
    'HOST is maps.example.com, which other machines can reach, but PUBLIC_URL is not set: answers would send them to ' +
      'http://localhost:80. Set PUBLIC_URL to the URL that clients use, such as http://<name of this machine>:80.',
  ],
  [
    { PUBLIC_URL: 'maps.example.com' },
    'PUBLIC_URL is maps.example.com; it has to be an absolute URL, such as https://maps.example.com.',
  ],
  [
    { PUBLIC_URL: '//maria:geheim@maps.example.com' },
    'PUBLIC_URL has to be an absolute URL, such as https://maps.example.com.',
  ],
  [{ PUBLIC_URL: 'localhost:8080' }, noUser],
  [{ PUBLIC_URL: 'ftp://maps.example.com' }, noUser],
  [{ PUBLIC_URL: 'http://maps.example.com?a=b' }, noUser],
  [{ PUBLIC_URL: 'http://maps.example.com/#top' }, noUser],
  [{ PUBLIC_URL: 'http://maria:geheim@maps.example.com' }, noUser],
  [{ PUBLIC_URL: 'http://maps.example.com/:portal' }, `PUBLIC_URL has the path /:portal; ${pathCharacters}`],
  [{ PUBLIC_URL: 'http://maps.example.com/my maps' }, `PUBLIC_URL has the path /my%20maps; ${pathCharacters}`],
  [{ PUBLIC_URL: 'http://maps.example.com//maps' }, `PUBLIC_URL has the path //maps; ${pathCharacters}`],
  notWithApi('http://maps.example.com/sharing/rest', 'http://maps.example.com'),
  notWithApi('http://maps.example.com/portal/sharing/rest/', 'http://maps.example.com/portal'),
  [
    { PUBLIC_URL: 'http://0.0.0.0:8080' },
    'PUBLIC_URL is http://0.0.0.0:8080, an address to listen on, which clients cannot call: give the one that they use.',
  ],
  [
    { PUBLIC_URL: 'http://maps.example.com', TLS_CERT_FILE: 'c', TLS_KEY_FILE: 'k' },
    'PUBLIC_URL begins with http:, but TLS_CERT_FILE makes the server speak https only.',
  ],
  [{ PUBLIC_URL: 'https://maps.example.com' }, noTls],
  [{ DATABASE_URL: '/srv/x.db' }, 'DATABASE_URL is /srv/x.db; a path has to begin with file:, so file:/srv/x.db.'],
  [{ DATABASE_URL: 'maps.db' }, 'DATABASE_URL is maps.db; a path has to begin with file:, so file:maps.db.'],
  [{ DATABASE_URL: ':memory:' }, `DATABASE_URL has no scheme; ${mustBeDatabase}`],
  [{ DATABASE_URL: 'maria:geheim@db/maps' }, `DATABASE_URL begins with "maria:"; ${mustBeDatabase}`],
  [{ DATABASE_URL: 'mysql://maria:geheim@db/maps' }, `DATABASE_URL begins with "mysql:"; ${mustBeDatabase}`],
  [{ DATABASE_URL: 'sqlite:maps.db' }, `DATABASE_URL begins with "sqlite:"; ${mustBeDatabase}`],
  [{ DATABASE_URL: 'file:' }, 'DATABASE_URL is file: without a path; it has to be like file:./data/cartulary.db.'],
  [
    { DATABASE_URL: 'file:maps.db?mode=ro' },
    'DATABASE_URL has a ? or a #; the path of a SQLite file is given without parameters.',
  ],
  unreadableUrl('postgres://maria:geheim@h1:5432,h2:port/maps'),
  unreadableUrl('postgres://maria:geheim@/maps?host=h1,h2'),
  [
    { DATABASE_URL: 'postgres:///maps?host=h1,h2', SECRET_KEY: secret },
    'DATABASE_URL names several hosts as a parameter; they have to be before the path, as in postgres://user:password@h1,h2:5433/database.',
  ],
  [
    { DATABASE_URL: 'postgres://h1,h2/maps?target_session_attrs=standby', SECRET_KEY: secret },
    'DATABASE_URL has a target_session_attrs that Cartulary does not take; it has to be one of any, read-write, primary.',
  ],
  unreadableUrl('postgres:maps'),
  unreadableUrl('postgresql://maria:geheim@db:54a2/maps'),
  [
    postgres,
    'DATABASE_URL names a PostgreSQL database; set SECRET_KEY or SECRET_KEY_FILE, the same for every server that shares it.',
  ],
  [{ DATABASE_CONNECTIONS: '8' }, 'DATABASE_CONNECTIONS is set, but DATABASE_URL names no PostgreSQL database.'],
  [
    { ...postgres, SECRET_KEY: secret, DATABASE_CONNECTIONS: '0' },
    'DATABASE_CONNECTIONS is 0; it has to be a whole number from 1 to 200.',
  ],
  [{ SECRET_KEY: 's'.repeat(32) }, `SECRET_KEY can be guessed: of its 32 characters only 1 differ; ${replaceSecret}`],
  [
    { ...postgres, SECRET_KEY: 'abcdefg'.repeat(5) },
    `SECRET_KEY can be guessed: of its 35 characters only 7 differ; ${replaceSecret}`,
  ],
  [{ SECRET_KEY: secret.slice(1) }, 'SECRET_KEY has 31 characters; it has to have 32 or more.'],
  [{ SECRET_KEY: secret, SECRET_KEY_FILE: 'key' }, 'SECRET_KEY and SECRET_KEY_FILE are both set; keep one of them.'],
  [
    { DATABASE_URL: 'file:maps.db', SECRET_KEY_FILE: 'maps.db' },
    'SECRET_KEY_FILE is the file of DATABASE_URL; it has to be another one.',
  ],
  [{ PREVIOUS_SECRET_KEY: other.slice(0, 31) }, 'PREVIOUS_SECRET_KEY has 31 characters; it has to have 32 or more.'],
  [
    { PREVIOUS_SECRET_KEY: other, PREVIOUS_SECRET_KEY_FILE: 'key' },
    'PREVIOUS_SECRET_KEY and PREVIOUS_SECRET_KEY_FILE are both set; keep one of them.',
  ],
  [{ SECRET_KEY: secret, PREVIOUS_SECRET_KEY: secret }, 'SECRET_KEY and PREVIOUS_SECRET_KEY are the same secret.'],
  [
    { SECRET_KEY_FILE: 'key', PREVIOUS_SECRET_KEY_FILE: 'key' },
    'SECRET_KEY_FILE and PREVIOUS_SECRET_KEY_FILE are the same file.',
  ],
  [{ ADMIN_USERNAME: 'ad min' }, `ADMIN_USERNAME is ad min; ${mustBeUsername}`],
  [{ ADMIN_USERNAME: 'ab' }, `ADMIN_USERNAME is ab; ${mustBeUsername}`],
  [
    { ADMIN_USERNAME: '0123456789abcdef0123456789abcdef' },
    'ADMIN_USERNAME is 0123456789abcdef0123456789abcdef; a username cannot look like an id, 32 hexadecimal digits.',
  ],
  [{ ADMIN_PASSWORD: 'short' }, 'ADMIN_PASSWORD has 5 characters; 8 to 128 are allowed.'],
  [{ ADMIN_PASSWORD: 'x'.repeat(129) }, 'ADMIN_PASSWORD has 129 characters; 8 to 128 are allowed.'],
  [{ ADMIN_PASSWORD: 'long enough \ud800' }, 'ADMIN_PASSWORD has a lone surrogate.'],
  [{ ORGANIZATION_NAME: 'x'.repeat(251) }, 'ORGANIZATION_NAME has 251 characters; at most 250 are allowed.'],
  [{ HTTP_ERROR_STATUS: 'real' }, 'HTTP_ERROR_STATUS is real; it has to be one of envelope, match.'],
  [{ PROGRAM_PASSWORDS: 'no' }, 'PROGRAM_PASSWORDS is no; it has to be one of allowed, refused.'],
  [{ ALLOWED_ORIGINS: 'maps.example.com' }, `ALLOWED_ORIGINS has maps.example.com; ${likeAnOrigin}`],
  [{ ALLOWED_ORIGINS: 'https://a.example.com,*' }, `ALLOWED_ORIGINS has *; ${likeAnOrigin}`],
  [{ ALLOWED_ORIGINS: 'https://a.example.com/' }, `ALLOWED_ORIGINS has https://a.example.com/; ${likeAnOrigin}`],
  [{ ALLOWED_ORIGINS: 'https://a.example.com,' }, `ALLOWED_ORIGINS has an empty entry; ${likeAnOrigin}`],
  [{ TLS_CERT_FILE: 'cert.pem' }, 'TLS_CERT_FILE is set without TLS_KEY_FILE; HTTPS needs both.'],
  [{ TLS_KEY_FILE: 'key.pem' }, 'TLS_KEY_FILE is set without TLS_CERT_FILE; HTTPS needs both.'],
  integer('MAX_TOKEN_EXPIRATION_MINUTES', '0', 1, 21_600),
  integer('MAX_TOKEN_EXPIRATION_MINUTES', '21601', 1, 21_600),
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL is loud; it has to be one of fatal, error, warn, info, debug, silent.'],
  [{ LOG_LEVEL: 'INFO' }, 'LOG_LEVEL is INFO; it has to be one of fatal, error, warn, info, debug, silent.'],
  integer('METRICS_PORT', '65536', 0, 65_535),
  // As Kubernetes sets it for a service called metrics.
  integer('METRICS_PORT', 'tcp://10.0.0.1:9090', 0, 65_535),
  [{ METRICS_PORT: '8080' }, 'METRICS_PORT is 8080, the same as PORT; it has to be another one.'],
  [
    { PORT: '9464', METRICS_PORT: '9464', METRICS_HOST: '0.0.0.0' },
    'METRICS_PORT is 9464, the same as PORT; it has to be another one.',
  ],
  [{ METRICS_PORT: '0', METRICS_HOST: 'x:9464' }, `METRICS_HOST is x:9464; ${mustBeMachine}`],
  [
    { METRICS_HOST: '0.0.0.0' },
    'METRICS_HOST is 0.0.0.0, but METRICS_PORT is not set: metrics are beside the API then.',
  ],
  [{ TRUST_PROXY: '1' }, 'TRUST_PROXY is 1; it has to be one of false, true.'],
  [{ TRUST_PROXY: 'True' }, 'TRUST_PROXY is True; it has to be one of false, true.'],
  integer('RATE_LIMIT_SIGN_IN_FAILURES', '0', 1, 1_000_000),
  integer('RATE_LIMIT_SIGN_IN_MINUTES', '1441', 1, 1440),
  integer('LIMIT_GROUPS_OWNED', '0', 1, 1_000_000),
  integer('LIMIT_ANSWER_BYTES', '8 MiB', 2 * 1024 * 1024, 256 * 1024 * 1024),
  integer('AUDIT_RETENTION_DAYS', '90d', 0, 36_500),
]

/** Names that are settings misspelt, with the setting that was meant, if one is near. */
const misspelt: readonly (readonly [string, string])[] = [
  ['ADMIN_PASS', ''],
  ['ADMIN_USER_NAME', 'ADMIN_USERNAME'],
  ['ALLOWED_ORIGIN', 'ALLOWED_ORIGINS'],
  ['APPLICATION_RETENTION', ''],
  ['AUDIT_RETENTION_DAY', 'AUDIT_RETENTION_DAYS'],
  ['CARTULARY_PORT', ''],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['DATABASEURL', 'DATABASE_URL'],
  ['DATBASE_URL', 'DATABASE_URL'],
  ['HOTS', 'HOST'],
  ['HTTP_ERROR_STATES', 'HTTP_ERROR_STATUS'],
  ['LIMIT_GROUPS_OWN', 'LIMIT_GROUPS_OWNED'],
  ['LOG_LEVLE', 'LOG_LEVEL'],
  ['LOGLEVEL', 'LOG_LEVEL'],
  ['MAX_TOKEN_EXPIRATION', ''],
  ['METRICS_POTR', 'METRICS_PORT'],
  ['METRIC_PORT', 'METRICS_PORT'],
  ['ORGANISATION_NAME', 'ORGANIZATION_NAME'],
  ['ORGANIZATION_NAMES', 'ORGANIZATION_NAME'],
  ['PREVIOUS_SECRET', ''],
  ['PROT', 'PORT'],
  ['PUBLIC_ULR', 'PUBLIC_URL'],
  ['PUBLIC_URI', 'PUBLIC_URL'],
  ['Public_Url', 'PUBLIC_URL'],
  ['RATE_LIMIT_SIGNINS', ''],
  ['SECRETKEY', 'SECRET_KEY'],
  ['SECRET_KEY_PATH', ''],
  ['TLS_CERT', ''],
  ['TLS_CERT_FIL', 'TLS_CERT_FILE'],
  ['TRUST_PROXIES', ''],
]

/** Variables that other programs use, or that are set for them. */
const others: Environment = {
  CARTULARY_PORT: 'tcp://10.96.0.11:8080',
  CARTULARY_PORT_8080_TCP: 'tcp://10.96.0.11:8080',
  CARTULARY_PORT_8080_TCP_ADDR: '10.96.0.11',
  CARTULARY_PORT_8080_TCP_PORT: '8080',
  CARTULARY_SERVICE_HOST: '10.96.0.11',
  CARTULARY_SERVICE_PORT: '8080',
  CARTULARY_SERVICE_PORT_HTTP: '8080',
  HOME: '/root',
  HOSTNAME: 'x',
  HOSTS: 'x',
  LOGNAME: 'x',
  LOG_FILE: 'x',
  METRICS_ENABLED: 'true',
  NODE_ENV: 'production',
  PATH: '/bin',
  PGPORT: '5432',
  PORTS: '80',
  POST: 'x',
  PUBLIC_KEY: 'x',
  SORT: 'x',
  SSL_CERT_FILE: '/etc/ssl/cert.pem',
  TLS_SESSION: '1',
  host: 'x',
  npm_config_cache: 'x',
}

describe('one wrong setting is refused in one sentence:', () => {
  test.each(wrong)('%j', (environment, sentence) => {
    expect(refusalsOf(() => readConfig(environment))).toEqual([sentence])
  })

  test.each(misspelt)('%s, which is a misspelling', (name, meant) => {
    const hint = meant ? `; did you mean ${meant}?` : '.'
    expect(refusalsOf(() => readConfig({ [name]: 'x' }))).toEqual([`There is no setting ${name}${hint}`])
  })

  test('without what is secret', () => {
    const withSecrets = ['SECRET_KEY', 'PREVIOUS_SECRET_KEY', 'ADMIN_PASSWORD']
    for (const [environment, sentence] of wrong) {
      expect(sentence).not.toContain('geheim')
      for (const name of withSecrets) if (environment[name]) expect(sentence).not.toContain(environment[name])
    }
  })
})

test('all that is wrong is refused together', () => {
  const environment = {
    PUBLIC_ULR: 'https://maps.example.com',
    PORT: '80a',
    HOST: 'http://localhost',
    DATABASE_URL: 'maps.db',
    DATABASE_CONNECTIONS: '201',
    SECRET_KEY: 'short',
    ADMIN_USERNAME: 'ad min',
    ADMIN_PASSWORD: 'short',
    TLS_CERT_FILE: 'cert.pem',
    METRICS_PORT: 'x',
    METRICS_HOST: 'x:1',
    LOG_LEVEL: 'loud',
    LIMIT_GROUPS_OWNED: '0',
    LIMIT_MEMBERSHIPS: '0',
  }
  const sentences = refusalsOf(() => readConfig(environment))
  expect(sentences.map((sentence) => /^(There is no setting )?([A-Z_]+)/.exec(sentence)?.[2]).sort()).toEqual(
    Object.keys(environment).sort(),
  )
  expect(() => readConfig(environment)).toThrow(sentences.join('\n'))
})

test('what belongs to others is left alone', () => {
  expect(readConfig(others)).toEqual(readConfig({}))
})
