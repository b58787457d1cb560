/** The settings, from the environment to one typed value. No other module reads the environment. */

import { type LimitSetting, type Limits, limitsOf, limitTable } from './limits.ts'

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
  readonly maxTokenExpirationMinutes: number
  readonly logLevel: LogLevel
  /** The listener that metrics have of their own; undefined where they are served beside the API. */
  readonly metrics: { readonly port: number; readonly host: string } | undefined
  /** Whether `X-Forwarded-For` names the caller's address. */
  readonly trustProxy: boolean
  readonly signInLimit: { readonly failures: number; readonly minutes: number }
  readonly limits: Limits
}

export type DatabaseSetting =
  | {
      readonly engine: 'sqlite'
      /** A path, or `:memory:`. */
      readonly file: string
    }
  | {
      readonly engine: 'postgres'
      /** With the password in it. */
      readonly url: string
      /** Most that this server opens. */
      readonly connections: number
    }

/** A secret, or the file that has it. */
export type GivenSecret =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'file'; readonly path: string }

/** Where the secret is under which the portals' private keys are sealed. */
export type SecretSetting =
  | GivenSecret
  /** A new one at each start: for databases in memory, which do not outlive it. */
  | { readonly kind: 'ephemeral' }

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/** One sentence for the operator. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
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
  { name: 'HOST', default: '127.0.0.1', meaning: 'Address to listen on; 0.0.0.0 for every one.' },
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
    name: 'SECRET_KEY',
    default: '',
    meaning: 'Secret of at least 32 characters under which private keys are encrypted.',
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
    meaning: 'Password of the first administrator; without one it is generated and printed once.',
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
    name: 'MAX_TOKEN_EXPIRATION_MINUTES',
    default: '21600',
    meaning: 'Longest life of a token, in minutes, 1 to 21600.',
  },
  { name: 'LOG_LEVEL', default: 'info', meaning: `${logLevels.join(', ')}.` },
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
    meaning: 'true behind a reverse proxy that sets X-Forwarded-For: its last entry is the address of the caller then.',
  },
  {
    name: 'RATE_LIMIT_SIGN_IN_FAILURES',
    default: '10',
    meaning: 'Failed sign-ins for one account from one address, within the minutes below, before 429.',
  },
  { name: 'RATE_LIMIT_SIGN_IN_MINUTES', default: '15', meaning: 'See above.' },
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
type Environment = Readonly<Record<string, string | undefined>>

/** How our names begin: an unknown name that begins so is a misspelling. */
const ours =
  /^(ADMIN_|ALLOWED_ORIGIN|AUDIT_RET|CARTULARY_|DELETED_GROUP|DATABASE_(UR|CONN)|HTTP_ERROR|LIMIT_|MAX_TOKEN|METRICS?_(HO|PO)|ORGANIZATION_NAME|PREVIOUS_SECRET|PUBLIC_UR|RATE_LIMIT|SECRET_KEY|TLS_(CERT|KEY)|TRUST_PROX)/

const longestTokenMinutes = 21_600
/** In characters. */
const shortestSecret = 32
/** A random secret has more different characters, even one of 32 decimal digits: 999 times in 1,000. */
const leastVariety = 8

/** Why a secret is refused. A previous one only has to be long enough, so that a poor one can be replaced (chosen). */
export function findSecretProblem(secret: string, isPresent: boolean): string | undefined {
  const { length } = secret
  if (length < shortestSecret) return `has ${length} characters; it has to have ${shortestSecret} or more.`
  const variety = new Set(secret).size
  if (!isPresent || variety >= leastVariety) return undefined
  return (
    `can be guessed: of its ${length} characters only ${variety} differ; take a random one, such as "openssl rand -base64 32" ` +
    'prints, and replace this one by "cartulary secret rotate" if private keys are encrypted under it.'
  )
}

