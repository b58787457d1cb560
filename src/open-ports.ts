import { randomBytes } from 'node:crypto'
import type { Config, SecretSetting } from './config.ts'
import type { Ports } from './http/ports.ts'
import { type HashCost, openPasswordHash } from './secrets/password-hash.ts'
import { random } from './secrets/random.ts'
import { openSeal, type Seal } from './secrets/sealed.ts'
import { readSecretFile } from './secrets/secret-file.ts'
import { openSigner } from './secrets/signature.ts'
import { openStorage } from './storage/open-storage.ts'

/** What tests put in place of the world outside. */
export interface Surroundings {
  readonly now?: () => number
  readonly random?: Ports['random']
  readonly hashCost?: HashCost
}

/** The ports with what only the making of an organization needs: the seal of its private key. */
export interface OpenPorts extends Ports {
  readonly seal: Seal
}

/** Opens the database and the secrets that the settings name. The caller closes the storage. */
export async function openPorts(config: Config, surroundings: Surroundings = {}): Promise<OpenPorts> {
  const storage = await openStorage(config.database)
  try {
    const seal = openSeal(readSecret(config.secretKey))
    return {
      storage,
      seal,
      passwords: openPasswordHash(surroundings.hashCost),
      signer: openSigner(seal),
      random: surroundings.random ?? random,
      now: surroundings.now ?? Date.now,
    }
  } catch (error) {
    await storage.close()
    throw error
  }
}

function readSecret(setting: SecretSetting): string {
  if (setting.kind === 'text') return setting.text
  return setting.kind === 'file' ? readSecretFile(setting.path) : randomBytes(32).toString('base64url')
}
