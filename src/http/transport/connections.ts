import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
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
 *
 * Before Fastify, whose own work for a request takes longer than parsing it: a client may send many in one packet.
 */
export function answerInTurn({ server }: FastifyInstance, limitCounts: LimitCounts): void {
  const connections = new WeakMap<Socket, Connection>()
  const listeners = server.listeners('request') as RequestListener[]

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

  function answer(connection: Connection, request: IncomingMessage, response: ServerResponse): void {
    connection.isAnswering = true
    response.once('close', () => answerNext(connection, request.socket))
    for (const listener of listeners) listener.call(server, request, response)
  }

  function answerNext(connection: Connection, socket: Socket): void {
    const begin = connection.waiting.shift()
    connection.isAnswering = false
    if (begin === undefined) return
    if (connection.waiting.length === 0) socket.off('resume', pause).resume()
    // After `Connection: close` no answer can be sent, and nothing may be done that is not answered.
    if (socket.writable) begin()
  }

  server.removeAllListeners('request').on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    const connection = connections.get(socket) ?? open(socket)
    if (connection && !connection.isAnswering) return answer(connection, request, response)
    if (connection && connection.waiting.length < mostUnanswered - 1) {
      connection.waiting.push(() => answer(connection, request, response))
      if (connection.waiting.length === 1) socket.on('resume', pause).pause()
      return
    }
    if (connection && !socket.destroyed) limitCounts.add('unansweredRequests')
    socket.destroy()
  })
}
