import { randomBytes } from 'node:crypto'
import { type Config, ConfigError, type SecretSetting, shortestSecret } from './config.ts'
import type { PortalKey } from './directory/portal.ts'
import { reasonOf } from './errors.ts'
import type { Dependencies } from './operations/dependencies.ts'
import { executeCommand } from './operations/execute.ts'
import { openPasswordHash } from './secrets/password-hash.ts'
import { random } from './secrets/random.ts'
import { openSeal, type Seal, SealBroken } from './secrets/sealed.ts'
import { findSecret, readSecretFile } from './secrets/secret-file.ts'
import { createPortalKey, openSigner } from './secrets/signature.ts'
import { openStorage } from './storage/open-storage.ts'
import type { Storage } from './storage/storage.ts'

/** What tests put in place of the world outside. */
export interface DependencyOverrides {
  readonly now?: () => number
  readonly random?: Dependencies['random']
  readonly passwords?: Dependencies['passwords']
  readonly createKey?: (seal: Seal) => Promise<PortalKey>
}

/** The ports with what only the making of an organization needs: the seal of its private key, and the key. */
export interface OpenDependencies extends Dependencies {
  readonly seal: Seal
  /** Throws SettingRefused where the secret does not open the key of the first organization. */
  requireSecret(): Promise<void>
  /** A new key pair, the private half sealed. */
  createKey(): Promise<PortalKey>
}

/** Opens the database and the secrets that the settings name. The caller closes the storage. */
export async function openDependencies(config: Config, overrides: DependencyOverrides = {}): Promise<OpenDependencies> {
  const storage = await openStorage(config.database, executeCommand)
  try {
    const key = await findFirstKey(storage)
    if (key && config.secretKey.kind === 'file') requireSecretFile(config.secretKey.path)
    const seal = openSeal(readSecret(config.secretKey))
    if (key) requireSecretOf(key, seal)
    return {
      storage,
      seal,
      async requireSecret() {
        const first = await findFirstKey(storage)
        if (first) requireSecretOf(first, seal)
      },
      passwords: overrides.passwords ?? openPasswordHash(),
      signer: openSigner(seal),
      random: overrides.random ?? random,
      now: overrides.now ?? Date.now,
      createKey: () => (overrides.createKey ?? createPortalKey)(seal),
    }
  } catch (error) {
    await storage.close()
    throw error
  }
}

/** The key of the first organization; undefined where the database is empty. */
function findFirstKey(storage: Storage<never>): Promise<PortalKey | undefined> {
  return storage.read(async ({ directory }) => {
    const portal = await directory.findDefaultPortal()
    return portal && directory.findPortalKey(portal.portalId)
  })
}

/** A database that was copied without its secret is told so; a new secret would only hide it. */
function requireSecretFile(path: string): void {
  if (readOrRefuse(path, findSecret) !== undefined) return
  throw new ConfigError(`The file of the secret, ${path}, is missing: the private keys in this database need it.`)
}

/** A wrong secret is told at the start, and not by the first invitation that cannot be signed. */
function requireSecretOf(key: PortalKey, seal: Seal): void {
  try {
    seal.open(key.sealedPrivateKey)
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error
    throw new ConfigError(
      'SECRET_KEY or SECRET_KEY_FILE is not the one that this database was made with: its private keys do not open.',
    )
  }
}

function readSecret(setting: SecretSetting): string {
  if (setting.kind === 'text') return setting.text
  return setting.kind === 'file' ? readSecretFrom(setting.path) : randomBytes(32).toString('base64url')
}

function readSecretFrom(path: string): string {
  const secret = readOrRefuse(path, readSecretFile)
  if (secret.length >= shortestSecret) return secret
  throw new ConfigError(
    `The secret in ${path} has ${secret.length} characters; it has to have ${shortestSecret} or more.`,
  )
}

function readOrRefuse<Secret>(path: string, read: (path: string) => Secret): Secret {
  try {
    return read(path)
  } catch (error) {
    throw new ConfigError(`The file of the secret, ${path}, cannot be used: ${reasonOf(error)}.`)
  }
}
