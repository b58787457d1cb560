import { type Config, readConfig, type SettingName, settings } from '../config.ts'
import { limitSettings } from '../limits.ts'
import { formatIdentityProvider } from '../settings/identity-provider.ts'
import { formatMailServer } from '../settings/mail.ts'
import { hostsOf, withHosts } from '../settings/postgres-url.ts'
import { formatWebhookSending } from '../settings/webhooks.ts'
import { requireNoArguments } from './args.ts'
import type { Terminal } from './output/terminal.ts'

const masked = '********'

/** Prints every setting as the other commands take it, in the form of a file .env: a line with # is a default. */
export async function configCommand(args: readonly string[], { environment, print }: Terminal): Promise<void> {
  requireNoArguments(args)
  const values = formatSettings(readConfig(environment))
  const lines = settings.map(({ name }) => `${environment[name]?.trim() ? '' : '#'}${name}=${values[name]}`)
  print(lines.join('\n'))
}

/** The value of each setting; secrets are masked. */
function formatSettings(config: Config): Readonly<Record<SettingName, string | number | boolean>> {
  const { database, secretKey, previousSecretKey, admin, tls, metrics, signInLimit } = config
  return {
    PORT: config.port,
    HOST: config.host,
    PUBLIC_URL: config.publicUrl ?? `${tls ? 'https' : 'http'}://localhost:${config.port || '<port>'}`,
    DATABASE_URL: database.engine === 'sqlite' ? `file:${database.file}` : maskUrl(database.url),
    DATABASE_CONNECTIONS: database.engine === 'postgres' ? database.connections : '',
    SEARCH_REPLICA: database.engine === 'postgres' ? (database.searchReplica ?? 'off') : '',
    SECRET_KEY: secretKey.kind === 'text' ? masked : '',
    SECRET_KEY_FILE: secretKey.kind === 'file' ? secretKey.path : '',
    PREVIOUS_SECRET_KEY: previousSecretKey?.kind === 'text' ? masked : '',
    PREVIOUS_SECRET_KEY_FILE: previousSecretKey?.kind === 'file' ? previousSecretKey.path : '',
    ADMIN_USERNAME: admin.username,
    ADMIN_PASSWORD: admin.password === undefined ? '' : masked,
    ORGANIZATION_NAME: config.organizationName,
    HTTP_ERROR_STATUS: config.httpErrorStatus,
    ALLOWED_ORIGINS: config.allowedOrigins?.join(',') ?? '*',
    TLS_CERT_FILE: tls?.certFile ?? '',
    TLS_KEY_FILE: tls?.keyFile ?? '',
    PROGRAM_PASSWORDS: config.takesPasswordsOfPrograms ? 'allowed' : 'refused',
    ORGANIZATION_APPS: config.membersRegisterApps ? 'members' : 'administrators',
    MAX_TOKEN_EXPIRATION_MINUTES: config.maxTokenExpirationMinutes,
    MAX_REFRESH_TOKEN_MINUTES: config.maxRefreshTokenMinutes,
    LOG_LEVEL: config.logLevel,
    METRICS_PORT: metrics?.port ?? '',
    METRICS_HOST: metrics?.host ?? '',
    TRUST_PROXY: config.trustProxy,
    DRAIN_SECONDS: config.drainSeconds,
    DATABASE_WAIT_SECONDS: config.databaseWaitSeconds,
    MIGRATION_WAIT_SECONDS: config.migrationWaitSeconds,
    RATE_LIMIT_SIGN_IN_FAILURES: signInLimit.failures,
    RATE_LIMIT_SIGN_IN_MINUTES: signInLimit.minutes,
    DISK_RESERVE_MB: config.diskReserveMegabytes,
    BACKUP_DIR: config.backup?.folder ?? '',
    BACKUP_EVERY: config.backup?.every ?? '',
    BACKUP_KEEP: config.backup?.keep ?? '',
    BACKUP_COMMAND: config.backup?.command ?? '',
    ...formatMailServer(config.mail),
    ...formatWebhookSending(config.webhooks),
    ...formatIdentityProvider(config.identityProvider),
    ...limitSettings(config.limits),
  }
}

const shownParameters = new Set(['sslmode', 'target_session_attrs'])

/** The parts of a URL that say where a database is; a password may stand before the host, and in any parameter. */
function maskUrl(text: string): string {
  // Several hosts are no host to it.
  const url = new URL(withHosts(text, 'host'))
  if (url.password) url.password = masked
  for (const name of new Set(url.searchParams.keys()))
    if (!shownParameters.has(name)) url.searchParams.set(name, masked)
  return withHosts(url.href, hostsOf(text).join(','))
}
