import { randomBytes } from 'node:crypto'
import { type Config, ConfigError } from './config.ts'
import type { PortalKey, SealedPortalKey } from './directory/portal.ts'
import { reasonOf } from './errors.ts'
import { openSchemaFileReader } from './file-reading/threaded-reader.ts'
import type { IdentityProvider } from './identities/provider.ts'
import { countLimits } from './limits.ts'
import type { Mailer, MailTransport } from './mail/mailer.ts'
import { openOutbox } from './mail/outbox.ts'
import { openAttention } from './operations/attention.ts'
import { type BackupRecord, openBackupRecord } from './operations/backup-record.ts'
import type { Dependencies } from './operations/dependencies.ts'
import { executeCommand, executeSearch } from './operations/execute.ts'
import { openPullWaits } from './operations/pull-waits.ts'
import { openRecentRequests } from './operations/recent-requests.ts'
import type { RefusedPlaces } from './outgoing/gate.ts'
import { openCommonPasswords, openPasswordHash } from './secrets/password-hash.ts'
import { random } from './secrets/random.ts'
import { openSeal, type Seal, SealBroken } from './secrets/sealed.ts'
import { findSecret, readSecretFile } from './secrets/secret-file.ts'
import { createPortalKey, openSigner } from './secrets/signature.ts'
import { openTicketSeal } from './secrets/tickets.ts'
import { openWebhookSecrets } from './secrets/webhook-secrets.ts'
import { urlsOf } from './settings/postgres-url.ts'
import { findSecretProblem, type GivenSecret } from './settings/secret.ts'
import { removeFirstRunFiles } from './start/first-run-files.ts'
import { openStorage } from './storage/open-storage.ts'
import type { DatabaseAccess, StartWait, Storage } from './storage/storage.ts'
import { migrations } from './storage/tables/migrations/migrations.ts'
import type { Outgoing } from './webhooks/attempts.ts'

/** Replacements for the outside world, in tests. */
export interface DependencyOverrides {
  readonly now?: () => number
  readonly random?: Dependencies['random']
  readonly passwords?: Dependencies['passwords']
  readonly createKey?: (seal: Seal) => Promise<PortalKey>
  /** Wait of a server that starts; commands wait for none. */
  readonly wait?: StartWait
}

/** The dependencies of requests, with those of commands: the seal of private keys, and new keys. */
export interface OpenDependencies extends Dependencies {
  readonly seal: Seal
  readonly backups: BackupRecord
  /** Throws ConfigError where a private key in the database does not open. */
  requireSecret(): Promise<void>
  /** A new key pair, the private half sealed. */
  createKey(): Promise<PortalKey>
}

/** Opens the database and the secrets that the settings name. The caller closes the storage. */
export async function openDependencies(
  config: Config,
  overrides: DependencyOverrides = {},
  access: DatabaseAccess = 'own',
): Promise<OpenDependencies> {
  const storage = await openStorage(
    config.database,
    config.limits,
    executeCommand(config.limits, random.id),
    executeSearch(config.limits),
    access,
    overrides.wait,
  )
  try {
    const keys = await listKeys(storage)
    const { present, previous } = readSecrets(config, keys.length > 0)
    const seal = openSeal(present, previous)
    await requireOpen(keys, seal)
    const now = overrides.now ?? Date.now
    return {
      storage,
      seal,
      digest: seal.digest,
      tickets: openTicketSeal(present, previous),
      identityProvider: await openProvider(config, now),
      mailer: await openMailer(config, now),
      requireSecret: async () => requireOpen(await listKeys(storage), seal),
      passwords: overrides.passwords ?? openPasswordHash({ maxPerAddress: config.limits.signInsOfAddress }),
      isCommonPassword: openCommonPasswords(),
      signer: openSigner(seal),
      schemaFileReader: openSchemaFileReader(),
      webhookSecrets: openWebhookSecrets(seal),
      pullWaits: openPullWaits(storage, now),
      outgoing: await openRequests(config),
      random: overrides.random ?? random,
      removeFirstRunFiles: (secret) => removeFirstRunFiles(config.database, secret),
      limits: config.limits,
      limitCounts: countLimits(),
      recentRequests: openRecentRequests(),
      attention: openAttention(),
      database: { engine: config.database.engine, migrations: Object.keys(migrations) },
      backups: openBackupRecord(),
      now,
      createKey: () => (overrides.createKey ?? createPortalKey)(seal),
    }
  } catch (error) {
    await storage.close()
    throw error
  }
}

/** The identity provider of the settings, which is not called yet. Its libraries are loaded only where one is set. */
export async function openProvider(
  { identityProvider }: Config,
  now: () => number,
): Promise<IdentityProvider | undefined> {
  if (!identityProvider) return undefined
  const secret = readSetting(identityProvider.clientSecret, 'OIDC_CLIENT_SECRET_FILE')
  const { openIdentityProvider } = await import('./identity-provider/openid-provider.ts')
  return openIdentityProvider(identityProvider, secret, now)
}

