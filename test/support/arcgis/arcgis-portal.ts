import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { answers } from './answers.ts'
import { type ArcgisCall, ArcgisError } from './arcgis-call.ts'
import { bytesOf, documented, type Extension, findExtensions } from './documented.ts'
import { ItemIndex } from './item-index.ts'
import { type PortalKind, type Quirks, type Token, World } from './world.ts'

/** Misbehaviour in place of the usual answer to one request. */
export type Fault =
  | { readonly kind: 'status' | 'body'; readonly code: number; readonly retryAfter?: number }
  | { readonly kind: 'html' | 'text' | 'list' }
  /** The connection ends before the operation is done, or after it. */
  | { readonly kind: 'lost'; readonly when: 'before' | 'after' }
  /** Another person changes something just before it, or just after. */
  | { readonly kind: 'meanwhile'; readonly when: 'before' | 'after'; readonly act: () => void }
  /** The answer comes once this resolves. */
  | { readonly kind: 'slow'; readonly until: Promise<void> }
  | { readonly kind: 'redirect'; readonly to: string }

/** A request that came. */
export interface Call {
  readonly operation: string
  readonly method: string
  readonly parameters: URLSearchParams
  readonly address: string
}

interface Planned {
  readonly operation: string
  /** The next request of this operation is 1. */
  after: number
  readonly fault: Fault
}

/**
 * A portal that behaves as ArcGIS Online or ArcGIS Enterprise does by its public pages, and knows nothing of Cartulary. It has no code
 * of ours: it is what ours is judged by.
 */
export class ArcgisPortal extends World implements AsyncDisposable {
  readonly index = new ItemIndex(this)
  readonly calls: Call[] = []
  readonly extensions: Extension[] = []
  /** Address of the portal, as a person gives it. */
  url = ''
  /** Path before `/sharing/rest`: the web adaptor of ArcGIS Enterprise. */
  readonly #context: string
  readonly #planned: Planned[] = []
  readonly #server: Server

  private constructor(kind: PortalKind, quirks: Quirks, server: Server) {
    super(kind, quirks)
    this.#context = kind === 'online' ? '' : '/portal'
    this.#server = server
  }