/** Reads every setting, or throws ConfigError for the first that is unknown, malformed or contradictory. */
export function readConfig(environment: Environment): Config {
  const known: ReadonlySet<string> = new Set(settings.map(({ name }) => name))
  const unknown = Object.keys(environment).find((name) => ours.test(name) && !known.has(name))
  if (unknown) throw new ConfigError(`Unknown setting ${unknown}.`)

  const text = (name: SettingName): string | undefined => environment[name]?.trim() || undefined
  const port = readInteger(text, 'PORT', 0, 65_535)
  const tls = readTls(text)
  const database = readDatabase(text)
  return {
    port,
    host: text('HOST') ?? defaultOf('HOST'),
    publicUrl: readPublicUrl(text('PUBLIC_URL'), tls !== undefined),
    database,
    secretKey: readSecret(text, database),
    previousSecretKey: readGivenSecret(text, 'PREVIOUS_SECRET_KEY'),
    admin: { username: text('ADMIN_USERNAME') ?? defaultOf('ADMIN_USERNAME'), password: readPassword(environment) },
    organizationName: text('ORGANIZATION_NAME') ?? defaultOf('ORGANIZATION_NAME'),
    httpErrorStatus: readChoice(text, 'HTTP_ERROR_STATUS', ['envelope', 'match']),
    allowedOrigins: readOrigins(text('ALLOWED_ORIGINS') ?? defaultOf('ALLOWED_ORIGINS')),
    tls,
    maxTokenExpirationMinutes: readInteger(text, 'MAX_TOKEN_EXPIRATION_MINUTES', 1, longestTokenMinutes),
    logLevel: readChoice(text, 'LOG_LEVEL', logLevels),
    metrics: readMetrics(text),
    trustProxy: readChoice(text, 'TRUST_PROXY', ['false', 'true']) === 'true',
    signInLimit: {
      failures: readInteger(text, 'RATE_LIMIT_SIGN_IN_FAILURES', 1, 1_000_000),
      minutes: readInteger(text, 'RATE_LIMIT_SIGN_IN_MINUTES', 1, 1440),
    },
    limits: limitsOf(({ setting, least, most }) => readInteger(text, setting, least, most)),
  }
}

type ReadText = (name: SettingName) => string | undefined

function defaultOf(name: SettingName): string {
  return settings.find((setting) => setting.name === name)!.default
}

function readInteger(text: ReadText, name: SettingName, least: number, most: number): number {
  const given = text(name) ?? defaultOf(name)
  const value = Number(given)
  if (/^\d+$/.test(given) && value >= least && value <= most) return value
  throw new ConfigError(`${name} is ${given}; it has to be a whole number from ${least} to ${most}.`)
}

function readChoice<Choice extends string>(text: ReadText, name: SettingName, choices: readonly Choice[]): Choice {
  const given = text(name) ?? defaultOf(name)
  const choice = choices.find((known) => known === given)
  if (choice) return choice
  throw new ConfigError(`${name} is ${given}; it has to be one of ${choices.join(', ')}.`)
}

