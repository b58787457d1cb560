import { tokenInvalid, tooManyRequests } from '../errors.ts'
import type { Dependencies } from '../operations/dependencies.ts'

/** The user of a token, which never changes. */
export interface TokenOwner {
  readonly userId: string
  readonly username: string
  readonly portalId: string
}

/** Finds the users of tokens; undefined for a token that does not exist. */
export type FindTokenOwner = (tokenHash: string) => Promise<TokenOwner | undefined>

/** Most tokens that are remembered with their users. */
const mostTokens = 10_000

/** Asks the storage once for each token. Whether a token is still valid is not known here: operations look it up. */
export function openTokenOwners({ storage }: Pick<Dependencies, 'storage'>): FindTokenOwner {
  const owners = new Map<string, TokenOwner>()
  return async (tokenHash) => {
    const known = owners.get(tokenHash)
    if (known) return known
    const found = await storage.read(({ tokens }) => tokens.findTokenUser(tokenHash))
    if (!found) return undefined
    const { userId, username, portalId } = found
    if (owners.size >= mostTokens) owners.clear()
    owners.set(tokenHash, { userId, username, portalId })
    return { userId, username, portalId }
  }
}

/** Runs the writes of a caller, as many as he may have in flight. */
export type RunWrite = <Output>(tokenHash: string | undefined, write: () => Promise<Output>) => Promise<Output>

const retryAfterSeconds = 1

/**
 * Limits the writes that each user has in flight, whatever the number of his tokens and connections: 429 beyond. Writes
 * without a token are limited elsewhere, by the address of a sign-in.
 */
export function limitWritesInFlight(most: number, findOwner: FindTokenOwner): RunWrite {
  const inFlight = new Map<string, number>()

  async function run<Output>(userId: string, write: () => Promise<Output>): Promise<Output> {
    const others = inFlight.get(userId) ?? 0
    if (others >= most) throw tooManyRequests('writesInFlight', retryAfterSeconds)
    inFlight.set(userId, others + 1)
    try {
      return await write()
    } finally {
      const left = inFlight.get(userId)! - 1
      if (left === 0) inFlight.delete(userId)
      else inFlight.set(userId, left)
    }
  }

  return async (tokenHash, write) => {
    if (tokenHash === undefined) return write()
    const owner = await findOwner(tokenHash)
    if (!owner) throw tokenInvalid()
    return run(owner.userId, write)
  }
}
