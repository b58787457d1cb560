import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { methodNotAllowed, type PortalError } from '../../errors.ts'
import { chooseLanguage, isLanguage } from '../../languages.ts'
import { readLanguages } from '../decoding/accept.ts'
import type { RequestParameters } from '../decoding/request-parameters.ts'
import { findPasswordRefusal, parametersOf } from '../requests/context.ts'
import type { Exchange, Gate } from '../requests/gate.ts'
import type { ServerContext } from '../requests/runner.ts'
import type { Sender } from '../requests/sender.ts'
import { bodyBytesOf } from '../transport/bodies.ts'
import { isHead } from '../transport/head.ts'
import { authorizeRows } from './authorize.ts'
import { lostPasswordRows } from './lost-password.ts'
import { newPasswordRows } from './new-password.ts'
import { formatPage, policyOf, refusedPage } from './page.ts'
import { findText, openPageContext, type PageContext } from './page-context.ts'
import type { AskedAgain, PageAnswer, PageRow } from './page-row.ts'
import { providerRows } from './provider/rows.ts'
import { openSessionCookie, type SessionCookie } from './session-cookie.ts'
import { signOutRows } from './sign-out.ts'
import { PageTexts } from './texts.ts'

/** Every page of sign-in. */
export const pageTable: readonly PageRow[] = [
  ...authorizeRows,
  ...newPasswordRows,
  ...lostPasswordRows,
  ...signOutRows,
  ...providerRows,
]

export interface PageSettings {
  readonly contextPath: string
  readonly server: ServerContext
}

/** Adds the pages of sign-in. */
export function registerPages(app: FastifyInstance, gate: Gate, settings: PageSettings): void {
  const { contextPath, server } = settings
  let opened: SessionCookie | undefined
  // At the first request: before the server listens, its port may not be known.
  const sessionCookie = () => (opened ??= openSessionCookie(server.publicUrl(), contextPath))

  for (const row of pageTable) {
    // No page of another origin reads them: they know who is signed in.
    const config = {
      cors: false,
      operation: row.id,
      isExchange: true as const,
      ...(row.checksPassword && { checksPassword: true as const }),
    }
    const handler = (request: FastifyRequest, reply: FastifyReply) =>
      gate.pass(request, reply, async () => new PageExchange(row, request, reply, settings, sessionCookie()))
    const base = row.isAtRoot ? contextPath : `${contextPath}/sharing/rest`
    app.route({ method: ['GET', 'POST'], url: `${base}${row.path}`, config, handler })
  }
}

/** A request of a page, and the page that answers it. */
class PageExchange implements Exchange {
  /** No token counts here. */
  readonly tokenHash = undefined
  readonly isSearch = false
  readonly #row: PageRow
  readonly #request: FastifyRequest
  readonly #reply: FastifyReply
  readonly #settings: PageSettings
  readonly #cookie: SessionCookie
  #context: PageContext | undefined
  #texts: PageTexts
  /** The language that this request chooses. */
  #chosen: string | undefined

  constructor(
    row: PageRow,
    request: FastifyRequest,
    reply: FastifyReply,
    settings: PageSettings,
    cookie: SessionCookie,
  ) {
    this.#row = row
    this.#request = request
    this.#reply = reply
    this.#settings = settings
    this.#cookie = cookie
    this.#texts = this.#findTexts(undefined)
  }

  get task() {
    return this.#row.task
  }

  get bodyBytes() {
    return bodyBytesOf(this.#request)
  }

  async answer(sender: Sender): Promise<FastifyReply> {
    const { effect, methods } = this.#row
    const request = this.#request
    const reply = this.#reply
    // A page that both methods show changes nothing by GET.
    const changes = effect === 'change' && !methods.includes('POST')
    if (!methods.some((method) => method === request.method) || (changes && isHead(request))) {
      throw methodNotAllowed(methods, `Only ${methods.join(' and ')} is used here.`)
    }
    const parameters = await parametersOf(request, undefined)
    const { contextPath, server } = this.#settings
    this.#texts = this.#findTexts(parameters)
    this.#context = openPageContext(this.#row, { request, reply, parameters, sender }, server, {
      texts: this.#texts,
      contextPath,
      session: isShownAlone(request) ? this.#cookie.read(request.headers) : undefined,
      cookies: this.#cookie.readOthers(request.headers),
    })
    const refusal = findPasswordRefusal(parameters)
    if (refusal) throw refusal
    return this.#send(await this.#row.answer(this.#context.visit), this.#findAgain())
  }

  /** The language that was chosen on these pages, that of the app, or that of the browser. */
  #findTexts(parameters: RequestParameters | undefined): PageTexts {
    const { headers } = this.#request
    const find = (name: string) => parameters && findText(parameters, name)
    const chosen = find('language')
    this.#chosen = chosen !== undefined && isLanguage(chosen) ? chosen : undefined
    const kept = this.#cookie.readOthers(headers).given.get(languageCookie)
    const wanted = [this.#chosen, kept, find('locale'), ...readLanguages(headers['accept-language'])]
    return new PageTexts(chooseLanguage(wanted))
  }

  /** The request itself, where it was made by an address that may be opened again. */
  #findAgain(): AskedAgain | undefined {
    if (this.#request.method !== 'GET' || this.#row.isAtRoot) return undefined
    const [path = '', query] = this.#request.url.split('?', 2)
    const fields = [...new URLSearchParams(query)].filter(([name]) => name.toLowerCase() !== 'language')
    return { method: 'get', action: path, fields }
  }

  async recordRefusal(thrown: unknown): Promise<void> {
    await this.#context?.runner.recordRefusal(thrown)
  }

  async sendRefusal(failure: PortalError): Promise<FastifyReply> {
    const own = this.#context && (await this.#row.answerRefusal?.(this.#context.visit, failure))
    const { code, message, details, reasons } = failure
    return this.#send(own ?? refusedPage(this.#texts, code, [message, ...details, ...reasons].join(' ')))
  }

  #send(answer: PageAnswer, again?: AskedAgain): FastifyReply {
    const reply = this.#reply
    const language = this.#chosen && this.#keepLanguage(this.#chosen)
    const session = answer.session === undefined ? undefined : this.#cookie.write(answer.session)
    for (const one of [session, language, ...(answer.cookies ?? [])])
      if (one !== undefined) reply.header('set-cookie', one)
    // `same-origin`, as the form's own origin would be sent as "null" otherwise (observed).
    reply.header('referrer-policy', 'same-origin')
    if ('redirect' in answer) {
      reply.outcome = 303
      return reply.code(303).header('location', answer.redirect).send()
    }
    if ('json' in answer) {
      reply.outcome = answer.status
      return reply.code(answer.status).send(answer.json)
    }
    reply.outcome = answer.outcome ?? 200
    return reply
      .headers({ 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policyOf(answer) })
      .send(
        formatPage(answer, {
          contextPath: this.#settings.contextPath,
          texts: this.#texts,
          again: answer.again ?? again,
        }),
      )
  }

  #keepLanguage(language: string): string {
    return this.#cookie.readOthers(this.#request.headers).write(languageCookie, language, languageSeconds)
  }
}

/** Name of the cookie of the language, after that of the session; nothing else is in it. */
const languageCookie = 'language'
/** A year (chosen). */
const languageSeconds = 365 * 24 * 60 * 60

/** Whether the answer becomes a page of its own: neither a part of another page nor what a script reads. */
function isShownAlone({ headers }: FastifyRequest): boolean {
  const destination = headers['sec-fetch-dest']
  return destination === undefined || destination === 'document'
}
