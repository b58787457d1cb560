import type { FastifyRequest } from 'fastify'
import type { Dependencies } from '../../operations/dependencies.ts'
import { addressKey } from '../../tokens/address.ts'
import { peekToken } from '../decoding/bearer-token.ts'

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
  /** Found by the token that counts; undefined where the storage has to be asked. */
  findKnown(address: string, tokenHash: string | undefined): Sender | undefined
  /** Asks the storage, once for all requests of a token at a time. Never rejects. */
  ask(address: string, tokenHash: string): Promise<Sender>
  /** Before the parameters are read: by a token in the headers or in the query that is known, else the network. */
  peek(request: FastifyRequest): Sender
  /** Notes that a token was refused: for a minute, requests with it are those of their network. */
  refuse(tokenHash: string): void
}

/** Tokens that are remembered: as many that were refused or are unknown, so that those take no room of the others. */
const maxTokens = 10_000
/** Milliseconds for which a refused or unknown token is not looked up again (chosen). */
const refusalPeriod = 60_000

/** Asks the storage once for each token, and for an unknown one once in a minute. */
export function openSenders(
  { storage, random }: Pick<Dependencies, 'storage' | 'random'>,
  clock: () => number = () => performance.now(),
): Senders {
  const users = new Map<string, SendingUser>()
  /** When the token counts again, on the clock. */
  const refused = new Map<string, number>()
  const asking = new Map<string, Promise<SendingUser | undefined>>()

  async function lookUp(tokenHash: string): Promise<SendingUser | undefined> {
    try {
      const found = await storage.read(({ tokens }) => tokens.findTokenUser(tokenHash))
      const user = found && { userId: found.userId, username: found.username, portalId: found.portalId }
      if (user) remember(users, tokenHash, user)
      else refuse(tokenHash)
      return user
    } catch {
      // The operation itself meets the outage, and reports it.
      return undefined
    } finally {
      asking.delete(tokenHash)
    }
  }

  function refuse(tokenHash: string): void {
    remember(refused, tokenHash, clock() + refusalPeriod)
  }

  function findKnown(address: string, tokenHash: string | undefined): Sender | undefined {
    if (tokenHash === undefined) return networkSender(address)
    const user = users.get(tokenHash)
    const isRefused = (refused.get(tokenHash) ?? 0) > clock()
    if (isRefused) return { key: addressKey(address), user }
    return user && { key: user.userId, user }
  }

  return {
    findKnown,
    async ask(address, tokenHash) {
      const answer = asking.get(tokenHash) ?? lookUp(tokenHash)
      if (!asking.has(tokenHash)) asking.set(tokenHash, answer)
      const user = await answer
      return user ? { key: user.userId, user } : networkSender(address)
    },
    peek({ raw, headers, ip }) {
      const token = peekToken(raw.url ?? '', headers)
      return findKnown(ip, token === undefined ? undefined : random.hashToken(token)) ?? networkSender(ip)
    },
    refuse,
  }
}

function networkSender(address: string): Sender {
  return { key: addressKey(address), user: undefined }
}

/** Adds the newest, in place of the oldest where there are too many. */
function remember<Value>(entries: Map<string, Value>, key: string, value: Value): void {
  entries.delete(key)
  entries.set(key, value)
  if (entries.size > maxTokens) entries.delete(entries.keys().next().value!)
}