  static async open(kind: PortalKind, quirks: Quirks = {}): Promise<ArcgisPortal> {
    const server = createServer().listen(0, '127.0.0.1').unref()
    await once(server, 'listening')
    const portal = new ArcgisPortal(kind, quirks, server)
    portal.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${portal.#context}`
    portal.addUser('anna')
    server.on('request', (request, response) => void portal.#receive(request, response))
    return portal
  }

  /** A token of the user, as if it had been asked for before. */
  tokenOf(username: string, referer?: string): string {
    const value = `token-of-${username}-${this.tokens.size}`
    this.tokens.set(value, { username, clientId: undefined, referer, isOver: false })
    return value
  }

  /** Plans a fault for the nth next request of an operation; of operations of any name for `*`. */
  plan(operation: string, fault: Fault, nth = 1): void {
    this.#planned.push({ operation, after: nth, fault })
  }

  /** Forgets the faults that no request has met; returns how many there were. */
  mend(): number {
    return this.#planned.splice(0).length
  }

  get extensionBytes(): number {
    return bytesOf(this.extensions)
  }

  /** Number of requests of an operation. */
  count(operation: string): number {
    return this.calls.filter((call) => call.operation === operation).length
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const address = new URL(request.url!, this.url)
    const parameters = new URLSearchParams(address.searchParams)
    for (const [name, value] of new URLSearchParams(await text(request))) parameters.append(name, value)
    const prefix = `${this.#context}/sharing/rest`
    const path = address.pathname.startsWith(prefix) ? address.pathname.slice(prefix.length) : undefined
    const found = path === undefined ? undefined : documented.find((operation) => operation.path.test(path))
    const received = { path: address.pathname, headers: request.headers, parameters }
    this.extensions.push(...findExtensions(found, received))
    const operation = found?.name ?? 'unknown'
    this.calls.push({ operation, method: request.method!, parameters, address: request.url! })
    const fault = this.#takeFault(operation)
    if (fault && (await this.#spoil(fault, request, response))) return

    let answer: object | Buffer
    try {
      if (!found) throw new ArcgisError(404, 'Resource does not exist or is inaccessible.')
      if (found.isPostOnly && request.method !== 'POST') throw new ArcgisError(405, 'Method Not Allowed')
      const places = found.path.exec(path!)!.groups ?? {}
      const call: ArcgisCall = { places, parameters, token: this.#tokenOf(request, parameters), root: this.url }
      answer = answers[found.name]!(this, call, this.index)
    } catch (error) {
      if (!(error instanceof ArcgisError)) throw error
      answer = errorOf(error)
    }
    if (fault?.kind === 'lost') return void request.socket.destroy()
    if (fault?.kind === 'meanwhile' && fault.when === 'after') fault.act()
    this.#send(response, answer)
  }

  #takeFault(operation: string): Fault | undefined {
    let due: Planned | undefined
    for (const planned of this.#planned) {
      if (planned.operation !== operation && planned.operation !== '*') continue
      planned.after -= 1
      if (planned.after === 0) due ??= planned
    }
    if (due) this.#planned.splice(this.#planned.indexOf(due), 1)
    return due?.fault
  }

  /** Whether the request is answered, or never will be. */
  async #spoil(fault: Fault, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const page = '<!DOCTYPE html><html><body><h1>Bad gateway</h1></body></html>'
    switch (fault.kind) {
      case 'lost':
        if (fault.when === 'before') request.socket.destroy()
        return fault.when === 'before'
      case 'meanwhile':
        if (fault.when === 'before') fault.act()
        return false
      case 'slow':
        await fault.until
        return false
      case 'redirect':
        response.writeHead(302, { location: fault.to }).end()
        return true
      case 'html':
        response.writeHead(200, { 'content-type': 'text/html' }).end(page)
        return true
      case 'text':
        response.writeHead(200, { 'content-type': 'text/plain' }).end('OK')
        return true
      case 'list':
        response.writeHead(200, { 'content-type': 'application/json' }).end('[]')
        return true
      default: {
        if (fault.retryAfter !== undefined) response.setHeader('retry-after', fault.retryAfter)
        if (fault.kind === 'body') this.#send(response, errorOf(new ArcgisError(fault.code, 'The portal is busy.')))
        else response.writeHead(fault.code, { 'content-type': 'text/html' }).end(page)
        return true
      }
    }
  }

  #tokenOf(request: IncomingMessage, parameters: URLSearchParams): Token | undefined {
    const header = request.headers['x-esri-authorization'] ?? request.headers.authorization
    const value = parameters.get('token') ?? /^Bearer (.+)$/.exec(String(header ?? ''))?.[1]
    if (value === undefined || value === '') return undefined
    const token = this.tokens.get(value)
    const isBound = token?.referer !== undefined && token.referer !== request.headers.referer
    if (!token || token.isOver || isBound) throw new ArcgisError(498, 'Invalid token.')
    return token
  }

  #send(response: ServerResponse, answer: object | Buffer): void {
    if (Buffer.isBuffer(answer)) {
      const disposition = 'attachment; filename="../../collaboration.invite"'
      response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-disposition': disposition })
      return void response.end(answer)
    }
    const code = (answer as { error?: { code: number } }).error?.code
    const status = this.quirks.hasErrorStatus && code !== undefined && code >= 400 ? code : 200
    response.writeHead(status, { 'content-type': 'application/json;charset=utf-8' }).end(JSON.stringify(answer))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }
}

function errorOf({ code, messageCode, message, details }: ArcgisError): object {
  return { error: { code, ...(messageCode !== undefined && { messageCode }), message, details } }
}
