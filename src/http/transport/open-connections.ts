import type { IncomingMessage } from 'node:http'
import type { Server, Socket } from 'node:net'
import type { LimitCounts } from '../../limits.ts'
import { addressKey } from '../../tokens/address.ts'

/** A connection, from the moment at which it is opened. */
interface OpenConnection {
  readonly socket: Socket
  readonly peer: string
  /** Address of the client, or its /64 of IPv6. */
  readonly key: string
  /** Request that is answered now. */
  request: IncomingMessage | undefined
}

/**
 * Bounds the connections of all clients. When all are taken, a new one takes the place of the one that has been silent for
 * the longest time, of the address that holds most; where a whole request is being answered on each, the new one is closed.
 */
export class OpenConnections {
  readonly #limit: number
  readonly #limitCounts: LimitCounts
  /** By address and port of the client: over TLS, a request has another socket object than its connection. */
  readonly #byPeer = new Map<string, OpenConnection>()
  /** By what they are of; of both, those come first on which nothing has begun or ended for the longest time. */
  readonly #byKey = new Map<string, Set<OpenConnection>>()

  constructor(limit: number, limitCounts: LimitCounts) {
    this.#limit = limit
    this.#limitCounts = limitCounts
  }

  watch(server: Server): void {
    server.on('connection', (socket: Socket) => this.#open(socket))
  }

  find(socket: Socket): OpenConnection | undefined {
    return this.#byPeer.get(peerOf(socket))
  }

  /** Notes what is answered from now on, if anything. */
  note(connection: OpenConnection, request: IncomingMessage | undefined): void {
    connection.request = request
    const { key } = connection
    const sameKey = this.#byKey.get(key)
    if (!sameKey?.delete(connection)) return
    sameKey.add(connection)
    this.#byKey.delete(key)
    this.#byKey.set(key, sameKey)
  }

  #open(socket: Socket): void {
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
    const connection = { socket, peer: peerOf(socket), key: addressKey(address), request: undefined }
    this.#byPeer.set(connection.peer, connection)
    const sameKey = this.#byKey.get(connection.key)
    if (sameKey) sameKey.add(connection)
    else this.#byKey.set(connection.key, new Set([connection]))
    socket.once('close', () => this.#forget(connection))
  }

  #findSilent(): OpenConnection | undefined {
    let max = 0
    let found: OpenConnection | undefined
    for (const connections of this.#byKey.values()) {
      if (connections.size <= max) continue
      // A request that has not come whole may wait for its turn to do so.
      const silent = connections.values().find(({ request }) => !request) ?? connections.values().find(isSilent)
      if (!silent) continue
      found = silent
      max = connections.size
    }
    return found
  }

  #forget(connection: OpenConnection): void {
    const { peer, key } = connection
    const sameKey = this.#byKey.get(key)
    sameKey?.delete(connection)
    if (sameKey?.size === 0) this.#byKey.delete(key)
    if (this.#byPeer.get(peer) === connection) this.#byPeer.delete(peer)
  }
}

/** Whether nothing is answered on it; a request that has not come whole does not count. */
function isSilent({ request }: OpenConnection): boolean {
  return !request?.complete
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}
