import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { LimitCounts } from '../../limits.ts'
import type { OpenConnections } from './open-connections.ts'

/** Most unanswered requests on one connection: clients send one at a time, or a few (chosen). */
export const maxUnanswered = 16
/** Milliseconds until a connection with more of them is closed (chosen): its client may open another immediately. */
const closeDelay = 1_000
/** Most connections that wait to be closed (chosen), as Node keeps what it has read of each: up to 5 MB. */
const maxClosing = 16

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

interface Connection {
  /** Undefined once it is closed. */
  readonly open: ReturnType<OpenConnections['find']>
  /** Request that is answered now. */
  answering: Exchange | undefined
  /** Requests that wait for their turn, in their order. */
  waiting: Exchange[]
  /** Whether nothing more is answered, as it had too many requests. */
  isOverloaded: boolean
  /** Called when all of them are answered. */
  afterAll: (() => void) | undefined
}

/**
 * Keeps a connection from being read while a request waits, as headers and bodies would fill the memory: Node resumes it
 * after each request. What is left of a chunk is parsed in any case.
 */
function pause(this: Socket): void {
  this.pause()
}

function readOn({ waiting }: Connection, socket: Socket): void {
  if (waiting.length === 0) socket.off('resume', pause).resume()
}

/**
 * Answers the requests of a connection one at a time: nothing is done for a request before the client has taken the whole
 * answer to the one before. Work for a client that reads nothing ends with one answer, then.
 *
 * Before Fastify, whose own work for a request takes longer than parsing it: a client may send many in one packet.
 */
export class Connections {
  readonly #connections = new WeakMap<Socket, Connection>()
  readonly #limitCounts: LimitCounts
  readonly #open: OpenConnections
  #listeners: readonly RequestListener[] = []
  /** Connections that wait to be closed. */
  #cutConnections = 0

  constructor(limitCounts: LimitCounts, open: OpenConnections) {
    this.#limitCounts = limitCounts
    this.#open = open
  }

  watch({ server }: FastifyInstance): void {
    this.#listeners = server.listeners('request') as RequestListener[]
    server.removeAllListeners('request').on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.#receive({ request, response })
    })
  }

  /**
   * Calls `act` when the requests that came whole are answered; immediately if there are none. Incomplete requests are not
   * answered any more: bytes that cannot be read belong to them, or follow them.
   */
  afterAnswers(socket: Socket, act: () => void): void {
    const connection = this.#connections.get(socket)
    if (connection?.isOverloaded) return
    if (!connection?.answering?.request.complete) {
      act()
      return
    }
    connection.waiting = connection.waiting.filter(({ request }) => request.complete)
    connection.afterAll = act
    readOn(connection, socket)
  }

  #receive(exchange: Exchange): void {
    const { socket } = exchange.request
    const connection = this.#connections.get(socket) ?? this.#begin(socket)
    if (!connection) socket.destroy()
    else if (connection.isOverloaded) return
    else if (!connection.answering) this.#answer(connection, exchange)
    else if (connection.waiting.length < maxUnanswered - 1) {
      connection.waiting.push(exchange)
      if (connection.waiting.length === 1) socket.on('resume', pause).pause()
    } else this.#cut(connection, socket)
  }

  /** Later, so that opening connections and filling them takes as little of the server's time as waiting does. */
  #cut(connection: Connection, socket: Socket): void {
    this.#limitCounts.add('unansweredRequests')
    connection.isOverloaded = true
    connection.waiting = []
    if (this.#cutConnections === maxClosing) {
      socket.destroy()
      return
    }
    this.#cutConnections += 1
    const timer = setTimeout(() => socket.destroy(), closeDelay).unref()
    socket.once('close', () => {
      clearTimeout(timer)
      this.#cutConnections -= 1
    })
  }

  #begin(socket: Socket): Connection | undefined {
    const address = socket.remoteAddress
    // Reset before the first request was read: there is no client to answer, and no address to record.
    if (address === undefined) return undefined
    // The system forgets the address of a connection that is reset; audit and limits need it to the end of the request.
    Object.defineProperty(socket, 'remoteAddress', { value: address })
    const open = this.#open.find(socket)
    const connection: Connection = { open, answering: undefined, waiting: [], isOverloaded: false, afterAll: undefined }
    this.#connections.set(socket, connection)
    return connection
  }

  #answer(connection: Connection, exchange: Exchange): void {
    const { request, response } = exchange
    connection.answering = exchange
    if (connection.open) this.#open.note(connection.open, request)
    response.once('close', () => this.#answerNext(connection, request.socket))
    for (const listener of this.#listeners) listener(request, response)
  }

  #answerNext(connection: Connection, socket: Socket): void {
    const next = connection.waiting.shift()
    connection.answering = undefined
    // After `Connection: close` no answer can be sent, and nothing may be done that is not answered.
    const hasNext = next !== undefined && socket.writable
    if (next !== undefined) readOn(connection, socket)
    if (hasNext) {
      this.#answer(connection, next)
      return
    }
    if (connection.open) this.#open.note(connection.open, undefined)
    connection.afterAll?.()
  }
}
