import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { readConfig } from '../../src/config.ts'
import type { Clock } from '../../src/outgoing/answer.ts'
import { openOutgoing } from '../../src/outgoing/outgoing.ts'
import type { Certificate } from '../support/portal/certificate.ts'

/** A clock that stands still; what waits for it is called when a test lets time pass. */
export class StillClock implements Clock {
  time = Date.UTC(2026, 10, 30, 12)
  readonly waiting = new Set<{ readonly milliseconds: number; readonly callback: () => void }>()

  now = () => this.time

  after(milliseconds: number, callback: () => void) {
    const timer = { milliseconds, callback }
    this.waiting.add(timer)
    return () => void this.waiting.delete(timer)
  }

  pass(milliseconds: number): true {
    this.time += milliseconds
    for (const timer of this.waiting) if (timer.milliseconds <= milliseconds) timer.callback()
    return true
  }
}

/** A receiver on this machine, which counts its connections and keeps what it is sent. */
export class Receiver {
  readonly server: Server
  connections = 0
  received = ''
  readonly #sockets = new Set<Socket>()

  /** Answers when a request is whole, or is none; otherwise it closes the connection then. */
  constructor(answer: (socket: Socket) => void = (socket) => socket.destroy(), certificate?: Certificate) {
    const take = (socket: Socket) =>
      socket
        .on('error', () => undefined)
        .on('data', (bytes) => {
          this.received += bytes.toString('latin1')
          if (this.received.endsWith(body) || !this.received.startsWith('POST ')) answer(socket)
        })
    this.server = certificate
      ? createTlsServer({ ...certificate, noDelay: true }, take)
      : createServer({ noDelay: true }, take)
    this.server
      .on('tlsClientError', () => undefined)
      .on('connection', (socket: Socket) => {
        this.connections += 1
        this.#sockets.add(socket.on('error', () => undefined).on('close', () => this.#sockets.delete(socket)))
      })
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port
  }

  get openSockets(): number {
    return this.#sockets.size
  }

  async [Symbol.asyncDispose]() {
    for (const socket of this.#sockets) socket.destroy()
    this.server.close()
    await once(this.server, 'close')
  }
}

export async function startReceiver(answer?: (socket: Socket) => void, certificate?: Certificate): Promise<Receiver> {
  const receiver = new Receiver(answer, certificate)
  receiver.server.listen(0, '127.0.0.1')
  await once(receiver.server, 'listening')
  return receiver
}

export const body = '{"events":[]}'
export const publicAddress = '93.184.216.34'
export const timeout = 10_000

interface WorldOptions {
  readonly names?: Readonly<Record<string, readonly string[] | (() => readonly string[] | Promise<never>)>>
  /** WEBHOOK_ALLOWED_HOSTS. */
  readonly allowed?: string
  readonly publicUrl?: string
  readonly ports?: readonly number[]
  readonly services?: readonly { readonly host: string; readonly port: number }[]
  readonly authorities?: string
  /** Takes the place of a connection, where it returns one. */
  readonly connect?: (address: string, port: number) => Socket | undefined
}

/** Outgoing requests in a network where each address leads to this machine. */
export function openWorld({ names = {}, allowed = '', authorities, ...given }: WorldOptions = {}) {
  const clock = new StillClock()
  const asked: string[] = []
  const dialled: string[] = []
  const { allowedHosts } = readConfig({ WEBHOOK_ALLOWED_HOSTS: allowed }).webhooks
  const refused = {
    publicUrl: given.publicUrl ?? 'https://maps.example.com/portal',
    ports: given.ports ?? [],
    services: given.services ?? [],
  }
  const outgoing = openOutgoing({
    allowedHosts,
    refused,
    authorities,
    clock,
    network: {
      async resolve(name) {
        asked.push(name)
        const found = names[name]
        if (found === undefined) throw new Error(`getaddrinfo ENOTFOUND ${name}`)
        return typeof found === 'function' ? await found() : found
      },
      connect(address, port) {
        dialled.push(address)
        return given.connect?.(address, port) ?? connect({ host: '127.0.0.1', port })
      },
      listOwnAddresses: () => ['192.168.7.7', '2a00:1450::7'],
    },
  })
  const post = (url: string) =>
    outgoing.post({ url, headers: { 'content-length': String(body.length) }, body: Buffer.from(body), timeout })
  return { findRefusal: outgoing.findRefusal, post, clock, asked, dialled }
}
