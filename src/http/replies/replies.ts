import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PortalError } from '../../errors.ts'
import {
  type Answer,
  contentTypeOf,
  entityTag,
  type Format,
  formatEnvelope,
  formatJson,
  type HttpErrorStatus,
  httpStatus,
  isNamed,
  requireFits,
  requireWritable,
  withWarnings,
} from '../answer.ts'
import { findFormat } from '../decoding/accept.ts'
import type { RequestParameters } from '../decoding/request-parameters.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import { findIneffective, findReduced } from '../endpoints/parameter-warnings.ts'
import type { Ids } from '../endpoints/places.ts'
import { endpointTable } from '../endpoints/table.ts'
import { formatDirectoryPage, type PageContent } from '../pages/directory-page.ts'

export interface ReplySettings {
  /** Path of the API. */
  readonly base: string
  readonly contextPath: string
  publicUrl(): string
  /** Maximum size of an answer, in bytes. */
  readonly answerBytes: number
  readonly httpErrorStatus: HttpErrorStatus
}

/** A request to be answered, with its endpoint if there is one, and its parameters if they can be parsed. */
export interface Exchange {
  readonly request: FastifyRequest
  readonly row?: Endpoint | undefined
  readonly parameters?: RequestParameters | undefined
}

/** A request that an endpoint answers. */
export interface EndpointExchange extends Exchange {
  readonly row: Endpoint
  readonly parameters: RequestParameters
}

/** Sends what the API answers, as JSON, as a file, or as a page of the directory. */
export interface Replies {
  sendAnswer(reply: FastifyReply, asked: EndpointExchange, answer: Answer, format: Format): Promise<FastifyReply>
  sendError(reply: FastifyReply, asked: Exchange, failure: PortalError, format: Format): Promise<FastifyReply>
  /** An error outside of the API, with the status that the reply has. */
  sendErrorOutside(reply: FastifyReply, request: FastifyRequest, failure: PortalError): Promise<FastifyReply>
  /** The page of an endpoint that is not executed yet. */
  sendForm(reply: FastifyReply, asked: EndpointExchange): Promise<FastifyReply>
}

type Outcome = Pick<PageContent, 'answer' | 'warnings' | 'envelope'>

export function makeReplies(settings: ReplySettings): Replies {
  const { base, contextPath, publicUrl, answerBytes, httpErrorStatus } = settings

  function formatPage({ request, row, parameters }: Exchange, outcome: Outcome): string {
    return formatDirectoryPage({
      table: endpointTable,
      base,
      contextPath,
      row,
      ids: idsOf(request),
      given: givenBy(parameters),
      isSent: request.method === 'POST',
      isGivenElsewhere: !isSentByPage(request, publicUrl()),
      ...outcome,
    })
  }

  return {
    async sendAnswer(reply, asked, answer, format) {
      const { request, row, parameters } = asked
      reply.outcome = 200
      requireWritable(answer, answerBytes)
      if ('file' in answer) {
        const file = requireFits(answer.file, answerBytes)
        reply.headers({ ...answer.headers, 'content-disposition': `attachment; filename="${answer.fileName}"` })
        if (answer.contentType === undefined) return sendJson(reply, file)
        return reply.header('content-type', answer.contentType).send(file)
      }
      if ('text' in answer) {
        // Opened by a browser, a text of a user runs nothing and belongs to no origin (chosen).
        return reply
          .headers({
            ...answer.headers,
            'content-type': contentTypeOf(answer),
            'content-security-policy': "default-src 'none'; sandbox",
          })
          .send(requireFits(answer.text, answerBytes))
      }
      // Clients compare the resources that they read, so their JSON has no warnings of the operation.
      const own = 'json' in answer && (format === 'html' || row.effect !== 'none') ? answer.warnings : undefined
      const warnings = [...(own ?? []), ...findIneffective(row, parameters)]
      if (format === 'html') {
        const shown = [...warnings, ...findReduced(row, parameters)]
        return sendHtml(reply, requireFits(formatPage(asked, { answer, warnings: shown }), answerBytes))
      }
      const tag = request.method === 'GET' ? entityTag(answer, format) : undefined
      if (tag !== undefined && isNamed(tag, request.headers['if-none-match'])) return sendUnchanged(reply, tag)
      const text = requireFits(formatJson(withWarnings(answer, warnings), format), answerBytes)
      if (tag !== undefined) reply.headers({ etag: tag, 'cache-control': revalidate })
      return sendJson(reply, text)
    },

    async sendError(reply, asked, failure, format) {
      reply.outcome = failure.code
      reply.messageCode = failure.messageCode
      if (failure.allowedMethods.length > 0) reply.header('allow', failure.allowedMethods.join(', '))
      reply.code(httpStatus(failure.code, httpErrorStatus))
      const envelope = formatEnvelope(failure, prefersCauses(asked.request.headers))
      if (format === 'html') return sendHtml(reply, formatPage(asked, { envelope }))
      return sendJson(reply, JSON.stringify(envelope, null, format === 'pjson' ? 2 : 0))
    },

    async sendErrorOutside(reply, request, failure) {
      const envelope = formatEnvelope(failure)
      const isBrowser = request.method === 'GET' && findFormat(undefined, request.headers.accept) === 'html'
      if (isBrowser) return sendHtml(reply, formatPage({ request }, { envelope }))
      return sendJson(reply, JSON.stringify(envelope))
    },

    async sendForm(reply, asked) {
      return sendHtml(reply, formatPage(asked, {}))
    },
  }
}

/** Whether a client asks for the causes of an error (chosen; RFC 7240 has the header). */
function prefersCauses({ prefer = '' }: FastifyRequest['headers']): boolean {
  return [prefer].flat().some((preferences) => /(?:^|,)\s*causes\s*(?:,|$)/i.test(preferences))
}

export function sendJson(reply: FastifyReply, text: string | Uint8Array): FastifyReply {
  return reply.header('content-type', 'application/json; charset=utf-8').send(text)
}

export function sendHtml(reply: FastifyReply, html: string | Uint8Array): FastifyReply {
  return reply.header('content-type', 'text/html; charset=utf-8').headers(headersOfPages).send(html)
}

function sendUnchanged(reply: FastifyReply, tag: string): FastifyReply {
  reply.outcome = 304
  return reply.code(304).headers({ etag: tag, 'cache-control': revalidate }).send()
}

/** Lets the client alone cache the answer, and has it revalidate each time, as permissions may change. */
const revalidate = 'private, no-cache'

export const headersOfPages = {
  /** Scripts, styles and requests of this origin only; nothing inline. */
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  /** A form of a page without a referrer would name no origin. */
  'referrer-policy': 'same-origin',
} as const

/** Whether it is a POST with a token header or from a page of this origin: neither links nor forms of other sites send one. */
function isSentByPage({ method, headers }: FastifyRequest, publicUrl: string): boolean {
  const hasToken = headers.authorization !== undefined || headers['x-esri-authorization'] !== undefined
  const isOwn = headers['sec-fetch-site'] === 'same-origin' || headers.origin === new URL(publicUrl).origin
  return method === 'POST' && (hasToken || isOwn)
}

function idsOf({ params }: FastifyRequest): Ids {
  return (params ?? {}) as Ids
}

/** The text of a parameter that is given once. */
export function givenBy(parameters: RequestParameters | undefined): PageContent['given'] {
  return (name) => {
    const found = parameters?.find(name)
    return found && 'text' in found ? found.text : undefined
  }
}
