import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** The way to a PostgreSQL server: whatever is sent passes, until a test says otherwise. */
export class FaultyNetwork implements AsyncDisposable {
  readonly #target: URL
  readonly #links = new Set<Link>()
  readonly #state: State = { lateness: 0, fatal: undefined, keepsEnds: false }
  #listener: Server
  #isSilent = false
  readonly #port: number
  /** Connections that were begun, whatever became of them. */
  begun = 0

  private constructor(target: URL, listener: Server) {
    this.#target = target
    this.#listener = listener
    this.#port = (listener.address() as AddressInfo).port
    this.#accept()
  }

  static async open(url: string): Promise<FaultyNetwork> {
    return new FaultyNetwork(new URL(url), await listen(0))
  }

  /** The database, as it is reached through this network. */
  get url(): string {
    const url = new URL(this.#target)
    url.host = `127.0.0.1:${this.#port}`
    return url.href
  }

  /** Connections that have not ended, as far as this network has noticed. */
  get open(): number {
    return this.#links.size
  }

  /** Sockets that this process has open towards this network. */
  clients(): number {
    const handles = (process as unknown as { _getActiveHandles(): readonly object[] })._getActiveHandles()
    return handles.filter((handle) => handle instanceof Socket && handle.remotePort === this.#port && !handle.destroyed)
      .length
  }

  /** Ends every fault. */
  async pass(): Promise<void> {
    this.#state.lateness = 0
    this.#state.fatal = undefined
    this.#state.keepsEnds = false
    this.#isSilent = false
    for (const link of this.#links) link.resume()
    if (this.#listener.listening) return
    this.#listener = await listen(this.#port)
    this.#accept()
  }

  /** Passes connections that begin from now on; those that fell silent stay silent. */
  passNew(): void {
    this.#isSilent = false
  }

  /** Every packet comes that much later, in both directions. */
  delay(milliseconds: number): void {
    this.#state.lateness = milliseconds
  }

  /** Passes bytes, and no end of a connection: one side has ended it, the other does not know. */
  keepEnds(): void {
    this.#state.keepsEnds = true
  }

  /** Ends every connection; new ones pass. */
  cut(): void {
    for (const link of this.#links) link.cut()
  }

  /** Ends every connection, and refuses new ones. */
  async refuse(): Promise<void> {
    const closed = once(this.#listener, 'close')
    this.#listener.close()
    this.cut()
    await closed
  }

  /** Keeps connections open and accepts new ones, and passes nothing: neither bytes nor ends. */
  silence(): void {
    this.#isSilent = true
    for (const link of this.#links) link.stall()
  }

  /** Cuts the first connection on which these words come, from either side, instead of passing them on. */
  cutInsteadOf(words: string): Promise<void> {
    return this.#insteadOf(words, (link) => link.cut())
  }

  /** Falls silent when these words come, instead of passing them on. */
  silenceInsteadOf(words: string): Promise<void> {
    return this.#insteadOf(words, () => this.silence())
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut()
    if (!this.#listener.listening) return
    this.#listener.close()
    await once(this.#listener, 'close')
  }

  #insteadOf(words: string, strike: (link: Link) => void): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#state.fatal = {
      words,
      strike(link) {
        strike(link)
        resolve()
      },
    }
    return promise
  }

  #accept(): void {
    this.#listener.on('connection', (client) => {
      this.begun += 1
      const link = new Link(client, this.#target, this.#state)
      this.#links.add(link)
      link.ended.then(() => this.#links.delete(link))
      if (this.#isSilent) link.stall()
      else link.resume()
    })
  }
}

interface State {
  lateness: number
  keepsEnds: boolean
  fatal: { readonly words: string; strike(link: Link): void } | undefined
}

/** One connection: the client's half and the server's, which is begun when something may pass. */
class Link {
  readonly ended: Promise<void>
  readonly #end: () => void
  readonly #client: Socket
  readonly #target: URL
  readonly #state: State
  #server: Socket | undefined
  #passable = Promise.withResolvers<void>()

  constructor(client: Socket, target: URL, state: State) {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.ended = promise
    this.#end = resolve
    this.#client = client.pause()
    this.#target = target
    this.#state = state
  }

  stall(): void {
    this.#client.pause()
    this.#server?.pause()
    this.#passable = Promise.withResolvers()
  }

  resume(): void {
    if (!this.#server) {
      this.#server = connect({ port: Number(this.#target.port), host: this.#target.hostname, allowHalfOpen: true })
      this.#carry(this.#client, this.#server)
      this.#carry(this.#server, this.#client)
    }
    this.#passable.resolve()
    this.#client.resume()
    this.#server.resume()
  }

  cut(): void {
    this.#client.destroy()
    this.#server?.destroy()
    this.#end()
  }

  #carry(from: Socket, to: Socket): void {
    let before: Promise<void> = Promise.resolve()
    const inOrder = (step: () => void) => {
      const due = performance.now() + this.#state.lateness
      before = before.then(async () => {
        await this.#passable.promise
        if (this.#state.lateness > 0) await delay(Math.max(0, due - performance.now()))
        step()
      })
    }
    from.on('data', (chunk: Buffer) => inOrder(() => this.#pass(chunk, to)))
    const unlessKept = (end: () => void) => inOrder(() => this.#state.keepsEnds || end())
    from.on('end', () => unlessKept(() => to.end()))
    from.on('error', () => unlessKept(() => this.cut()))
    from.on('close', () => unlessKept(() => this.cut()))
  }

  #pass(chunk: Buffer, to: Socket): void {
    const { fatal } = this.#state
    if (!fatal || !chunk.includes(fatal.words)) {
      to.write(chunk)
      return
    }
    this.#state.fatal = undefined
    fatal.strike(this)
  }
}

async function listen(port: number): Promise<Server> {
  const listener = createServer({ allowHalfOpen: true }).listen(port, '127.0.0.1')
  await once(listener, 'listening')
  return listener
}
