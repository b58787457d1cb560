import { LRUCache } from 'lru-cache'
import { roleOfApps } from '../call/caller.ts'
import type { TokenReader, TokenUser } from '../tokens/store.ts'
import type { Readers, Stores } from './storage.ts'

/** Which cached callers to invalidate: `token <hash>`, `user <id>`, `role <id>`, or all of them. */
export type CallerChange = `token ${string}` | `user ${string}` | `role ${string}` | typeof everyCaller
export const everyCaller = 'everyone'

export function isCallerChange(value: unknown): value is CallerChange {
  return typeof value === 'string' && /^(token|user|role) |^everyone$/.test(value)
}

/** Maximum cached callers, and maximum time for which a change made by hand in the database may stay unnoticed. */
const maxCallers = 10_000
const maxMilliseconds = 10_000

/**
 * Users by token hash, each cached until its token, user or role is invalidated. Apps that act as themselves are not cached:
 * their permissions depend on their item and its owner, too.
 */
export class CallerCache {
  readonly #callers = new LRUCache<string, TokenUser>({ max: maxCallers, ttl: maxMilliseconds })
  readonly #isSubscribed: () => boolean
  /** Counts invalidations. */
  version = 0
  hits = 0
  misses = 0

  /** `isSubscribed`: false while invalidations may be missed; the cache is bypassed then. */
  constructor(isSubscribed: () => boolean) {
    this.#isSubscribed = isSubscribed
  }

  /**
   * `snapshotVersion`: the cache's `version` when the snapshot began; if it has changed since, the cache is neither used nor
   * filled.
   */
  async find(
    tokenHash: string,
    lookUp: (tokenHash: string) => Promise<TokenUser | undefined>,
    snapshotVersion: number,
  ): Promise<TokenUser | undefined> {
    const isFresh = snapshotVersion === this.version && this.#isSubscribed()
    const known = isFresh ? this.#callers.get(tokenHash) : undefined
    if (known) {
      this.hits += 1
      return known
    }
    this.misses += 1
    const found = await lookUp(tokenHash)
    const isCacheable = found !== undefined && found.role !== roleOfApps
    if (isCacheable && snapshotVersion === this.version) this.#callers.set(tokenHash, found)
    return found
  }

  /** A cached caller, which may be stale. */
  peek(tokenHash: string): TokenUser | undefined {
    return this.#isSubscribed() ? this.#callers.get(tokenHash) : undefined
  }

  invalidate(changes: Iterable<CallerChange>): void {
    for (const change of changes) {
      this.version += 1
      if (change === everyCaller) this.#callers.clear()
      else if (change.startsWith('token ')) this.#callers.delete(change.slice('token '.length))
      else this.#invalidateCallersOf(change)
    }
  }

  #invalidateCallersOf(change: CallerChange): void {
    for (const [tokenHash, { userId, role }] of this.#callers.entries()) {
      if (change === `user ${userId}` || change === `role ${role}`) this.#callers.delete(tokenHash)
    }
  }
}

/** Wraps readers: callers come from the cache first. `snapshotVersion`: the cache's `version` when the snapshot began. */
export function withCallerCache(stores: Readers, cache: CallerCache, snapshotVersion: () => number): Readers {
  const findTokenUser: TokenReader['findTokenUser'] = (tokenHash) =>
    cache.find(tokenHash, stores.tokens.findTokenUser, snapshotVersion())
  return { ...stores, tokens: { ...stores.tokens, findTokenUser } }
}

/** Thrown where a write ran with a stale cached caller: it has to be retried. */
export class CallerChanged extends Error {
  override readonly name = 'CallerChanged'
}

/** Stores of one write, and the check of the cached callers that it used. */
interface ConfirmedStores {
  readonly stores: Stores
  /** Rejects with CallerChanged if a used caller was stale; await it before the commit. */
  confirm(): Promise<void>
}

/**
 * Wraps stores: a caller comes from the cache while the transaction looks it up, so the next statement is sent without waiting
 * for the answer.
 */
export function confirmCallers(stores: Stores, cache: CallerCache): ConfirmedStores {
  const begun = cache.version
  const confirmations: Promise<void>[] = []

  async function confirm(tokenHash: string, known: TokenUser, looked: Promise<TokenUser | undefined>): Promise<void> {
    if (JSON.stringify(await looked) === JSON.stringify(known)) return
    cache.invalidate([`token ${tokenHash}`])
    throw new CallerChanged('The caller has changed.')
  }

  const findTokenUser: TokenReader['findTokenUser'] = (tokenHash) => {
    const known = cache.peek(tokenHash)
    if (!known) return cache.find(tokenHash, stores.tokens.findTokenUser, begun)
    const confirmation = confirm(tokenHash, known, stores.tokens.findTokenUser(tokenHash))
    confirmation.catch(() => undefined)
    confirmations.push(confirmation)
    return Promise.resolve(known)
  }
  return {
    stores: { ...stores, tokens: { ...stores.tokens, findTokenUser } },
    confirm: async () => void (await Promise.all(confirmations)),
  }
}

/** Wraps stores: every change that invalidates cached callers is reported. */
export function reportCallerChanges(stores: Stores, report: (change: CallerChange) => void): Stores {
  const { tokens, oauth, directory } = stores
  return {
    ...stores,
    tokens: {
      ...tokens,
      removeToken(tokenHash) {
        report(`token ${tokenHash}`)
        return tokens.removeToken(tokenHash)
      },
      removeTokensOf(userId) {
        report(`user ${userId}`)
        return tokens.removeTokensOf(userId)
      },
      removeOtherTokensOf(userId, kept) {
        report(`user ${userId}`)
        return tokens.removeOtherTokensOf(userId, kept)
      },
    },
    oauth: {
      ...oauth,
      removeGrant(grant) {
        report(`user ${grant.userId}`)
        return oauth.removeGrant(grant)
      },
      removeTokensOfGrant(grant) {
        report(`user ${grant.userId}`)
        return oauth.removeTokensOfGrant(grant)
      },
      // Any user of the organization may have signed in to it.
      removeApp(clientId) {
        report(everyCaller)
        return oauth.removeApp(clientId)
      },
      removeGrantsOfApp(clientId, portalId) {
        report(everyCaller)
        return oauth.removeGrantsOfApp(clientId, portalId)
      },
      removeGrantsWithSecret(clientId) {
        report(everyCaller)
        return oauth.removeGrantsWithSecret(clientId)
      },
      disownApp(clientId, at) {
        report(everyCaller)
        return oauth.disownApp(clientId, at)
      },
    },
    directory: {
      ...directory,
      updateUser(user) {
        report(`user ${user.userId}`)
        return directory.updateUser(user)
      },
      removeUser(userId) {
        report(`user ${userId}`)
        return directory.removeUser(userId)
      },
      updateRole(role) {
        report(`role ${role.roleId}`)
        return directory.updateRole(role)
      },
      removeRole(roleId) {
        report(`role ${roleId}`)
        return directory.removeRole(roleId)
      },
    },
  }
}
