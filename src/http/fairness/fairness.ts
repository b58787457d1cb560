import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { tokenInvalid } from '../../errors.ts'
import type { Dependencies } from '../../operations/dependencies.ts'
import { receivedBytes } from '../transport/bodies.ts'
import { mostBodyBytes } from '../transport/transport.ts'
import { announcedBytes } from '../transport/unfinished-requests.ts'
import type { FindTokenOwner } from '../writes-in-flight.ts'
import { openLongBodies } from './long-bodies.ts'
import { openOneAtATime } from './one-at-a-time.ts'
import { openRefusalsInTime } from './refusals-in-time.ts'
import { openSenders, type Sender } from './sender.ts'
import { openTurns } from './turns.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** Whose request it is; absent before its parameters are known. */
    sender: Sender | undefined
    /** To be called when the answer is ready or cannot be; absent before the request begins. */
    endRequest: (() => void) | undefined
  }
}

/** Where a request waits for those of other senders. */
export interface Fairness {
  /** Resolves when the request may have the thread; undefined if it may now. */
  takeTurn(request: FastifyRequest): Promise<void> | undefined
  /**
   * Resolves when the sender, by the token that counts, may have one more request in progress; undefined if that is now.
   * `endRequest` of the reply ends it.
   */
  begin(request: FastifyRequest, reply: FastifyReply, tokenHash: string | undefined): Promise<void> | undefined
}

/** Bytes of a body that the thread receives in a millisecond, about (measured). */
const bytesPerMillisecond = 1024 * 1024

/** Has long bodies wait before they are received, and refusals before they are sent. */
export function letSendersWait(
  app: FastifyInstance,
  dependencies: Pick<Dependencies, 'random' | 'limits' | 'limitCounts'>,
  findOwner: FindTokenOwner,
): Fairness {
  const senders = openSenders(dependencies, findOwner)
  const turns = openTurns()
  const awaitLongBody = openLongBodies()
  const oneAtATime = openOneAtATime(dependencies.limits, dependencies.limitCounts)
  const refusals = openRefusalsInTime(dependencies.limits, dependencies.limitCounts)

  async function receiveInTurn(request: FastifyRequest, reply: FastifyReply, bytes: number): Promise<void> {
    const sender = await senders.peek(request)
    await awaitLongBody(sender, () => receivedBytes(request.raw), reply.raw)
    await turns.take(async () => sender.key, bytes / bytesPerMillisecond)
  }

  async function refuseInTime(request: FastifyRequest, reply: FastifyReply, outcome: number): Promise<void> {
    const { sender, caller, raw } = reply
    if (outcome === tokenInvalid().code && caller?.tokenHash !== undefined) senders.refuse(caller.tokenHash)
    const { key } = sender ?? (await senders.peek(request))
    await refusals.take(key, raw)
  }

  function beginOf(sender: Sender, { raw }: FastifyRequest, reply: FastifyReply): Promise<void> | undefined {
    reply.sender = sender
    const place = oneAtATime.begin({ sender, bytes: receivedBytes(raw), response: reply.raw })
    if (place instanceof Promise) {
      return place.then((end) => {
        reply.endRequest = end
      })
    }
    reply.endRequest = place
    return undefined
  }

  app.decorateReply('sender')
  app.decorateReply('endRequest')
  app.addHook('onRequest', (request, reply, done) => {
    const bytes = announcedBytes(request.raw, mostBodyBytes)
    if (bytes === 0) return done()
    void receiveInTurn(request, reply, bytes).then(() => request.raw.destroyed || done())
  })
  app.addHook('onSend', function endAndWait(request, reply, payload, done): Promise<void> | undefined {
    reply.endRequest?.()
    const outcome = reply.outcome || reply.statusCode
    // The promise, and not `done` after it: what fails then is Fastify's to report.
    if (outcome >= 400 && outcome < 500) return refuseInTime(request, reply, outcome)
    done(null, payload)
    return undefined
  })
  app.addHook('preClose', async () => {
    oneAtATime.close()
    refusals.close()
  })

  return {
    takeTurn: (request) => turns.take(async () => (await senders.peek(request)).key),
    begin(request, reply, tokenHash) {
      const sender = senders.find(request, tokenHash)
      if (sender instanceof Promise) return sender.then((found) => beginOf(found, request, reply))
      return beginOf(sender, request, reply)
    },
  }
}
