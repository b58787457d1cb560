import type { FastifyRequest } from 'fastify'
import type { Dependencies } from '../../operations/dependencies.ts'
import { addressKey } from '../../tokens/address.ts'
import { findToken, peekToken } from '../request/bearer-token.ts'
import type { RequestParameters } from '../request/request-parameters.ts'
import type { FindTokenOwner } from '../writes-in-flight.ts'

/** Whose request it is, where requests wait for each other. */
export interface Sender {
  /** Id of a user; of a request without a known token, the network that it comes from. */
  readonly key: string
  readonly isUser: boolean
}

export interface Senders {
  /** Before the parameters are read: a hint, by a token that stands in the headers or in the query. */
  peek(request: FastifyRequest): Promise<Sender>
  /** By the token that counts. */
  find(request: FastifyRequest, parameters: RequestParameters): Promise<Sender>
  /** A token was refused: requests with it are those of their network from now on. */
  refuse(tokenHash: string): void
}

/** Most refused tokens that are remembered. */
const mostRefused = 10_000

export function openSenders({ random }: Pick<Dependencies, 'random'>, findOwner: FindTokenOwner): Senders {
  const refused = new Set<string>()

  async function senderOf({ ip }: FastifyRequest, token: string | undefined): Promise<Sender> {
    const tokenHash = token === undefined ? undefined : random.hashToken(token)
    const mayBeKnown = tokenHash !== undefined && !refused.has(tokenHash)
    const owner = mayBeKnown ? await findOwner(tokenHash).catch(() => undefined) : undefined
    return owner ? { key: owner.userId, isUser: true } : { key: addressKey(ip), isUser: false }
  }

  return {
    peek: (request) => senderOf(request, peekToken(request.raw.url ?? '', request.headers)),
    find: (request, parameters) => senderOf(request, findValidToken(parameters, request.headers)),
    refuse(tokenHash) {
      if (refused.size >= mostRefused) refused.clear()
      refused.add(tokenHash)
    },
  }
}

function findValidToken(...given: Parameters<typeof findToken>): string | undefined {
  try {
    return findToken(...given)
  } catch {
    return undefined
  }
}
