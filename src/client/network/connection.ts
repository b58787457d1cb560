import { isObject } from '../../json-text.ts'
import { CommandError, untried } from '../failure.ts'
import { parseJson } from '../files/file.ts'
import { AnswerLost, type HttpAnswer, type Transport } from './transport.ts'

/** Parameters of a call; what is undefined is not sent. */
export type Parameters = Readonly<Record<string, string | number | boolean | undefined>>
export type Answer = Readonly<Record<string, unknown>>

export interface CallOptions {
  /** A write goes as POST, and its parameters in the body. */
  readonly isWrite?: boolean
  /** Whether a write that is sent twice has the effect of one: it is repeated like a read. */
  readonly isRepeatable?: boolean
  readonly isAnonymous?: boolean
}

export interface ConnectionSettings {
  /** Address of the portal, without `/sharing/rest` and without a slash at its end. */
  readonly url: string
  readonly transport: Transport
  /** Repetitions of a call that fails for the moment. */
  readonly retries: number
  wait(milliseconds: number): Promise<void>
  /** Milliseconds between the beginnings of two requests at least. */
  readonly interval?: number
  /** Takes a line about each request, where that was asked for. */
  readonly log?: ((line: string) => void) | undefined
  /** The token that calls carry; undefined for none. */
  token?(): Promise<string | undefined>
  /** Another token after the present one was refused (498); undefined where none can be had without a person. */
  renew?(): Promise<string | undefined>
}

const delays = [1_000, 4_000, 10_000]
/** Maximum wait that a portal may ask for, in seconds; after more, the command ends with an error. */
const maxRetryAfter = 60
const busyCodes: ReadonlySet<number> = new Set([429, 502, 503, 504])
/** Characters of parameters above which a read goes as POST: addresses are limited (chosen). */
const maxQuery = 1_500

/** An error that the portal answered; the command is refused, or could not be tried. */
export class PortalRefused extends CommandError {}

/** Calls the API of one portal. The token goes in a header, never in an address. */
export class Connection {
  readonly url: string
  readonly #settings: ConnectionSettings
  /** When the next request may begin. */
  #nextAt = 0
  #token: string | undefined

  constructor(settings: ConnectionSettings) {
    this.url = settings.url
    this.#settings = settings
  }

  /**
   * The JSON object that the portal answers to `path` below `/sharing/rest`. Throws `PortalRefused` for an error of the API,
   * `AnswerLost` for a write whose effect is not known, and `CommandError` with exit code 2 for everything else.
   */
  call(path: string, parameters: Parameters = {}, options: CallOptions = {}): Promise<Answer> {
    return this.#ask(path, parameters, options, readAnswer)
  }

  /** The bytes of the file that the portal answers, as they are. Throws as `call` does. */
  download(path: string, parameters: Parameters = {}, options: CallOptions = {}): Promise<Buffer> {
    return this.#ask(path, parameters, options, readFile)
  }

  /** The text that the portal answers to a read of `path`, whatever it is; errors are those of `call`. */
  text(path: string): Promise<string> {
    return this.#ask(path, {}, {}, readText)
  }

  wait(milliseconds: number): Promise<void> {
    return this.#settings.wait(milliseconds)
  }

  async #ask<T>(path: string, parameters: Parameters, options: CallOptions, read: Reader<T>): Promise<T> {
    const answer = await this.#askWithToken(path, parameters, options, read)
    if (!(answer instanceof PortalRefused)) return answer
    if (answer.portalCode !== 498 || options.isAnonymous) throw answer
    this.#token = await this.#settings.renew?.()
    if (this.#token === undefined) throw answer
    const again = await this.#askWithToken(path, parameters, options, read)
    if (again instanceof PortalRefused) throw again
    return again
  }

