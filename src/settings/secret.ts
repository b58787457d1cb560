/** The secret under which private keys are sealed, and its settings. */
import type { DatabaseSetting } from './database.ts'
import type { GivenSettings } from './given.ts'

/** A secret, or the file that has it. */
export type GivenSecret =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'file'; readonly path: string }

/** Place of the secret under which the portals' private keys are sealed. */
export type SecretSetting =
  | GivenSecret
  /** A new one at each start: for databases in memory, which do not outlive it. */
  | { readonly kind: 'ephemeral' }

/** Characters. */
const shortestSecret = 32
/** A random secret has more different characters, even one of 32 decimal digits: 999 times in 1,000. */
const minVariety = 8

/** Why a secret is refused. A previous one only has to be long enough, so that a poor one can be replaced (chosen). */
export function findSecretProblem(secret: string, isPresent: boolean): string | undefined {
  const { length } = secret
  if (length < shortestSecret) return `has ${length} characters; it has to have ${shortestSecret} or more.`
  const variety = new Set(secret).size
  if (!isPresent || variety >= minVariety) return undefined
  return (
    `can be guessed: of its ${length} characters only ${variety} differ; take a random one, such as "openssl rand -base64 32" ` +
    'prints, and replace this one by "cartulary secret rotate" if private keys are encrypted under it.'
  )
}

export function readSecret(given: GivenSettings, database: DatabaseSetting): SecretSetting {
  const secret = readGivenSecret(given, 'SECRET_KEY')
  if (secret) return secret
  if (database.engine === 'sqlite') {
    return database.file === ':memory:' ? { kind: 'ephemeral' } : { kind: 'file', path: `${database.file}.key` }
  }
  if (given.text('SECRET_KEY') === undefined) {
    given.refuse(
      'DATABASE_URL names a PostgreSQL database; set SECRET_KEY or SECRET_KEY_FILE, the same for every server that shares it.',
    )
  }
  return { kind: 'ephemeral' }
}

/** The secret or its file; undefined where neither is given, and where it is refused. */
export function readGivenSecret(
  { text, refuse }: GivenSettings,
  name: 'SECRET_KEY' | 'PREVIOUS_SECRET_KEY',
): GivenSecret | undefined {
  const secret = text(name)
  const path = text(`${name}_FILE`)
  if (secret !== undefined && path !== undefined) {
    refuse(`${name} and ${name}_FILE are both set; keep one of them.`)
  }
  if (path !== undefined) return { kind: 'file', path }
  if (secret === undefined) return undefined
  const problem = findSecretProblem(secret, name === 'SECRET_KEY')
  if (!problem) return { kind: 'text', text: secret }
  return refuse(`${name} ${problem}`)
}
