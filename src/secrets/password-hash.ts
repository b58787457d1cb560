import { availableParallelism } from 'node:os'
import { argon2id, hash, verify } from 'argon2'
import { tooManyRequests } from '../errors.ts'
import { defaultLimits } from '../limits.ts'
import { measuredQueue } from '../queue.ts'
import { type PasswordHash, PasswordsBusy } from '../tokens/password.ts'

/** Costs of one hash: memory in KiB, rounds, lanes. */
export interface HashCost {
  readonly memoryCost: number
  readonly timeCost: number
  readonly parallelism: number
}

/** The second recommended choice of RFC 9106 is 64 MiB and 3 rounds; OWASP's 19 MiB and 2 suits a small server. */
const hashCost: HashCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** One core is left to everything else; a password that would wait longer is refused (chosen). */
const hashesAtOnce = Math.max(1, availableParallelism() - 1)
const longestWaitMilliseconds = 2_500
/** Hashes of one client take far less than a second each. */
const secondsUntilTurn = 1

export interface PasswordHashOptions {
  readonly cost?: HashCost
  readonly atOnce?: number
  /** Most passwords of one client that wait. */
  readonly mostPerClient?: number
}

/** Passwords by argon2id, on the thread pool. */
export function openPasswordHash({
  cost = hashCost,
  atOnce = hashesAtOnce,
  mostPerClient = defaultLimits.signInsOfAddress,
}: PasswordHashOptions = {}): PasswordHash {
  const options = { ...cost, type: argon2id as 2 }
  let decoy: Promise<string> | undefined

  /** Compared where there is no user, so that the answer takes as long as for a wrong password. */
  function hashDecoy(): Promise<string> {
    decoy ??= hash('a password of no user', options).catch((error: unknown) => {
      decoy = undefined
      throw error
    })
    return decoy
  }

  const queue = measuredQueue({
    atOnce,
    mostPerKey: mostPerClient,
    full: () => tooManyRequests('signInsOfAddress', secondsUntilTurn),
    longestWaitMilliseconds,
    busy: () => new PasswordsBusy(),
  })
  return {
    hash: (password, turnOf) => queue.run(turnOf, () => hash(password, options)),
    verify: (password, passwordHash, turnOf) =>
      queue.runSoon(turnOf, async () => {
        const matches = await verify(passwordHash ?? (await hashDecoy()), password)
        return matches && passwordHash !== undefined
      }),
  }
}
