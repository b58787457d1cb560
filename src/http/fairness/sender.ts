import type { FastifyRequest } from 'fastify'
import type { Dependencies } from '../../operations/dependencies.ts'
import { addressKey } from '../../tokens/address.ts'
import { peekToken } from '../request/bearer-token.ts'
import type { FindTokenOwner, TokenOwner } from '../writes-in-flight.ts'

/** Whose request it is, where requests wait for each other. */
export interface Sender {
  /** Id of a user; of a request without a known token, the network that it comes from. */
  readonly key: string
  readonly isUser: boolean
}

export interface Senders {
  /** Before the parameters are read: a hint, by a token that stands in the headers or in the query. */
  peek(request: FastifyRequest): Sender | Promise<Sender>
  /** By the token that counts, at once where its user is remembered. */
  find(request: FastifyRequest, tokenHash: string | undefined): Sender | Promise<Sender>
  /** A token was refused: requests with it are those of their network from now on. */
  refuse(tokenHash: string): void
}

/** Most refused tokens that are remembered. */
const mostRefused = 10_000

export function openSenders({ random }: Pick<Dependencies, 'random'>, findOwner: FindTokenOwner): Senders {
  const refused = new Set<string>()

  function find({ ip }: FastifyRequest, tokenHash: string | undefined): Sender | Promise<Sender> {
    if (tokenHash === undefined || refused.has(tokenHash)) return senderOf(undefined, ip)
    const owner = findOwner(tokenHash)
    if (!(owner instanceof Promise)) return senderOf(owner, ip)
    return owner.catch(() => undefined).then((found) => senderOf(found, ip))
  }

  return {
    peek(request) {
      const token = peekToken(request.raw.url ?? '', request.headers)
      return find(request, token === undefined ? undefined : random.hashToken(token))
    },
    find,
    refuse(tokenHash) {
      if (refused.size >= mostRefused) refused.clear()
      refused.add(tokenHash)
    },
  }
}

function senderOf(owner: TokenOwner | undefined, address: string): Sender {
  return owner ? { key: owner.userId, isUser: true } : { key: addressKey(address), isUser: false }
}
