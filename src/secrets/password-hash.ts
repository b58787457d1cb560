import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { argon2id, hash, verify } from 'argon2'
import { tooManyRequests } from '../errors.ts'
import { defaultLimits } from '../limits.ts'
import { fairQueue, measuredQueue } from '../queue.ts'
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
const maxWaitMilliseconds = 2_500
/** A hash takes far less than a second. */
const secondsUntilTurn = 1

export interface PasswordHashOptions {
  readonly cost?: HashCost
  readonly atOnce?: number
  /** Maximum number of passwords of one address that wait. */
  readonly maxPerAddress?: number
}

/** Passwords by argon2id, on the thread pool. */
export function openPasswordHash({
  cost = hashCost,
  atOnce = hashesAtOnce,
  maxPerAddress = defaultLimits.signInsOfAddress,
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

  const full = (address: string) =>
    tooManyRequests('signInsOfAddress', secondsUntilTurn, { bucket: `turns of ${address}` })
  /** The turns of known and unknown addresses; within each, those of the addresses. */
  const processor = fairQueue({ atOnce, maxPerKey: atOnce, full })
  const openTurns = () =>
    measuredQueue({
      atOnce,
      maxPerKey: maxPerAddress,
      full,
      maxWaitMilliseconds,
      busy: () => new PasswordsBusy(),
    })
  const known = openTurns()
  const unknown = openTurns()
  return {
    hash: (password, address) => known.run(address, () => processor.run('known', () => hash(password, options))),
    verify(password, passwordHash, { address, isKnownAddress }) {
      async function compare(): Promise<boolean> {
        const matches = await verify(passwordHash ?? (await hashDecoy()), password)
        return matches && passwordHash !== undefined
      }
      if (isKnownAddress) return known.runSoon(address, () => processor.run('known', compare))
      return unknown.runSoon(address, () => processor.run('unknown', compare))
    },
  }
}

/** The common passwords of 8 characters or more, in lower case: one on a line of the file, which says beside it where it is from. */
export function listCommonPasswords(): readonly string[] {
  return readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
}

/** Recognizes common passwords, whatever their case. The list is read when the first password is judged. */
export function openCommonPasswords(): (password: string) => boolean {
  let common: ReadonlySet<string> | undefined
  return (password) => {
    common ??= new Set(listCommonPasswords())
    return common.has(password.toLowerCase())
  }
}
