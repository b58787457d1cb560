import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { methodNotAllowed, type PortalError } from '../../errors.ts'
import { findPasswordRefusal, parametersOf } from '../requests/context.ts'
import type { Exchange, Gate } from '../requests/gate.ts'
import type { ServerContext } from '../requests/runner.ts'
import type { Sender } from '../requests/sender.ts'
import { bodyBytesOf } from '../transport/bodies.ts'
import { authorizeRows } from './authorize.ts'
import { lostPasswordRows } from './lost-password.ts'
import { newPasswordRows } from './new-password.ts'
import { formatPage, messagePage, policyOf } from './page.ts'
import { openPageContext, type PageContext } from './page-context.ts'
import type { PageAnswer, PageRow, ShownPage } from './page-row.ts'
import { providerRows } from './provider/rows.ts'
import { openSessionCookie, type SessionCookie } from './session-cookie.ts'
import { signOutRows } from './sign-out.ts'

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

/** Adds the pages of sign-in, below both bases of the public API (observed). */
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
    for (const base of row.isAtRoot ? [''] : ['/sharing/rest', '/sharing']) {
      app.route({ method: ['GET', 'POST'], url: `${contextPath}${base}${row.path}`, config, handler })
    }
  }
}

/** A request of a page, and the page that answers it. */
class PageExchange implements Exchange {
  /** No token counts here. */
  readonly tokenHash = undefined
  readonly #row: PageRow
  readonly #request: FastifyRequest
  readonly #reply: FastifyReply
  readonly #settings: PageSettings
  readonly #cookie: SessionCookie
  #context: PageContext | undefined

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
  }

  get task() {
    return this.#row.task
  }

  get bodyBytes() {
    return bodyBytesOf(this.#request)
  }

  async answer(sender: Sender): Promise<FastifyReply> {
    const { methods } = this.#row
    const request = this.#request
    const reply = this.#reply
    if (!methods.some((method) => method === request.method)) {
      throw methodNotAllowed(methods, `Only ${methods.join(' and ')} is used here.`)
    }
    const parameters = await parametersOf(request, undefined)
    const { contextPath, server } = this.#settings
    this.#context = openPageContext(this.#row, { request, reply, parameters, sender }, server, {
      contextPath,
      session: isShownAlone(request) ? this.#cookie.read(request.headers) : undefined,
      cookies: this.#cookie.readOthers(request.headers),
    })
    const refusal = findPasswordRefusal(parameters)
    if (refusal) throw refusal
    return this.#send(await this.#row.answer(this.#context.visit))
  }

  async recordRefusal(thrown: unknown): Promise<void> {
    await this.#context?.runner.recordRefusal(thrown)
  }

  async sendRefusal(failure: PortalError): Promise<FastifyReply> {
    const own = this.#context && (await this.#row.answerRefusal?.(this.#context.visit, failure))
    return this.#send(own ?? refusalPage(failure))
  }

  #send(answer: PageAnswer): FastifyReply {
    const reply = this.#reply
    const session = answer.session === undefined ? undefined : this.#cookie.write(answer.session)
    for (const one of [session, ...(answer.cookies ?? [])]) if (one !== undefined) reply.header('set-cookie', one)
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
      .send(formatPage(answer, this.#settings.contextPath))
  }
}

function refusalPage({ code, message, details, reasons }: PortalError): ShownPage {
  return { ...messagePage(`Error: ${code}`, [message, ...details, ...reasons].join(' ')), outcome: code }
}

/** Whether the answer becomes a page of its own: neither a part of another page nor what a script reads. */
function isShownAlone({ headers }: FastifyRequest): boolean {
  const destination = headers['sec-fetch-dest']
  return destination === undefined || destination === 'document'
}
