import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { invalidTokenCode, type PortalError } from '../../errors.ts'
import type { Dependencies } from '../../operations/dependencies.ts'
import { addressKey } from '../../tokens/address.ts'
import { PasswordsBusy } from '../../tokens/password.ts'
import { type RefusedTask, toPortalError } from '../answer.ts'
import { announcedBytes, minLongBody } from '../transport/bodies.ts'
import { summarize } from '../transport/failure-log.ts'
import { identify } from '../transport/request-log.ts'
import { boundsOf } from './bounds.ts'
import { openLimiter, type Place } from './limiter.ts'
import { openSenders, type Sender } from './sender.ts'
import type { NextStep } from './steps.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** Place of a request whose long body is received, or that no operation answers; absent once an operation does. */
    place: Place | undefined
    /** Place of a request that an operation answers. */
    answering: Place | undefined
    /** Time at which a request that made a foreign search may be answered. */
    nextStep: NextStep | undefined
  }
  interface FastifyContextConfig {
    /** Whether its handler passes the gate: all others take their place before. */
    readonly isExchange?: true
    /** Whether a probe asks for it, which never waits. */
    readonly isHealth?: true
  }
}

/** A request that an operation answers, as the gate sees it. */
export interface Exchange extends RefusedTask {
  /** Hash of the token that counts; undefined without one. */
  readonly tokenHash: string | undefined
  /** Bytes of its body, as it came. */
  readonly bodyBytes: number
  /** Whether its operation is a search, which takes turns elsewhere. */
  readonly isSearch: boolean
  answer(sender: Sender): Promise<FastifyReply>
  /** Writes the audit entry of what was thrown, if it is a refusal that is audited. */
  recordRefusal(thrown: unknown): Promise<void>
  sendRefusal(failure: PortalError): Promise<FastifyReply>
}

/** One gate before every operation, and the only place where what an operation throws becomes an answer. */
export interface Gate {
  /** Answers a request in its turn. `read`: its parameters, whose parsing is work of its sender where its body was long. */
  pass(request: FastifyRequest, reply: FastifyReply, read: () => Promise<Exchange>): Promise<FastifyReply>
}

/** Milliseconds between two lines in the log about passwords that were not hashed, or a disk that is nearly full (chosen). */
const busyInterval = 60_000

/** Opens the gate: long bodies wait before they are received, all other requests before they are answered. */
export function openGate(app: FastifyInstance, dependencies: Dependencies): Gate {
  const { limitCounts, database } = dependencies
  const senders = openSenders(dependencies)
  const limiter = openLimiter(boundsOf(database.engine, dependencies.limits), limitCounts)
  const warnBusy = summarize(busyInterval, (times) => {
    app.log.warn({ times }, 'too many passwords wait to be hashed; requests were answered 503')
  })

  const warnFull = summarize(busyInterval, (times) => {
    app.log.warn({ times }, 'the disk is nearly full; requests that would add data were answered 503')
  })

  /** Has a request wait before its body is received, or, where no operation answers it, before it is looked at. */
  async function enterEarly(request: FastifyRequest, reply: FastifyReply, bytes: number): Promise<void> {
    const sender = senders.peek(request)
    const { raw } = reply
    const isChunked = request.headers['transfer-encoding'] !== undefined
    const long = { bytes, cut: () => request.raw.socket.destroy() }
    const body = bytes === 0 ? { bytes } : { bytes: isChunked ? minLongBody : bytes, long }
    reply.place = await limiter.enter({ key: sender.key, ...body, response: raw })
    // The body may never come whole: then nothing else ends the place.
    raw.once('close', () => reply.place?.end())
    if (raw.closed) reply.place.end()
  }

  async function refuse(
    request: FastifyRequest,
    reply: FastifyReply,
    exchange: Exchange,
    thrown: unknown,
  ): Promise<FastifyReply> {
    const { tokenHash } = exchange
    const failure = toPortalError(thrown, exchange, request.id)
    const report = (error: unknown, text: string) => app.reportFailure(error, text, identify(request))
    // Requests that wait are counted when they begin to wait.
    if (failure.limit && failure.limit !== 'requestsWaiting') limitCounts.add(failure.limit)
    if (thrown instanceof PasswordsBusy) warnBusy(dependencies.now())
    else if (failure.limit === 'freeBytes') warnFull(dependencies.now())
    else if (failure.code >= 500 && !failure.limit) report(thrown, 'request failed')
    if (failure.code === invalidTokenCode) {
      reply.username = undefined
      if (tokenHash !== undefined) senders.refuse(tokenHash)
    }
    await exchange.recordRefusal(thrown).catch((error: unknown) => report(error, 'audit failed'))
    if (failure.retryAfterSeconds !== undefined) reply.header('retry-after', failure.retryAfterSeconds)
    return exchange.sendRefusal(failure)
  }

  app.decorateReply('place')
  app.decorateReply('answering')
  app.decorateReply('nextStep')
  app.addHook('onRequest', (request, reply, done) => {
    const bytes = announcedBytes(request.raw, request.routeOptions.bodyLimit)
    const { isExchange, isHealth } = request.routeOptions.config
    if (bytes === 0 && (isExchange || isHealth)) done()
    else enterEarly(request, reply, bytes).then(() => done(), done)
  })
  // Not only when the client has read the answer.
  app.addHook('onSend', (_request, reply, payload, done) => {
    reply.place?.end()
    reply.answering?.end()
    const { nextStep } = reply
    reply.nextStep = undefined
    if (nextStep) nextStep().then(() => done(null, payload), done)
    else done(null, payload)
  })
  app.addHook('preClose', async () => limiter.close())

  return {
    async pass(request, reply, read) {
      const { ip } = request
      const response = reply.raw
      let place = reply.place
      reply.place = undefined
      place?.received()
      const exchange = await read()
      const { tokenHash, bodyBytes: bytes } = exchange
      try {
        let sender = senders.findKnown(ip, tokenHash)
        if (!sender) {
          // Even the question whose request it is waits its turn.
          place ??= await limiter.enter({ key: addressKey(ip), bytes, response })
          sender = await senders.ask(ip, tokenHash!)
        }
        reply.username = sender.user?.username
        const { isSearch } = exchange
        if (place?.key !== sender.key || isSearch) {
          // A long body had its token in it, or the token was unknown.
          place?.end()
          const entered = limiter.enter({ key: sender.key, isSearch, bytes, response })
          place = entered instanceof Promise ? await entered : entered
        }
        reply.answering = place
        return await exchange.answer(sender)
      } catch (thrown) {
        return await refuse(request, reply, exchange, thrown)
      } finally {
        place?.end()
      }
    },
  }
}
