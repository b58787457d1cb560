import { describe, expect, test } from 'vitest'
import { settings } from '../../src/config.ts'
import { limitTable } from '../../src/limits.ts'
import { providerSettings } from '../../src/settings/identity-provider.ts'
import { mailSettings } from '../../src/settings/mail.ts'
import { webhookSettings } from '../../src/settings/webhooks.ts'
import { command } from './run-command.ts'

type Environment = Readonly<Record<string, string>>

/** The lines that the command prints. */
async function printed(environment: Environment = {}): Promise<readonly string[]> {
  const ended = await command(['config'], { LOG_LEVEL: '', ...environment })
  expect(ended).toMatchObject({ code: 0, complaint: '' })
  return ended.printed.split('\n')
}

describe('cartulary config', () => {
  test('prints every setting, in the order of the table', async () => {
    const names = (await printed()).map((line) => /^#?([A-Z_]+)=/.exec(line)?.[1])
    expect(names).toEqual(settings.map(({ name }) => name))
  })

  test('marks what is not set, and says what it is then', async () => {
    expect(await printed()).toEqual([
      '#PORT=8080',
      '#HOST=127.0.0.1',
      '#PUBLIC_URL=http://localhost:8080',
      '#DATABASE_URL=file:./data/cartulary.db',
      '#DATABASE_CONNECTIONS=',
      '#SEARCH_REPLICA=',
      '#SECRET_KEY=',
      '#SECRET_KEY_FILE=./data/cartulary.db.key',
      '#PREVIOUS_SECRET_KEY=',
      '#PREVIOUS_SECRET_KEY_FILE=',
      '#ADMIN_USERNAME=admin',
      '#ADMIN_PASSWORD=',
      '#ORGANIZATION_NAME=Cartulary',
      '#HTTP_ERROR_STATUS=envelope',
      '#ALLOWED_ORIGINS=*',
      '#TLS_CERT_FILE=',
      '#TLS_KEY_FILE=',
      '#PROGRAM_PASSWORDS=allowed',
      '#ORGANIZATION_APPS=members',
      '#MAX_TOKEN_EXPIRATION_MINUTES=21600',
      '#MAX_REFRESH_TOKEN_MINUTES=129600',
      '#LOG_LEVEL=info',
      '#METRICS_PORT=',
      '#METRICS_HOST=',
      '#TRUST_PROXY=false',
      '#DRAIN_SECONDS=0',
      '#DATABASE_WAIT_SECONDS=60',
      '#MIGRATION_WAIT_SECONDS=60',
      '#RATE_LIMIT_SIGN_IN_FAILURES=10',
      '#RATE_LIMIT_SIGN_IN_MINUTES=15',
      '#DISK_RESERVE_MB=16',
      '#BACKUP_DIR=',
      '#BACKUP_EVERY=',
      '#BACKUP_KEEP=',
      '#BACKUP_COMMAND=',
      ...mailSettings.map(({ name, default: value }) => `#${name}=${value}`),
      ...webhookSettings.map(({ name, default: value }) => `#${name}=${value}`),
      ...providerSettings.map(({ name, default: value }) => `#${name}=${value}`),
      ...Object.values(limitTable).map(({ setting, default: value }) => `#${setting}=${value}`),
    ])
  })

  /** A value of each setting but those that are masked whole. */
  const given: Environment = {
    PORT: '80',
    HOST: '0.0.0.0',
    PUBLIC_URL: 'https://maps.example.com/portal',
    DATABASE_URL:
      'postgres://db1.example.com:5432,db2.example.com/maps?sslmode=verify-full&target_session_attrs=primary',
    DATABASE_CONNECTIONS: '4',
    SEARCH_REPLICA: '/var/cache/cartulary',
    SECRET_KEY_FILE: '/run/secrets/key',
    PREVIOUS_SECRET_KEY_FILE: '/run/secrets/previous',
    ADMIN_USERNAME: 'maria',
    ORGANIZATION_NAME: 'Istituto Geografico',
    HTTP_ERROR_STATUS: 'match',
    ALLOWED_ORIGINS: 'https://a.example.com,https://b.example.com',
    TLS_CERT_FILE: 'cert.pem',
    TLS_KEY_FILE: 'key.pem',
    PROGRAM_PASSWORDS: 'refused',
    ORGANIZATION_APPS: 'administrators',
    MAX_TOKEN_EXPIRATION_MINUTES: '60',
    MAX_REFRESH_TOKEN_MINUTES: '1440',
    LOG_LEVEL: 'silent',
    METRICS_PORT: '9464',
    METRICS_HOST: '::1',
    TRUST_PROXY: 'true',
    DRAIN_SECONDS: '20',
    DATABASE_WAIT_SECONDS: '30',
    MIGRATION_WAIT_SECONDS: '3600',
    RATE_LIMIT_SIGN_IN_FAILURES: '3',
    RATE_LIMIT_SIGN_IN_MINUTES: '60',
    DISK_RESERVE_MB: '32',
    BACKUP_DIR: '/backups',
    BACKUP_EVERY: '90m',
    BACKUP_KEEP: '30',
    BACKUP_COMMAND: '/usr/local/bin/copy-away',
    MAIL_SERVER: 'smtp://maps%40example.com@mail.example.com:2525',
    MAIL_PASSWORD_FILE: '/run/secrets/mail',
    MAIL_FROM: 'maps@example.com',
    MAIL_OPERATORS: 'one@example.com,two@example.com',
    WEBHOOKS: 'on',
    WEBHOOK_ALLOWED_HOSTS: 'hook.example.com:8443,192.168.1.20,fd00::20,[fd00::20]:8443,10.0.0.0/8',
    WEBHOOK_CA_FILE: '/etc/cartulary/authorities.pem',
    OIDC_ISSUER: 'https://login.example.com/realms/maps',
    OIDC_CLIENT_ID: 'maps',
    OIDC_CLIENT_SECRET_FILE: '/run/secrets/client',
    OIDC_SCOPES: 'openid roles',
    OIDC_HOSTS: 'keys.example.com,login.example.com:8443',
    OIDC_BUTTON: 'Sign in with the ministry',
    OIDC_ORGANIZATION: 'abcdefghijklmnop',
    OIDC_USERNAME_CLAIM: 'upn',
    OIDC_LINK_CLAIM: 'oid',
    OIDC_EMAIL_DOMAINS: 'example.com,example.org',
    OIDC_CREATE_USERS: 'true',
    OIDC_ROLE_POINTER: '/realm~1access/roles~0/x',
    OIDC_ROLE_MAP: '{"/gis-admins":"org_admin","all":"org_viewer"}',
    OIDC_ROLE_UNMATCHED: 'org_viewer',
    OIDC_ROLE_AT: 'creation',
    OIDC_REQUIRED_POINTER: '/amr',
    OIDC_REQUIRED_VALUE: 'mfa',
    OIDC_SIGN_OUT: 'true',
    OIDC_PASSWORD_FORM: 'hidden',
    ...Object.fromEntries(Object.values(limitTable).map(({ setting, max }) => [setting, String(max)])),
  }

  test('prints what is set as it is set', async () => {
    const lines = await printed(given)
    expect(lines).toEqual(expect.arrayContaining(Object.entries(given).map(([name, value]) => `${name}=${value}`)))
    const isSecret = (name: string) =>
      settings.some((setting) => setting.name === name && setting.isSecret && name !== 'DATABASE_URL')
    const names = settings.map(({ name }) => name).filter((name) => !isSecret(name))
    expect(Object.keys(given).sort()).toEqual(names.sort())
  })

  test('prints what follows from other settings', async () => {
    expect(await printed({ DATABASE_URL: 'file:maps.db', TLS_CERT_FILE: 'c', TLS_KEY_FILE: 'k' })).toEqual(
      expect.arrayContaining(['#PUBLIC_URL=https://localhost:8080', '#SECRET_KEY_FILE=maps.db.key']),
    )
    expect(await printed({ DATABASE_URL: 'file::memory:', METRICS_PORT: '0', PORT: '0' })).toEqual(
      expect.arrayContaining([
        '#PUBLIC_URL=http://localhost:<port>',
        '#SECRET_KEY_FILE=',
        '#METRICS_HOST=127.0.0.1',
        'METRICS_PORT=0',
      ]),
    )
    const url = 'postgres://db.example.com/maps'
    expect(await printed({ DATABASE_URL: url, SECRET_KEY: 'any secret that is long enough for a start' })).toEqual(
      expect.arrayContaining(['#DATABASE_CONNECTIONS=16', '#SECRET_KEY_FILE=']),
    )
  })

  test('masks every secret', async () => {
    const secret = 'a-secret-that-must-not-be-seen-0123456789'
    const secrets = settings.filter((setting) => 'isSecret' in setting).map(({ name }) => name)
    expect(secrets).toEqual([
      'DATABASE_URL',
      'SECRET_KEY',
      'PREVIOUS_SECRET_KEY',
      'ADMIN_PASSWORD',
      'MAIL_PASSWORD',
      'OIDC_CLIENT_SECRET',
    ])
    const lines = await printed({
      DATABASE_URL: `postgresql://maria:${secret}@db1.example.com:1,db2.example.com/maps?password=${secret}&sslpassword=${secret}&sslmode=require`,
      SECRET_KEY: secret,
      PREVIOUS_SECRET_KEY: `${secret}, and the one before`,
      ADMIN_PASSWORD: secret,
      MAIL_SERVER: 'smtps://maps@mail.example.com',
      MAIL_PASSWORD: secret,
      MAIL_FROM: 'maps@example.com',
      OIDC_ISSUER: 'https://login.example.com',
      OIDC_CLIENT_ID: 'maps',
      OIDC_CLIENT_SECRET: secret,
    })
    expect(lines.join('\n')).not.toContain(secret)
    expect(lines).toEqual(
      expect.arrayContaining([
        'DATABASE_URL=postgresql://maria:********@db1.example.com:1,db2.example.com/maps?password=********&sslpassword=********&sslmode=require',
        'SECRET_KEY=********',
        'PREVIOUS_SECRET_KEY=********',
        'ADMIN_PASSWORD=********',
        'MAIL_PASSWORD=********',
        'OIDC_CLIENT_SECRET=********',
      ]),
    )
  })

  test('refuses settings that no server takes, in the same sentence', async () => {
    expect(await command(['config'], { PORT: '80a' })).toEqual({
      code: 1,
      printed: '',
      complaint: 'PORT is 80a; it has to be a whole number from 0 to 65535.',
    })
  })
})
