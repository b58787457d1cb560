import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { bodyTooLarge, PortalError, requestMalformed, resourceNotFound, unexpectedError } from '../../errors.ts'
import { say } from '../../sentences/say.ts'
import { sharedFormat } from '../answer.ts'
import type { SendNoScreen } from '../application/routes.ts'
import { findFormat } from '../decoding/accept.ts'
import { endpointTable } from '../endpoints/table.ts'
import { parametersOf } from '../requests/context.ts'
import { drain } from '../transport/client-errors.ts'
import { isOwnPath } from '../transport/context-path.ts'
import { identify, pathOf } from '../transport/request-log.ts'
import { removeGrants } from '../transport/transport.ts'
import { findMeantPath, hintAtPath, hintAtRoot, unknownMethod } from './hints.ts'
import type { Replies } from './replies.ts'

export interface UnknownRequestSettings {
  /** Path of the API. */
  readonly base: string
  readonly contextPath: string
  readonly publicUrl: () => string
  readonly replies: Replies
  readonly sendNoScreen: SendNoScreen
}

/** Answers requests that reach no endpoint: another method or path, or a body that cannot be received. */
export function answerUnknownRequests(app: FastifyInstance, settings: UnknownRequestSettings): void {
  const { base, contextPath, publicUrl, replies, sendNoScreen } = settings

  async function refuse(request: FastifyRequest, reply: FastifyReply, failure: PortalError): Promise<FastifyReply> {
    const parameters = await parametersOf(request, undefined)
    return replies.sendError(reply, { request }, failure, sharedFormat(findFormat(parameters, request.headers.accept)))
  }

  app.setNotFoundHandler((request, reply) => {
    const path = pathOf(request).replace(/\/{2,}/g, '/')
    const lowerCase = path.toLowerCase()
    if (lowerCase === base.toLowerCase() || lowerCase.startsWith(`${base.toLowerCase()}/`)) {
      const unknown = () => resourceNotFound(hintAtPath(endpointTable, base, path))
      return refuse(request, reply, isSupportedMethod(request) ? unknown() : unknownMethod(request.method))
    }
    reply.code(404)
    // Outside the API is nothing for pages of other origins.
    removeGrants(reply)
    const root = `${publicUrl()}/sharing/rest`
    const isOfApi = isOwnPath(contextPath, lowerCase) || findMeantPath(endpointTable, root, path) !== undefined
    const failure = resourceNotFound(hintAtRoot(endpointTable, root, path))
    return (!isOfApi && sendNoScreen(request, reply)) || replies.sendErrorOutside(reply, request, failure)
  })

  app.setErrorHandler(async (error: Error & { code?: string; statusCode?: number }, request, reply) => {
    // An error of the gate, thrown before the body was received.
    if (error instanceof PortalError) {
      if (error.retryAfterSeconds !== undefined) reply.header('retry-after', error.retryAfterSeconds)
      return refuse(request, reply, error)
    }
    if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
      reply.removeHeader('connection')
      await drain(request.raw)
      return refuse(request, reply, bodyTooLarge(request.routeOptions.bodyLimit))
    }
    if ((error.statusCode ?? 500) < 500) {
      const failure = requestMalformed(400, say('requestUnreadable'))
      return refuse(request, reply, isSupportedMethod(request) ? failure : unknownMethod(request.method))
    }
    app.reportFailure(error, 'request failed', identify(request))
    return refuse(request, reply, unexpectedError(request.id))
  })
}

function isSupportedMethod({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'POST'
}