  async #askWithToken<T>(
    path: string,
    parameters: Parameters,
    options: CallOptions,
    read: Reader<T>,
  ): Promise<T | PortalRefused> {
    if (!options.isAnonymous) this.#token ??= await this.#settings.token?.()
    if (this.#token !== undefined && !/^[!-~]+$/.test(this.#token)) {
      throw untried('The token has a blank, a line end or another sign that no token has.')
    }
    const mayRepeat = !options.isWrite || options.isRepeatable === true
    for (let attempt = 0; ; attempt += 1) {
      const isLast = !mayRepeat || attempt >= this.#settings.retries
      let delay = delays[attempt] ?? delays.at(-1)!
      try {
        const answer = await this.#send(path, parameters, options)
        const outcome = read(answer, this.url)
        if (!(outcome instanceof PortalRefused)) return outcome
        if (!busyCodes.has(outcome.portalCode!) || isLast) return outcome
        const asked = Number(answer.headers['retry-after'] ?? 0)
        if (asked > maxRetryAfter) return outcome
        delay = Math.max(delay, (asked || 0) * 1_000)
      } catch (error) {
        if (!(error instanceof AnswerLost)) throw error
        if (isLast) throw options.isWrite ? error : untried(error.message)
      }
      await this.#settings.wait(delay)
    }
  }

  async #send(path: string, parameters: Parameters, { isWrite, isAnonymous }: CallOptions): Promise<HttpAnswer> {
    const given = Object.entries({ f: 'json', ...parameters }).filter(([, value]) => value !== undefined)
    const form = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString()
    const isPost = isWrite === true || form.length > maxQuery
    const url = new URL(`${this.url}/sharing/rest${path}${isPost ? '' : `?${form}`}`)
    const headers = {
      Accept: 'application/json',
      // ArcGIS binds tokens of generateToken to it.
      Referer: this.url,
      ...(this.#token !== undefined && !isAnonymous && { 'X-Esri-Authorization': `Bearer ${this.#token}` }),
    }
    const { interval = 0 } = this.#settings
    const early = this.#nextAt - performance.now()
    if (early > 0) await this.#settings.wait(early)
    const begun = performance.now()
    this.#nextAt = begun + interval
    const method = isPost ? 'POST' : 'GET'
    const named = `${method} ${url.origin}${url.pathname}`
    const log = (outcome: string) =>
      this.#settings.log?.(`${named} ${outcome} ${Math.round(performance.now() - begun)} ms`)
    try {
      const answer = await this.#settings.transport.send({ method, url, headers, ...(isPost && { body: form }) })
      log(String(answer.status))
      return answer
    } catch (error) {
      log('failed')
      throw error
    }
  }
}

/** Reads an answer, or the error in it. */
type Reader<T> = (answer: HttpAnswer, url: string) => T | PortalRefused

function readAnswer({ status, body }: HttpAnswer, url: string): Answer | PortalRefused {
  const text = body.toString()
  const answer = parseJson(text)
  return findRefusal(status, answer, url) ?? (isObject(answer) ? answer : describeOther(status, text, answer, url))
}

function readFile({ status, body }: HttpAnswer, url: string): Buffer | PortalRefused {
  const text = body.toString()
  const answer = parseJson(text)
  const refused = findRefusal(status, answer, url)
  if (refused) return refused
  return status < 400 && !/^\s*(?:<|$)/.test(text) ? body : describeOther(status, text, answer, url)
}

function readText(answer: HttpAnswer, url: string): string | PortalRefused {
  const text = answer.body.toString()
  const value = parseJson(text)
  const isError = answer.status >= 400 || (isObject(value) && isObject(value['error']))
  const read = isError ? readAnswer(answer, url) : text
  return read instanceof PortalRefused ? read : text
}

/** The error of an answer: ArcGIS gives the code of an error in the body, whatever the status. */
function findRefusal(status: number, answer: unknown, url: string): PortalRefused | undefined {
  if (!isObject(answer)) return undefined
  const { error, error_description: described } = answer
  if (isObject(error)) {
    const { code, message, details } = error
    const sentences = Array.isArray(details) ? details.filter((one) => typeof one === 'string') : []
    const text = typeof message === 'string' && message !== '' ? message : `${url} answers with an error.`
    return refusal(typeof code === 'number' ? code : status, text, sentences)
  }
  if (typeof error === 'string') return refusal(status, typeof described === 'string' ? described : error)
  return status >= 400 ? refusal(status, `${url} answers with status ${status}.`) : undefined
}

/** The error of an answer that is none of this API; one of a proxy may be another one later. */
function describeOther(status: number, body: string, answer: unknown, url: string): PortalRefused {
  if (busyCodes.has(status)) return refusal(status, `${url} answers with status ${status}.`)
  throw untried(`${url} does not answer as a portal does: ${describe(body, answer)}, status ${status}.`)
}

function describe(body: string, answer: unknown): string {
  if (answer !== undefined) return 'no JSON object'
  if (body.trim() === '') return 'nothing'
  return body.trimStart().startsWith('<') ? 'HTML' : 'no JSON'
}

/** Whether a portal says that the token is missing, wrong or ended. */
export function isSignInRefused({ portalCode }: CommandError): boolean {
  return portalCode === 498 || portalCode === 499
}

function refusal(code: number, message: string, details: readonly string[] = []): PortalRefused {
  const facts = { details, portalCode: code }
  const isBusy = code === 429 || code >= 500
  const error = new PortalRefused(isBusy ? 2 : 1, message, facts)
  return isSignInRefused(error) ? new PortalRefused(2, `${message} Sign in with cartulary login.`, facts) : error
}
