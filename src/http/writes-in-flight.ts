import { tokenInvalid, tooManyRequests } from '../errors.ts'
import type { Limits } from '../limits.ts'
import type { Dependencies } from '../operations/dependencies.ts'

/** The user of a token, which never changes. */
export interface TokenOwner {
  readonly userId: string
  readonly username: string
  readonly portalId: string
}

/** Finds the users of tokens, at once where one is remembered; undefined for a token that does not exist. */
export type FindTokenOwner = (tokenHash: string) => TokenOwner | Promise<TokenOwner | undefined>

/** Most tokens that are remembered with their users. */
const mostTokens = 10_000

/** Asks the storage once for each token. Whether a token is still valid is not known here: operations look it up. */
export function openTokenOwners({ storage }: Pick<Dependencies, 'storage'>): FindTokenOwner {
  const owners = new Map<string, TokenOwner>()

  async function ask(tokenHash: string): Promise<TokenOwner | undefined> {
    const found = await storage.read(({ tokens }) => tokens.findTokenUser(tokenHash))
    if (!found) return undefined
    const { userId, username, portalId } = found
    if (owners.size >= mostTokens) owners.clear()
    owners.set(tokenHash, { userId, username, portalId })
    return { userId, username, portalId }
  }

  return (tokenHash) => owners.get(tokenHash) ?? ask(tokenHash)
}

/** Runs a write of a caller who may have one more in flight. `bytes`: of the request; `owner`: undefined without a token. */
export type RunWrite = <Output>(
  tokenHash: string | undefined,
  bytes: number,
  write: (owner: TokenOwner | undefined) => Promise<Output>,
) => Promise<Output>

/** Of one user. */
interface InFlight {
  writes: number
  bytes: number
}

const retryAfterSeconds = 1

/**
 * Limits the writes that each user has in flight, and their bytes, whatever the number of his tokens and connections: 429
 * beyond. A user without any may send one of any size. Writes without a token are limited elsewhere, by address.
 */
export function limitWritesInFlight(
  { writesInFlight, writeBytesInFlight }: Pick<Limits, 'writesInFlight' | 'writeBytesInFlight'>,
  findOwner: FindTokenOwner,
): RunWrite {
  const users = new Map<string, InFlight>()

  function begin({ userId }: TokenOwner, bytes: number): InFlight {
    const user = users.get(userId) ?? { writes: 0, bytes: 0 }
    if (user.writes >= writesInFlight) throw tooManyRequests('writesInFlight', retryAfterSeconds)
    if (user.writes > 0 && user.bytes + bytes > writeBytesInFlight) {
      throw tooManyRequests('writeBytesInFlight', retryAfterSeconds)
    }
    user.writes += 1
    user.bytes += bytes
    users.set(userId, user)
    return user
  }

  function end({ userId }: TokenOwner, user: InFlight, bytes: number): void {
    user.writes -= 1
    user.bytes -= bytes
    if (user.writes === 0) users.delete(userId)
  }

  return async (tokenHash, bytes, write) => {
    if (tokenHash === undefined) return write(undefined)
    const owner = await findOwner(tokenHash)
    if (!owner) throw tokenInvalid()
    const user = begin(owner, bytes)
    try {
      return await write(owner)
    } finally {
      end(owner, user, bytes)
    }
  }
}
