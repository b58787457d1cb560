import type { FastifyRequest } from 'fastify'
import type { Dependencies } from '../../operations/dependencies.ts'
import { addressKey } from '../../tokens/address.ts'
import { peekToken } from '../request/bearer-token.ts'

/** Who sends a request, as far as the server remembers: a hint for queues and the log, which grants nothing. */
export interface Sender {
  /** Id of the user; of a request without a known token, the network that it comes from. */
  readonly key: string
  /** User of the token, whether that is still valid or not; undefined without a known token. */
  readonly user: SendingUser | undefined
}

/** A token never changes its user. */
export interface SendingUser {
  readonly userId: string
  readonly username: string
  readonly portalId: string
}

export interface Senders {
  /** By the token that counts, at once where it is remembered. Never rejects. */
  find(address: string, tokenHash: string | undefined): Sender | Promise<Sender>
  /** Before the parameters are read: by a token that stands in the headers or in the query. */
  peek(request: FastifyRequest): Sender | Promise<Sender>
  /** Notes that a token was refused: for a minute, requests with it are those of their network. */
  refuse(tokenHash: string): void
}

interface Remembered {
  readonly user: SendingUser | undefined
  /** When the token no longer counts as refused, on the clock of `performance.now()`. */
  refusedUntil: number
}

/** Tokens that are remembered. */
const maxTokens = 10_000
/** Milliseconds for which a refused token is not looked up again (chosen). */
const refusalPeriod = 60_000

/** Asks the storage once for each token, and for an unknown one once in a minute. */
export function openSenders({ storage, random }: Pick<Dependencies, 'storage' | 'random'>): Senders {
  const remembered = new Map<string, Remembered>()

  function remember(tokenHash: string, entry: Remembered): void {
    if (remembered.size >= maxTokens) remembered.clear()
    remembered.set(tokenHash, entry)
  }

  async function ask(address: string, tokenHash: string): Promise<Sender> {
    try {
      const found = await storage.read(({ tokens }) => tokens.findTokenUser(tokenHash))
      const user = found && { userId: found.userId, username: found.username, portalId: found.portalId }
      remember(tokenHash, { user, refusedUntil: user ? 0 : performance.now() + refusalPeriod })
      return senderOf(user, address)
    } catch {
      // The operation itself meets the outage, and reports it.
      return senderOf(undefined, address)
    }
  }

  function find(address: string, tokenHash: string | undefined): Sender | Promise<Sender> {
    if (tokenHash === undefined) return senderOf(undefined, address)
    const found = remembered.get(tokenHash)
    if (found && found.refusedUntil > performance.now()) return { key: addressKey(address), user: found.user }
    return found?.user ? senderOf(found.user, address) : ask(address, tokenHash)
  }

  return {
    find,
    peek({ raw, headers, ip }) {
      const token = peekToken(raw.url ?? '', headers)
      return find(ip, token === undefined ? undefined : random.hashToken(token))
    },
    refuse(tokenHash) {
      const found = remembered.get(tokenHash)
      const refusedUntil = performance.now() + refusalPeriod
      if (found) found.refusedUntil = refusedUntil
      else remember(tokenHash, { user: undefined, refusedUntil })
    },
  }
}

function senderOf(user: SendingUser | undefined, address: string): Sender {
  return { key: user?.userId ?? addressKey(address), user }
}