function readPublicUrl(text: string | undefined, isTls: boolean): string | undefined {
  if (text === undefined) return undefined
  if (!URL.canParse(text)) throw new ConfigError(`PUBLIC_URL is ${text}; it has to be an absolute URL.`)
  const url = new URL(text)
  if (!/^https?:$/.test(url.protocol) || url.search || url.hash || url.username || url.password) {
    // Without the URL itself: it may have a password in it.
    throw new ConfigError('PUBLIC_URL has to be an http or https URL without query, hash or user.')
  }
  if (!/^(\/[\w.~-]+)*\/?$/.test(url.pathname)) {
    const rule = 'it may have letters, digits, dots, hyphens, underscores and tildes between single slashes'
    throw new ConfigError(`PUBLIC_URL has the path ${url.pathname}; ${rule}.`)
  }
  if (isTls && url.protocol === 'http:') {
    throw new ConfigError('PUBLIC_URL begins with http:, but TLS_CERT_FILE makes the server speak https only.')
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
}

/** The database that the setting names; `name` is what a refusal calls the setting. */
export function readDatabase(text: ReadText, name = 'DATABASE_URL'): DatabaseSetting {
  const url = text('DATABASE_URL') ?? defaultOf('DATABASE_URL')
  const connections = readInteger(text, 'DATABASE_CONNECTIONS', 1, 200)
  if (/^postgres(ql)?:/.test(url)) {
    // Without the URL itself: it may have a password in it.
    if (!URL.canParse(url)) throw new ConfigError(`${name} begins with "postgres:", but is not a URL.`)
    return { engine: 'postgres', url, connections }
  }
  if (text('DATABASE_CONNECTIONS') !== undefined) {
    throw new ConfigError('DATABASE_CONNECTIONS is set, but DATABASE_URL names no PostgreSQL database.')
  }
  const file = /^file:(?:\/\/(?=\/))?(.+)$/.exec(url)?.[1]
  if (file === undefined || /[?#]/.test(file)) {
    const scheme = /^\w+:/.exec(url)?.[0] ?? ''
    throw new ConfigError(`${name} begins with "${scheme}"; it has to be file:<path>, file::memory: or postgres://….`)
  }
  return { engine: 'sqlite', file }
}

function readSecret(text: ReadText, database: DatabaseSetting): SecretSetting {
  const given = readGivenSecret(text, 'SECRET_KEY')
  if (given) return given
  if (database.engine === 'postgres') {
    throw new ConfigError(
      'DATABASE_URL names a PostgreSQL database; set SECRET_KEY or SECRET_KEY_FILE, the same for every server that shares it.',
    )
  }
  return database.file === ':memory:' ? { kind: 'ephemeral' } : { kind: 'file', path: `${database.file}.key` }
}

function readGivenSecret(text: ReadText, name: 'SECRET_KEY' | 'PREVIOUS_SECRET_KEY'): GivenSecret | undefined {
  const secret = text(name)
  const path = text(`${name}_FILE`)
  if (secret !== undefined && path !== undefined) {
    throw new ConfigError(`${name} and ${name}_FILE are both set; keep one of them.`)
  }
  if (path !== undefined) return { kind: 'file', path }
  if (secret === undefined) return undefined
  const problem = findSecretProblem(secret, name === 'SECRET_KEY')
  if (problem) throw new ConfigError(`${name} ${problem}`)
  return { kind: 'text', text: secret }
}

/** The password as it is, spaces included. */
function readPassword(environment: Environment): string | undefined {
  return environment['ADMIN_PASSWORD'] || undefined
}

function readMetrics(text: ReadText): Config['metrics'] {
  const host = text('METRICS_HOST')
  if (text('METRICS_PORT') !== undefined) {
    return { port: readInteger(text, 'METRICS_PORT', 0, 65_535), host: host ?? defaultOf('METRICS_HOST') }
  }
  if (host === undefined) return undefined
  throw new ConfigError(`METRICS_HOST is ${host}, but METRICS_PORT is not set: metrics are beside the API then.`)
}

function readTls(text: ReadText): Config['tls'] {
  const certFile = text('TLS_CERT_FILE')
  const keyFile = text('TLS_KEY_FILE')
  if (certFile && keyFile) return { certFile, keyFile }
  if (!certFile && !keyFile) return undefined
  throw new ConfigError('TLS_CERT_FILE and TLS_KEY_FILE go together; only one of them is set.')
}

function readOrigins(text: string): readonly string[] | undefined {
  if (text === '*') return undefined
  return text.split(',').map((entry) => {
    const origin = entry.trim()
    if (URL.canParse(origin) && new URL(origin).origin === origin) return origin
    throw new ConfigError(`ALLOWED_ORIGINS has ${origin}; an origin is like https://maps.example.com.`)
  })
}
