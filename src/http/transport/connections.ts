import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { LimitCounts } from '../../limits.ts'
import { addressKey } from '../../tokens/address.ts'

/** Unanswered requests that one connection may have: clients send one at a time, or a few (chosen). */
export const maxUnanswered = 16
/** Milliseconds until a connection with more of them is closed (chosen): its client may open another immediately. */
const closeDelay = 1_000
/** Connections that may wait to be closed (chosen), as Node keeps what it has read of each: up to 5 MB. */
const maxClosing = 16

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** A connection, from the moment at which it is opened. */
interface Connection {
  /** Below TLS. */
  readonly socket: Socket
  readonly peer: string
  /** Address of the client, or its /64 of IPv6. */
  readonly key: string
  /** Whether a request has come on it. */
  hasAsked: boolean
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
 * All connections of a server, with what is answered on each. Their number is bounded: when all are taken, a new one takes the
 * place of the one that has been silent for the longest time, of the address that holds most; where a whole request is being
 * answered on each, the new one is closed.
 *
 * The requests of a connection are answered one at a time: nothing is done for a request before the client has taken the whole
 * answer to the one before. Work for a client that reads nothing ends with one answer, then. That is decided before Fastify,
 * whose own work for a request takes longer than parsing it: a client may send many in one packet.
 */
export class Connections {
  readonly #limit: number
  readonly #limitCounts: LimitCounts
  /** Keyed by address and port of the client: over TLS, a request has another socket object than its connection. */
  readonly #byPeer = new Map<string, Connection>()
  /** Keyed by client; of both, those come first on which nothing has begun or ended for the longest time. */
  readonly #byKey = new Map<string, Set<Connection>>()
  /** Keyed by the socket of their requests. */
  readonly #bySocket = new WeakMap<Socket, Connection>()
  #listeners: readonly RequestListener[] = []
  #accepted = 0
  #open = 0
  /** Connections that wait to be closed. */
  #cutConnections = 0

  constructor(limit: number, limitCounts: LimitCounts) {
    this.#limit = limit
    this.#limitCounts = limitCounts
  }

  /** Connections so far. */
  get accepted(): number {
    return this.#accepted
  }

  /** Connections that are open. Node's own count leaves out those that waited for the start, and its `close` waits for the others alone. */
  get open(): number {
    return this.#open
  }

  watch({ server }: FastifyInstance): void {
    this.#listeners = server.listeners('request') as RequestListener[]
    server.removeAllListeners('request').on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.#receive({ request, response })
    })
    server.on('connection', (socket: Socket) => {
      this.#accepted += 1
      this.#open += 1
      socket.once('close', () => {
        this.#open -= 1
      })
      this.#accept(socket)
    })
  }

  /** Closes connections without a request so far, which browsers open in advance: the server's `close` would wait for them. */
  closeUnused(): void {
    for (const { hasAsked, socket } of this.#byPeer.values()) if (!hasAsked) socket.destroy()
  }

  /**
   * Calls `act` when the requests that came whole are answered; immediately if there are none. Incomplete requests are not
   * answered any more: bytes that cannot be read belong to them, or follow them.
   */
  afterAnswers(socket: Socket, act: () => void): void {
    const connection = this.#bySocket.get(socket)
    if (connection?.isOverloaded) return
    if (!connection?.answering?.request.complete) {
      act()
      return
    }
    connection.waiting = connection.waiting.filter(({ request }) => request.complete)
    connection.afterAll = act
    readOn(connection, socket)
  }

  #accept(socket: Socket): void {
    const address = socket.remoteAddress
    // Reset before it was accepted.
    if (address === undefined) {
      socket.destroy()
      return
    }
    if (this.#byPeer.size >= this.#limit) {
      this.#limitCounts.add('connections')
      const silent = this.#findSilent()
      if (!silent) {
        socket.destroy()
        return
      }
      this.#forget(silent)
      silent.socket.destroy()
    }
    const connection = connectionOf(socket, address)
    this.#byPeer.set(connection.peer, connection)
    const sameKey = this.#byKey.get(connection.key)
    if (sameKey) sameKey.add(connection)
    else this.#byKey.set(connection.key, new Set([connection]))
    socket.once('close', () => this.#forget(connection))
  }

  #findSilent(): Connection | undefined {
    let max = 0
    let found: Connection | undefined
    for (const connections of this.#byKey.values()) {
      if (connections.size <= max) continue
      // A request that has not come whole may wait for its turn to do so.
      const silent =
        connections.values().find(({ answering }) => !answering) ??
        connections.values().find(({ answering }) => !answering?.request.complete)
      if (!silent) continue
      found = silent
      max = connections.size
    }
    return found
  }

  #forget(connection: Connection): void {
    const { peer, key } = connection
    const sameKey = this.#byKey.get(key)
    sameKey?.delete(connection)
    if (sameKey?.size === 0) this.#byKey.delete(key)
    if (this.#byPeer.get(peer) === connection) this.#byPeer.delete(peer)
  }

  #receive(exchange: Exchange): void {
    const { socket } = exchange.request
    const connection = this.#bySocket.get(socket) ?? this.#begin(socket)
    if (!connection) socket.destroy()
    else if (connection.isOverloaded) return
    else if (!connection.answering) this.#answer(connection, exchange)
    else if (connection.waiting.length < maxUnanswered - 1) {
      connection.waiting.push(exchange)
      if (connection.waiting.length === 1) socket.on('resume', pause).pause()
    } else this.#cut(connection, socket)
  }

  #begin(socket: Socket): Connection | undefined {
    const address = socket.remoteAddress
    // Reset before the first request was read: there is no client to answer, and no address to record.
    if (address === undefined) return undefined
    // The system forgets the address of a connection that is reset; audit and limits need it to the end of the request.
    Object.defineProperty(socket, 'remoteAddress', { value: address })
    const connection = this.#byPeer.get(peerOf(socket)) ?? connectionOf(socket, address)
    connection.hasAsked = true
    this.#bySocket.set(socket, connection)
    return connection
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

  #answer(connection: Connection, exchange: Exchange): void {
    const { request, response } = exchange
    this.#note(connection, exchange)
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
    this.#note(connection, undefined)
    connection.afterAll?.()
  }

  /** Notes what is answered from now on, if anything, and puts the connection behind those that have been silent longer. */
  #note(connection: Connection, answering: Exchange | undefined): void {
    connection.answering = answering
    const { key } = connection
    const sameKey = this.#byKey.get(key)
    if (!sameKey?.delete(connection)) return
    sameKey.add(connection)
    this.#byKey.delete(key)
    this.#byKey.set(key, sameKey)
  }
}

function connectionOf(socket: Socket, address: string): Connection {
  return {
    socket,
    peer: peerOf(socket),
    key: addressKey(address),
    hasAsked: false,
    answering: undefined,
    waiting: [],
    isOverloaded: false,
    afterAll: undefined,
  }
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}
