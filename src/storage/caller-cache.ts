import { LRUCache } from 'lru-cache'
import type { TokenStore, TokenUser } from '../tokens/store.ts'
import type { Stores } from './storage.ts'

/** Whose look-ups are over: `token <hash>`, `user <id>`, `role <id>`, or all of them. */
export type CallerChange = `token ${string}` | `user ${string}` | `role ${string}` | typeof everyCaller
export const everyCaller = 'everyone'

export function isCallerChange(value: unknown): value is CallerChange {
  return typeof value === 'string' && /^(token|user|role) |^everyone$/.test(value)
}

/** Most callers that are remembered, and for how long at most: nobody tells of changes by hand in the database. */
const mostCallers = 10_000
const longestMilliseconds = 10_000

/** Who stands behind a token, remembered for as long as somebody tells of changes. */
export class CallerCache {
  readonly #callers = new LRUCache<string, TokenUser>({ max: mostCallers, ttl: longestMilliseconds })
  readonly #isTold: () => boolean
  /** Counts what was forgotten: an answer that was asked for before is not kept after. */
  #forgotten = 0
  hits = 0
  misses = 0

  /** `isTold` says whether changes of others are sure to be heard at this moment; nothing is answered otherwise. */
  constructor(isTold: () => boolean) {
    this.#isTold = isTold
  }

  async find(
    tokenHash: string,
    ask: (tokenHash: string) => Promise<TokenUser | undefined>,
  ): Promise<TokenUser | undefined> {
    const known = this.#isTold() ? this.#callers.get(tokenHash) : undefined
    if (known) {
      this.hits += 1
      return known
    }
    this.misses += 1
    const asked = this.#forgotten
    const found = await ask(tokenHash)
    if (found && asked === this.#forgotten) this.#callers.set(tokenHash, found)
    return found
  }

  forget(changes: Iterable<CallerChange>): void {
    for (const change of changes) {
      this.#forgotten += 1
      if (change === everyCaller) this.#callers.clear()
      else if (change.startsWith('token ')) this.#callers.delete(change.slice('token '.length))
      else this.#forgetWhose(change)
    }
  }

  #forgetWhose(change: CallerChange): void {
    for (const [tokenHash, { userId, role }] of this.#callers.entries()) {
      if (change === `user ${userId}` || change === `role ${role}`) this.#callers.delete(tokenHash)
    }
  }
}

/** The same stores, of which who calls is looked up in the cache first. */
export function withCallerCache(stores: Stores, cache: CallerCache): Stores {
  const findTokenUser: TokenStore['findTokenUser'] = (tokenHash) => cache.find(tokenHash, stores.tokens.findTokenUser)
  return { ...stores, tokens: { ...stores.tokens, findTokenUser } }
}

/** The same stores, which tell of every change that ends what a cache knows of callers. */
export function tellCallerChanges(
  { tokens, directory, ...others }: Stores,
  tell: (change: CallerChange) => void,
): Stores {
  return {
    ...others,
    tokens: {
      ...tokens,
      removeToken(tokenHash) {
        tell(`token ${tokenHash}`)
        return tokens.removeToken(tokenHash)
      },
      removeTokensOf(userId) {
        tell(`user ${userId}`)
        return tokens.removeTokensOf(userId)
      },
    },
    directory: {
      ...directory,
      updateUser(user) {
        tell(`user ${user.userId}`)
        return directory.updateUser(user)
      },
      removeUser(userId) {
        tell(`user ${userId}`)
        return directory.removeUser(userId)
      },
      updateRole(role) {
        tell(`role ${role.roleId}`)
        return directory.updateRole(role)
      },
      removeRole(roleId) {
        tell(`role ${roleId}`)
        return directory.removeRole(roleId)
      },
    },
  }
}
