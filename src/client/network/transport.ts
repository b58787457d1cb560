import { once } from 'node:events'
import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from 'node:http'
import { systemCode, untried } from '../failure.ts'

/** An answer is read up to this size. */
const maxAnswerBytes = 32 * 1024 * 1024

export interface HttpRequest {
  readonly method: 'GET' | 'POST'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface HttpAnswer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

/** The connection ended after the request was sent: its effect is not known. */
export class AnswerLost extends Error {
  override readonly name = 'AnswerLost'
}

type HttpClient = Readonly<{ agent: Agent; request(url: URL, options: RequestOptions): ClientRequest }>

export interface TransportSettings {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly signal: AbortSignal
  readonly timeoutSeconds: number
  /** Certificates (PEM) that are trusted besides those of Node. */
  readCa?(): Promise<string | undefined>
}

/**
 * Sends requests to one portal, whose connection is kept for the next one. Certificates are always verified, whatever
 * NODE_TLS_REJECT_UNAUTHORIZED says. Proxies come from HTTPS_PROXY, HTTP_PROXY and NO_PROXY where this Node knows them.
 */
export class Transport {
  readonly #settings: TransportSettings
  #client: Promise<HttpClient> | undefined

  constructor(settings: TransportSettings) {
    this.#settings = settings
  }

  /** Node's modules of HTTP are loaded with the first request: most of what they need is TLS. */
  async #open(isSecure: boolean): Promise<HttpClient> {
    const { environment, readCa } = this.#settings
    const ca = await readCa?.()
    const options = { keepAlive: true, maxSockets: 1, proxyEnv: { ...environment } }
    if (!isSecure) {
      const { Agent, request } = await import('node:http')
      return { agent: new Agent(options), request }
    }
    const { Agent, request } = await import('node:https')
    const trusted = ca === undefined ? {} : { ca: [...(await defaultCertificates()), ca] }
    return { agent: new Agent({ ...options, rejectUnauthorized: true, ...trusted }), request }
  }

  /** A redirect is refused: no operation of the API has one, and a token would go elsewhere. */
  async send({ method, url, headers, body }: HttpRequest): Promise<HttpAnswer> {
    const { signal, timeoutSeconds } = this.#settings
    this.#client ??= this.#open(url.protocol === 'https:')
    const { agent, request } = await this.#client
    const form = body === undefined ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' }
    const sent = request(url, { method, agent, signal, headers: { ...headers, ...form } })
    // The first error is thrown below; another one may follow it.
    sent.on('error', () => undefined)
    sent.end(body)
    // AbortSignal.timeout keeps its timer until the end, and with it what thousands of requests had.
    let late: Error | undefined
    const timer = setTimeout(() => {
      late = new DOMException('Late', 'TimeoutError')
      sent.destroy(late)
    }, timeoutSeconds * 1_000)
    try {
      const [incoming]: IncomingMessage[] = await once(sent, 'response')
      const { statusCode = 0, headers: given } = incoming!
      const answer = { status: statusCode, headers: given, body: await readBody(incoming!) }
      if (statusCode < 300 || statusCode > 399) return answer
      const target = URL.parse(given.location ?? '', url.href)
      const named = target ? target.origin + target.pathname.replace(/\/$/, '') : 'no address'
      throw untried(`${url.origin} redirects to ${named}, which is not followed.`)
    } catch (error) {
      sent.destroy()
      throw signal.aborted ? signal.reason : failureOf(late ?? error, url, sent.writableFinished, timeoutSeconds)
    } finally {
      clearTimeout(timer)
    }
  }
}

/** Certificates that Node trusts without an option; the function is newer than Node 22. */
async function defaultCertificates(): Promise<readonly string[]> {
  const tls = await import('node:tls')
  return tls.getCACertificates?.('default') ?? tls.rootCertificates
}

async function readBody(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxAnswerBytes) throw untried(`The answer has more than ${maxAnswerBytes / 1024 / 1024} MiB.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** System errors before which no byte of the request was received by the portal. */
const unconnected = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EINVAL|EPROTO)$/
const ofCertificate = /CERT|SIGNATURE|UNABLE_TO_/

function failureOf(error: unknown, { origin }: URL, isSent: boolean, timeoutSeconds: number): Error {
  const code = systemCode(error) ?? ''
  if (!(error instanceof Error) || error.name === 'CommandError') return error as Error
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return untried(`The certificate of ${origin} is one of another host.`)
  }
  if (ofCertificate.test(code)) {
    return untried(`The certificate of ${origin} is not trusted; --ca names a file of certificates to trust.`)
  }
  if (unconnected.test(code)) return untried(`There is no connection to ${origin}.`)
  if (error.name === 'AbortError' || error.name === 'TimeoutError') {
    const sentence = `${origin} has not answered within ${timeoutSeconds} s.`
    return isSent ? new AnswerLost(sentence) : untried(sentence)
  }
  return new AnswerLost(`The connection to ${origin} ended before the answer.`)
}
