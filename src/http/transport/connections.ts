import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { LimitCounts } from '../../limits.ts'

/** Most unanswered requests on one connection: clients send one at a time, or a few (chosen). */
export const mostUnanswered = 32

interface Connection {
  isAnswering: boolean
  /** Starts of the requests that wait for their turn, in their order. */
  readonly waiting: (() => void)[]
}

/**
 * Keeps a connection from being read while a request waits, as headers and bodies would fill the memory: Node resumes it
 * after each request. What is left of a chunk is parsed in any case.
 */
function pause(this: Socket): void {
  this.pause()
}

/**
 * Answers the requests of a connection one at a time: nothing is done for a request before the client has taken the whole
 * answer to the one before. Work for a client that reads nothing ends with one answer, then.
 */
export function answerInTurn(app: FastifyInstance, limitCounts: LimitCounts): void {
  const connections = new WeakMap<Socket, Connection>()

  function open(socket: Socket): Connection | undefined {
    const address = socket.remoteAddress
    // Reset before the first request was read: there is no client to answer, and no address to record.
    if (address === undefined) return undefined
    // The system forgets the address of a connection that is reset; audit and limits need it to the end of the request.
    Object.defineProperty(socket, 'remoteAddress', { value: address })
    const connection: Connection = { isAnswering: false, waiting: [] }
    connections.set(socket, connection)
    return connection
  }

  app.addHook('onRequest', ({ raw: { socket } }, reply, done) => {
    const connection = connections.get(socket) ?? open(socket)
    if (connection && !connection.isAnswering) {
      connection.isAnswering = true
      return done()
    }
    if (connection && connection.waiting.length < mostUnanswered - 1) {
      connection.waiting.push(done)
      if (connection.waiting.length === 1) socket.on('resume', pause).pause()
      return
    }
    if (connection && !socket.destroyed) limitCounts.add('unansweredRequests')
    reply.hijack()
    socket.destroy()
  })

  app.addHook('onResponse', ({ raw: { socket } }, _reply, done) => {
    done()
    const connection = connections.get(socket)
    if (connection === undefined) return
    const next = connection.waiting.shift()
    connection.isAnswering = next !== undefined
    if (next === undefined) return
    if (connection.waiting.length === 0) socket.off('resume', pause).resume()
    // After `Connection: close` no answer can be sent, and nothing may be done that is not answered.
    if (socket.writable) next()
  })
}