/** The transport to the mail server of the settings, which is not called yet. Its library is loaded only where one is set. */
export async function openMailTransport({ mail }: Config): Promise<MailTransport | undefined> {
  if (!mail) return undefined
  const password = readSetting(mail.password, 'MAIL_PASSWORD_FILE')
  return (await import('./mail/smtp.ts')).openSmtp(mail, password)
}

async function openMailer(config: Config, now: () => number): Promise<Mailer | undefined> {
  const transport = await openMailTransport(config)
  return transport && openOutbox(transport, now)
}

function readSetting(given: GivenSecret | undefined, name: string): string | undefined {
  if (given?.kind !== 'file') return given?.text
  const secret = readOrRefuse(given.path, findSecret)
  if (secret) return secret
  throw new ConfigError(`${name} is ${given.path}, where there is no file, or an empty one.`)
}

/** Requests to the addresses of webhooks. Their modules are loaded only where webhooks are sent. */
async function openRequests(config: Config): Promise<Outgoing | undefined> {
  const { isOn, allowedHosts, authorityFile } = config.webhooks
  if (!isOn) return undefined
  const { openOutgoing, readAuthorities } = await import('./outgoing/outgoing.ts')
  const authorities = authorityFile === undefined ? undefined : readAuthorities(authorityFile)
  return openOutgoing({ allowedHosts, refused: refusedPlaces(config), authorities })
}

/** Places that no webhook is sent to: this server, and what it depends on. */
function refusedPlaces({ publicUrl, tls, port, metrics, database, mail }: Config): RefusedPlaces {
  const hosts = database.engine === 'postgres' ? urlsOf(database.url).map((url) => new URL(url)) : []
  return {
    publicUrl: publicUrl ?? `${tls ? 'https' : 'http'}://localhost:${port}`,
    ports: [port, ...(metrics ? [metrics.port] : [])],
    services: [
      ...hosts.map((url) => ({ host: url.hostname, port: Number(url.port || 5_432) })),
      ...(mail ? [mail] : []),
    ],
  }
}

/** The sealed private keys of all organizations; none where the database is empty. */
function listKeys(storage: Storage<never>): Promise<readonly SealedPortalKey[]> {
  return storage.read(({ directory }) => directory.listPortalKeys())
}

/** Checked at the start, and not by the first invitation that cannot be signed. */
async function requireOpen(keys: readonly SealedPortalKey[], seal: Seal): Promise<void> {
  const opened = await Promise.allSettled(keys.map(({ sealedPrivateKey }) => seal.open(sealedPrivateKey)))
  const failures = opened.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  const bug = failures.find((failure) => !(failure instanceof SealBroken))
  if (bug) throw bug
  if (failures.length === 0) return
  throw new ConfigError(
    `The private keys of ${failures.length} of ${keys.length} organizations do not open: they are sealed under a secret ` +
      'that is neither in SECRET_KEY or SECRET_KEY_FILE nor in PREVIOUS_SECRET_KEY or PREVIOUS_SECRET_KEY_FILE. If that ' +
      'one is lost for good, "cartulary secret renew" says how to go on without it.',
  )
}

/** The seal of private keys alone, for commands. */
export function openSealOf(config: Config, hasKeys: boolean): Seal {
  const { present, previous } = readSecrets(config, hasKeys)
  return openSeal(present, previous)
}

/** A file of the secret is made only with a new database: later, a new secret would hide that the old one is missing. */
function readSecrets({ secretKey, previousSecretKey }: Config, hasKeys: boolean): Secrets {
  const previous = previousSecretKey && readSecret(previousSecretKey, false, requireSecretFile)
  const present =
    secretKey.kind === 'ephemeral'
      ? randomBytes(32).toString('base64url')
      : readSecret(secretKey, true, hasKeys ? requireSecretFile : readSecretFile)
  if (present === previous) throw new ConfigError('The present secret and the previous one are the same.')
  return { present, previous }
}

interface Secrets {
  readonly present: string
  readonly previous: string | undefined
}

function readSecret(setting: GivenSecret, isPresent: boolean, readFile: (path: string) => string): string {
  if (setting.kind === 'text') return setting.text
  const { path } = setting
  const secret = readOrRefuse(path, readFile)
  const problem = findSecretProblem(secret, isPresent)
  if (problem) throw new ConfigError(`The secret in ${path} ${problem}`)
  return secret
}

function requireSecretFile(path: string): string {
  const secret = findSecret(path)
  if (secret !== undefined) return secret
  throw new ConfigError(
    `The file of the secret, ${path}, is missing: the private keys in this database need it. Put it back; if it is lost ` +
      'for good, "cartulary secret renew" says how to go on without it.',
  )
}

function readOrRefuse<Secret extends string | undefined>(path: string, read: (path: string) => Secret): Secret {
  try {
    return read(path)
  } catch (error) {
    if (error instanceof ConfigError) throw error
    throw new ConfigError(`The file of the secret, ${path}, cannot be used: ${reasonOf(error)}.`)
  }
}
