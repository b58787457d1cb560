import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { methodNotAllowed, type PortalError } from '../../errors.ts'
import { PasswordsBusy } from '../../tokens/password.ts'
import { toPortalError } from '../answer.ts'
import { parametersOf } from '../context.ts'
import type { ServerContext } from '../running.ts'
import { authorizeRows } from './authorize.ts'
import { newPasswordRows } from './new-password.ts'
import { formatPage, messagePage, policyOf } from './page.ts'
import { openPageContext } from './page-context.ts'
import type { PageAnswer, PageRow, ShownPage } from './page-row.ts'
import { providerRows } from './provider/rows.ts'
import { openSessionCookie, type SessionCookie } from './session-cookie.ts'
import { signOutRows } from './sign-out.ts'

/** Every page of sign-in. */
export const pageTable: readonly PageRow[] = [...authorizeRows, ...newPasswordRows, ...signOutRows, ...providerRows]

export interface PageServer {
  readonly contextPath: string
  readonly publicUrl: () => string
  readonly server: () => ServerContext
  reportError(request: FastifyRequest, error: unknown, text: string): void
}

/** Adds the pages of sign-in, below both bases of the public API (observed). */
export function registerPages(app: FastifyInstance, pages: PageServer): void {
  const { contextPath, publicUrl, server, reportError } = pages
  let opened: SessionCookie | undefined
  // At the first request: before the server listens, its port may not be known.
  const sessionCookie = () => (opened ??= openSessionCookie(publicUrl(), contextPath))

  function send(reply: FastifyReply, answer: PageAnswer): FastifyReply {
    const session = answer.session === undefined ? undefined : sessionCookie().write(answer.session)
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
      .send(formatPage(answer, contextPath))
  }

  async function handle(row: PageRow, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const turn = server().takeTurn(request)
    if (turn) await turn
    let context: ReturnType<typeof openPageContext> | undefined
    try {
      if (!row.methods.some((method) => method === request.method)) {
        throw methodNotAllowed(row.methods, `Only ${row.methods.join(' and ')} is used here.`)
      }
      const parameters = await parametersOf(request, undefined)
      context = openPageContext(row, request, parameters, server(), {
        contextPath,
        session: isShownAlone(request) ? sessionCookie().read(request.headers) : undefined,
        cookies: sessionCookie().readOthers(request.headers),
      })
      reply.caller = { tokenHash: undefined, signedInAs: context.signedInAs }
      return send(reply, await row.answer(context.visit))
    } catch (thrown) {
      const failure = toPortalError(thrown, row.task, request.id)
      if (failure.limit) server().dependencies.limitCounts.add(failure.limit)
      if (failure.code >= 500 && !(thrown instanceof PasswordsBusy)) reportError(request, thrown, 'request failed')
      await context?.recordRefusal(thrown).catch((error: unknown) => reportError(request, error, 'audit failed'))
      if (failure.retryAfterSeconds !== undefined) reply.header('retry-after', failure.retryAfterSeconds)
      const own = context && (await row.answerRefusal?.(context.visit, failure))
      return send(reply, own ?? refusalPage(failure))
    }
  }

  for (const row of pageTable) {
    // No page of another origin reads them: they know who is signed in.
    const config = { cors: false, operation: row.id, ...(row.checksPassword && { checksPassword: true as const }) }
    for (const base of row.isAtRoot ? [''] : ['/sharing/rest', '/sharing']) {
      const url = `${contextPath}${base}${row.path}`
      app.route({ method: ['GET', 'POST'], url, config, handler: (request, reply) => handle(row, request, reply) })
    }
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
