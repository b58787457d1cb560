/** The settings, from the environment to one typed value. No other module reads the environment. */

import type { ProviderSettings } from './identities/rules.ts'
import { type LimitSetting, type Limits, limitsOf, limitTable } from './limits.ts'
import { readHost, readMetrics, readOrigins, readPublicUrl, readTls } from './settings/addresses.ts'
import { type BackupSetting, readBackup } from './settings/backup.ts'
import { refuseContradictions } from './settings/contradictions.ts'
import { type DatabaseSetting, readDatabase } from './settings/database.ts'
import { parseEnvFile } from './settings/env-file.ts'
import { readOrganizationName, readPassword, readUsername } from './settings/first-administrator.ts'
import { isFormer } from './settings/former-settings.ts'
import { type GivenSettings, readChoice, readInteger } from './settings/given.ts'
import { providerSettings, readIdentityProvider } from './settings/identity-provider.ts'
import { type MailServer, mailSettings, readMailServer } from './settings/mail.ts'
import { formatUnknownSetting, isMisspelt } from './settings/misspelling.ts'
import { type GivenSecret, readGivenSecret, readSecret, type SecretSetting } from './settings/secret.ts'
import { readWebhookSending, type WebhookSending, webhookSettings } from './settings/webhooks.ts'

export interface Config {
  readonly port: number
  readonly host: string
  /** Root of every absolute URL that is printed; undefined for `http(s)://localhost:<port>`. */
  readonly publicUrl: string | undefined
  readonly database: DatabaseSetting
  readonly secretKey: SecretSetting
  /** The secret that was replaced by that one, as long as private keys are sealed under it. */
  readonly previousSecretKey: GivenSecret | undefined
  readonly admin: { readonly username: string; readonly password: string | undefined }
  readonly organizationName: string
  /** Whether API errors keep HTTP 200 (`envelope`) or take the HTTP status of their code (`match`). */
  readonly httpErrorStatus: 'envelope' | 'match'
  /** Origins that browsers may call from; `undefined` for all. */
  readonly allowedOrigins: readonly string[] | undefined
  readonly tls: { readonly certFile: string; readonly keyFile: string } | undefined
  /** Whether programs get tokens and codes for passwords. */
  readonly takesPasswordsOfPrograms: boolean
  /** Whether members register apps for their items, and not only who governs the apps. */
  readonly membersRegisterApps: boolean
  readonly maxTokenExpirationMinutes: number
  readonly maxRefreshTokenMinutes: number
  readonly logLevel: LogLevel
  /** The listener that metrics have of their own; undefined where they are served beside the API. */
  readonly metrics: { readonly port: number; readonly host: string } | undefined
  /** Whether `X-Forwarded-For` names the caller's address. */
  readonly trustProxy: boolean
  /** How long a server answers on after SIGTERM, while it is not ready. */
  readonly drainSeconds: number
  /** How long a start waits for a database that does not answer. */
  readonly databaseWaitSeconds: number
  /** How long a start waits for servers of older versions to end, before it changes the tables. */
  readonly migrationWaitSeconds: number
  /** Undefined where users sign in with passwords alone. */
  readonly identityProvider: ProviderSettings | undefined
  /** Undefined where no mail is sent. */
  readonly mail: MailServer | undefined
  readonly webhooks: WebhookSending
  readonly signInLimit: { readonly failures: number; readonly minutes: number }
  /** Size of the file that is deleted when the disk is full; 0 for none. */
  readonly diskReserveMegabytes: number
  /** Undefined where no backups are made. */
  readonly backup: BackupSetting | undefined
  readonly limits: Limits
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/** Error with the mistakes in the settings, one sentence each, for the operator. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly refusals: readonly string[]

  constructor(...refusals: readonly string[]) {
    super(refusals.join('\n'))
    this.refusals = refusals
  }
}

/** One setting as it is documented. */
export interface Setting {
  readonly name: string
  readonly default: string
  readonly meaning: string
  readonly isSecret?: true
}

const ownSettings = [
  { name: 'PORT', default: '8080', meaning: 'TCP port, 0 for any free one.' },
  {
    name: 'HOST',
    default: '127.0.0.1',
    meaning: 'Address to listen on; 0.0.0.0 for every one. Outside this machine only together with PUBLIC_URL.',
  },
  {
    name: 'PUBLIC_URL',
    default: 'http://localhost:<PORT>',
    meaning:
      'Root of every URL that is printed; a path in it is the context. The API is below <PUBLIC_URL>/sharing/rest.',
  },
  {
    name: 'DATABASE_URL',
    default: 'file:./data/cartulary.db',
    meaning:
      'A SQLite file; file::memory: for one that is gone with the process; or postgres://user:password@host:port/database, which several servers may share.',
    isSecret: true,
  },
  {
    name: 'DATABASE_CONNECTIONS',
    default: '16',
    meaning: 'PostgreSQL only: the most connections that this server opens, besides one that listens. 1 to 200.',
  },
  {
    name: 'SEARCH_REPLICA',
    default: 'auto',
    meaning:
      'PostgreSQL only: where this server keeps a copy of the index of items, from which it answers searches and counts as fast as on SQLite. A folder; auto for that of temporary files, once there are 5,000 items; off for none.',
  },
  {
    name: 'SECRET_KEY',
    default: '',
    meaning:
      'Secret of at least 32 characters under which private keys are encrypted. Spaces around it do not count, nor in its file.',
    isSecret: true,
  },
  {
    name: 'SECRET_KEY_FILE',
    default: '<database file>.key',
    meaning:
      'File with that secret, made at the first start with mode 0600. Not together with SECRET_KEY. With PostgreSQL one of both has to be set, and the same for every server.',
  },
  {
    name: 'PREVIOUS_SECRET_KEY',
    default: '',
    meaning: 'The secret before that one, while it is replaced: private keys that are encrypted under it still open.',
    isSecret: true,
  },
  {
    name: 'PREVIOUS_SECRET_KEY_FILE',
    default: '',
    meaning: 'File with the secret before. Not together with PREVIOUS_SECRET_KEY.',
  },
  { name: 'ADMIN_USERNAME', default: 'admin', meaning: 'First administrator; used only on an empty database.' },
  {
    name: 'ADMIN_PASSWORD',
    default: '',
    meaning:
      'Password of the first administrator; without one it is generated, and shown once on the terminal or put into <database file>.password.',
    isSecret: true,
  },
  { name: 'ORGANIZATION_NAME', default: 'Cartulary', meaning: 'First organization; used only on an empty database.' },
  {
    name: 'HTTP_ERROR_STATUS',
    default: 'envelope',
    meaning: 'envelope: API errors are HTTP 200, as clients expect; match: they take the HTTP status of their code.',
  },
  {
    name: 'ALLOWED_ORIGINS',
    default: '*',
    meaning: 'Origins that browsers may call from, separated by commas; * for every one.',
  },
  { name: 'TLS_CERT_FILE', default: '', meaning: 'Certificate chain in PEM; with TLS_KEY_FILE, HTTPS is served.' },
  { name: 'TLS_KEY_FILE', default: '', meaning: 'Private key in PEM.' },
  {
    name: 'PROGRAM_PASSWORDS',
    default: 'allowed',
    meaning:
      'refused: no tokens for passwords by generateToken, and no codes that are shown to be copied; sign-in is only by apps with an address, and the directory pages show what anonymous callers may see.',
  },
  {
    name: 'ORGANIZATION_APPS',
    default: 'members',
    meaning:
      'Who registers apps, by one of which users give a program all that they may do: members, for their items; or administrators alone, with custom roles that hold portal:admin:manageSecurity.',
  },
  {
    name: 'MAX_TOKEN_EXPIRATION_MINUTES',
    default: '21600',
    meaning: 'Longest life of a token, in minutes, 1 to 21600.',
  },
  {
    name: 'MAX_REFRESH_TOKEN_MINUTES',
    default: '129600',
    meaning: 'Longest life of a refresh token of an app, in minutes, 1 to 129600, which is 90 days.',
  },
  { name: 'LOG_LEVEL', default: 'info', meaning: `Least level that is logged: ${logLevels.join(', ')}.` },
  {
    name: 'METRICS_PORT',
    default: '',
    meaning:
      'TCP port on which /metrics is served alone, over plain HTTP, 0 for any free one; without it, /metrics is beside the API.',
  },
  {
    name: 'METRICS_HOST',
    default: '127.0.0.1',
    meaning: 'Address for METRICS_PORT to listen on. Only together with it.',
  },
  {
    name: 'TRUST_PROXY',
    default: 'false',
    meaning:
      'true behind a reverse proxy that sets X-Forwarded-For: its last entry is the address of the caller then, and its X-Request-Id the id of the request. To be set, true or false, where PUBLIC_URL is https and there is no certificate.',
  },
  {
    name: 'DRAIN_SECONDS',
    default: '',
    meaning:
      'How long the server answers on after SIGTERM, 0 to 300, while /health/ready says that it ends; in the last 1.5 seconds of it, requests that a proxy can send elsewhere are answered 503. 5 by default with PostgreSQL, which several servers may share, and 0 with SQLite.',
  },
  {
    name: 'DATABASE_WAIT_SECONDS',
    default: '60',
    meaning:
      'PostgreSQL only: how long a start waits for a database that does not answer, 0 to 86400, before it ends. Meanwhile /health/live answers 200 and everything else 503.',
  },
  {
    name: 'MIGRATION_WAIT_SECONDS',
    default: '60',
    meaning:
      'PostgreSQL only: how long a start that has to change the tables waits for servers of other versions to end, 0 to 86400. If they still run, it names them and ends, and nothing is changed.',
  },
  {
    name: 'RATE_LIMIT_SIGN_IN_FAILURES',
    default: '10',
    meaning: 'Failed sign-ins for one account from one address, within the minutes below, before 429.',
  },
  { name: 'RATE_LIMIT_SIGN_IN_MINUTES', default: '15', meaning: 'See above.' },
  {
    name: 'DISK_RESERVE_MB',
    default: '16',
    meaning:
      'SQLite only: size in MB of a file beside the database that takes room, to be deleted when the disk is full. 0 for none.',
  },
  {
    name: 'BACKUP_DIR',
    default: '',
    meaning:
      'Folder into which the server makes backups by itself, as SQLite files, of one database; servers that share a database share the folder. One in which every user of the machine may write (without the sticky bit) is refused. Without it, none are made.',
  },
  {
    name: 'BACKUP_EVERY',
    default: '24h',
    meaning:
      'How long after a backup the next one is made: minutes, hours or days, such as 30m, 24h or 7d. Only with BACKUP_DIR.',
  },
  {
    name: 'BACKUP_KEEP',
    default: '7',
    meaning:
      'How many of the latest backups are kept; older ones are removed when a new one is complete. Only with BACKUP_DIR.',
  },
  {
    name: 'BACKUP_COMMAND',
    default: '',
    meaning:
      'Whole path of a program that runs after each backup, without a shell and with the path of the backup as its only argument: to copy it to another machine. Only with BACKUP_DIR.',
  },
  ...mailSettings,
  ...webhookSettings,
  ...providerSettings,
] as const satisfies readonly Setting[]

export type SettingName = (typeof ownSettings)[number]['name'] | LimitSetting

/** Every setting there is. */
export const settings: readonly (Setting & { readonly name: SettingName })[] = [
  ...ownSettings,
  ...Object.values(limitTable).map((limit) => ({
    name: limit.setting,
    default: String(limit.default),
    meaning: limit.meaning,
  })),
]

const names: ReadonlySet<string> = new Set(settings.map(({ name }) => name))
const defaults: ReadonlyMap<string, string> = new Map(settings.map((setting) => [setting.name, setting.default]))

/** Names and values of variables. */
export type Environment = Readonly<Record<string, string | undefined>>

const maxTokenMinutes = 21_600
const maxRefreshMinutes = 90 * 24 * 60

/** Reads every setting, or throws ConfigError with a sentence for each that is unknown, malformed or contradictory. */
export function readConfig(environment: Environment): Config {
  const { config, refusals } = parseConfig(environment)
  if (refusals.length > 0) throw new ConfigError(...refusals)
  return config
}

/** Reads every setting. One that is refused has its default, so that what is wrong with others is found, too. */
export function parseConfig(environment: Environment): {
  readonly config: Config
  readonly refusals: readonly string[]
} {
  const refusals: string[] = []
  const given = openGiven(environment, refusals)
  for (const [name, value] of Object.entries(environment)) {
    if (!names.has(name) && !isFormer(name) && isMisspelt(name, value, names))
      given.refuse(formatUnknownSetting(name, names))
  }

  const tls = readTls(given)
  const database = readDatabase(given)
  const username = readUsername(given)
  const organization = readOrganizationName(given)
  const publicUrl = readPublicUrl(given, tls !== undefined)
  const config: Config = {
    port: readInteger(given, 'PORT', 0, 65_535),
    host: readHost(given, 'HOST'),
    publicUrl,
    database,
    secretKey: readSecret(given, database),
    previousSecretKey: readGivenSecret(given, 'PREVIOUS_SECRET_KEY'),
    admin: {
      username,
      password: readPassword(given, environment['ADMIN_PASSWORD'] || undefined),
    },
    organizationName: organization,
    httpErrorStatus: readChoice(given, 'HTTP_ERROR_STATUS', ['envelope', 'match']),
    allowedOrigins: readOrigins(given),
    tls,
    takesPasswordsOfPrograms: readChoice(given, 'PROGRAM_PASSWORDS', ['allowed', 'refused']) !== 'refused',
    membersRegisterApps: readChoice(given, 'ORGANIZATION_APPS', ['members', 'administrators']) === 'members',
    maxTokenExpirationMinutes: readInteger(given, 'MAX_TOKEN_EXPIRATION_MINUTES', 1, maxTokenMinutes),
    maxRefreshTokenMinutes: readInteger(given, 'MAX_REFRESH_TOKEN_MINUTES', 1, maxRefreshMinutes),
    logLevel: readChoice(given, 'LOG_LEVEL', logLevels),
    metrics: readMetrics(given),
    trustProxy: readChoice(given, 'TRUST_PROXY', ['false', 'true']) === 'true',
    drainSeconds: readDrainSeconds(given, database),
    databaseWaitSeconds: readInteger(given, 'DATABASE_WAIT_SECONDS', 0, 86_400),
    migrationWaitSeconds: readInteger(given, 'MIGRATION_WAIT_SECONDS', 0, 86_400),
    identityProvider: readIdentityProvider(given, publicUrl),
    mail: readMailServer(given),
    webhooks: readWebhookSending(given),
    signInLimit: {
      failures: readInteger(given, 'RATE_LIMIT_SIGN_IN_FAILURES', 1, 1_000_000),
      minutes: readInteger(given, 'RATE_LIMIT_SIGN_IN_MINUTES', 1, 1440),
    },
    diskReserveMegabytes: readInteger(given, 'DISK_RESERVE_MB', 0, 1_024),
    backup: readBackup(given, database),
    limits: limitsOf(({ setting, min, max }) => readInteger(given, setting, min, max)),
  }
  refuseContradictions(given, config)
  return { config, refusals }
}

/** Requests of a restart without other servers are better sent again than answered late. */
function readDrainSeconds(given: GivenSettings, { engine }: DatabaseSetting): number {
  if (given.text('DRAIN_SECONDS') !== undefined) return readInteger(given, 'DRAIN_SECONDS', 0, 300)
  return engine === 'postgres' ? 5 : 0
}

/** The database that a URL names, or ConfigError; `name` is what a refusal calls the URL. */
export function readDatabaseUrl(url: string, name: string): DatabaseSetting {
  const refusals: string[] = []
  const database = readDatabase(openGiven({ DATABASE_URL: url }, refusals), name)
  if (refusals.length > 0) throw new ConfigError(...refusals)
  return database
}

function openGiven(environment: Environment, refusals: string[]): GivenSettings {
  const text = (name: string) => environment[name]?.trim() || undefined
  const defaultOf = (name: string) => defaults.get(name)!
  return {
    text,
    value: (name) => text(name) ?? defaultOf(name),
    defaultOf,
    refuse(sentence) {
      refusals.push(sentence)
      return undefined
    },
  }
}

/** Returns the problem of a name that no setting has, nor had. */
function findNameProblem(name: string): string | undefined {
  return names.has(name) || isFormer(name) ? undefined : formatUnknownSetting(name, names)
}

/**
 * The environment with the settings of a file `.env`, over which it wins. Throws ConfigError if lines of the file are wrong,
 * and then with all that is wrong with the settings, too.
 */
export function addEnvFile(environment: Environment, file: Uint8Array): Environment {
  const { values, refusals } = parseEnvFile(file, findNameProblem)
  const all = { ...values, ...environment }
  if (refusals.length > 0) throw new ConfigError(...refusals, ...parseConfig(all).refusals)
  return all
}
