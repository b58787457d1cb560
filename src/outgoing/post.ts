import type { EventEmitter } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { isIP, type Socket } from 'node:net'
import { connect as connectTls, type SecureContext } from 'node:tls'
import { type Clock, findRetryAfter, readText } from './answer.ts'
import { type Gate, type LookUp, parseAddress } from './gate.ts'

export interface OutgoingRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** Milliseconds from the look-up of the name to the status line. */
  readonly timeout: number
}

/** Why there is no answer: a closed list, without codes of the system, addresses and ports. */
export type NoAnswer =
  | 'address not allowed'
  | 'name not found'
  | 'no connection'
  | 'no answer in time'
  | 'certificate not trusted'
  | 'answer not understood'

interface Answer {
  readonly status: number
  /** Beginning of the body, at most 256 bytes; undefined for hosts that the setting names. */
  readonly text: string | undefined
  /** Milliseconds, at most an hour, that 429 and 503 ask to wait. */
  readonly retryAfter: number | undefined
}

/** Milliseconds are those to the status line, or to the failure. */
export type Outcome = (Answer | { readonly failure: NoAnswer }) & { readonly tookMs: number }

interface Sending {
  readonly gate: Gate
  readonly lookUp: LookUp
  /** Connects to an address, which is never a name. */
  readonly connect: (address: string, port: number) => Socket
  readonly secureContext: SecureContext
  readonly clock: Clock
}

/** Bytes of the head of an answer. */
const maxHeaderSize = 16_384

class Failed extends Error {
  readonly failure: NoAnswer

  constructor(failure: NoAnswer) {
    super(failure)
    this.failure = failure
  }
}

/**
 * One request by POST: the second gate judges the addresses, and the connection goes to one of them. Redirects are not followed,
 * no proxy of the environment is asked, and the connection is closed at the end.
 */
export async function post(sent: OutgoingRequest, { gate, lookUp, clock, ...sending }: Sending): Promise<Outcome> {
  const began = clock.now()
  const tookMs = () => Math.max(0, clock.now() - began)
  const sockets: Socket[] = []
  let ofDelay: NoAnswer = 'name not found'
  let isOver = false
  const { promise: late, reject } = Promise.withResolvers<never>()
  const cancel = clock.after(sent.timeout, () => reject(new Failed(ofDelay)))
  const inTime = <Done>(work: Promise<Done>) => Promise.race([work, late])

  /** Connects to the first of the addresses that takes the connection. */
  async function connectToOne([address = '', ...others]: readonly string[], port: number): Promise<Socket> {
    try {
      const socket = sending.connect(address, port)
      sockets.push(socket)
      return await occurs(socket, 'connect', socket)
    } catch {
      if (others.length > 0 && !isOver) return connectToOne(others, port)
      throw new Failed('no connection')
    }
  }

  try {
    const url = parseAddress(sent.url)
    if (typeof url === 'string') throw new Failed('address not allowed')
    const { host, port, addresses, problem, isNamed } = await inTime(gate(url, lookUp))
    if (addresses.length === 0 && problem !== 'self') throw new Failed('name not found')
    if (problem !== undefined) throw new Failed('address not allowed')
    ofDelay = 'no connection'
    const socket = await inTime(connectToOne(addresses, port))
    ofDelay = 'no answer in time'
    const channel = url.protocol === 'https:' ? await inTime(secure(socket, host, sending.secureContext)) : socket
    const response = await inTime(exchange(channel, url, sent))
    const took = tookMs()
    cancel()
    const text = await readText(response, clock)
    const retryAfter = findRetryAfter(response, clock.now())
    return { status: response.statusCode!, text: isNamed ? undefined : text, retryAfter, tookMs: took }
  } catch (error) {
    if (error instanceof Failed) return { failure: error.failure, tookMs: tookMs() }
    throw error
  } finally {
    cancel()
    isOver = true
    for (const socket of sockets) socket.destroy()
  }
}

async function secure(socket: Socket, host: string, secureContext: SecureContext): Promise<Socket> {
  const servername = isIP(host) > 0 ? '' : host
  // Otherwise a variable of the environment decides whether certificates count.
  const channel = connectTls({ socket, host, servername, secureContext, rejectUnauthorized: true })
  try {
    return await occurs(channel, 'secureConnect', channel)
  } catch (error) {
    if (channel.authorizationError) throw new Failed('certificate not trusted')
    const isOfProtocol = /^(?:EPROTO|ERR_SSL_)/.test(String((error as { readonly code?: unknown }).code))
    throw new Failed(isOfProtocol ? 'answer not understood' : 'no connection')
  }
}

async function exchange(channel: Socket, url: URL, { headers, body }: OutgoingRequest): Promise<IncomingMessage> {
  const outgoing = request({
    // Without an agent, which would look the name up, keep the connection, or take a proxy.
    createConnection: () => channel,
    method: 'POST',
    path: `${url.pathname}${url.search}`,
    headers: { host: url.host, ...headers },
    maxHeaderSize,
    insecureHTTPParser: false,
  })
  const response = occurs<IncomingMessage>(outgoing, 'response')
  outgoing.end(body)
  try {
    return await response
  } catch {
    throw new Failed(channel.bytesRead > 0 ? 'answer not understood' : 'no connection')
  }
}

/** Waits for the event, and rejects where an error or the end comes first. Returns its value, unless another is given. */
function occurs<Value>(emitter: EventEmitter, event: string, given?: Value): Promise<Value> {
  return new Promise((resolve, reject) => {
    emitter.once(event, (value: Value) => resolve(given ?? value))
    emitter.on('error', reject).on('close', () => reject(new Error('closed')))
  })
}
