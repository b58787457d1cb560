import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** The way to a database, on which everything can come to a stand without a connection being cut. */
export class StallingNetwork implements AsyncDisposable {
  readonly #server: Server
  readonly #target: URL
  readonly #sockets = new Set<Socket>()
  #isStalled = false

  private constructor(target: URL) {
    this.#target = target
    this.#server = createServer((client) => {
      const database = connect(Number(target.port), target.hostname)
      this.#join(client, database)
      this.#join(database, client)
    })
  }

  static async open(databaseUrl: string): Promise<StallingNetwork> {
    const network = new StallingNetwork(new URL(databaseUrl))
    network.#server.listen(0, '127.0.0.1')
    await once(network.#server, 'listening')
    return network
  }

  /** The database, by this way. */
  get url(): string {
    const url = new URL(this.#target)
    url.hostname = '127.0.0.1'
    url.port = String((this.#server.address() as AddressInfo).port)
    return url.href
  }

  /** Holds up all bytes from now on, in either direction. */
  stall(): void {
    this.#isStalled = true
    for (const socket of this.#sockets) socket.pause()
  }

  /** Delivers held-up data, and all that follows. */
  resume(): void {
    this.#isStalled = false
    for (const socket of this.#sockets) socket.resume()
  }

  #join(from: Socket, to: Socket): void {
    this.#sockets.add(from)
    from.on('data', (bytes: Buffer) => to.write(bytes))
    from.on('error', () => to.destroy())
    from.on('close', () => {
      this.#sockets.delete(from)
      to.destroy()
    })
    if (this.#isStalled) from.pause()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
    await once(this.#server, 'close')
  }
}
