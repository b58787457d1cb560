import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { formatUnknown, type PortalError } from '../../errors.ts'
import { searches } from '../../operations/registry.ts'
import { type Format, sharedFormat } from '../answer.ts'
import { findFormat } from '../decoding/accept.ts'
import type { GivenToken } from '../decoding/bearer-token.ts'
import type { RequestParameters } from '../decoding/request-parameters.ts'
import { type Endpoint, formatsOf, kindOf } from '../endpoints/endpoint.ts'
import { methodsOf } from '../endpoints/operation-docs.ts'
import { isAskedFirst } from '../pages/operation-form.ts'
import { findPasswordRefusal, parametersOf, RequestContext, tokenOf } from '../requests/context.ts'
import type { Exchange, Gate } from '../requests/gate.ts'
import type { ServerContext } from '../requests/runner.ts'
import type { Sender } from '../requests/sender.ts'
import { bodyBytesOf } from '../transport/bodies.ts'
import { isHead } from '../transport/head.ts'
import { maxBodyBytes } from '../transport/transport.ts'
import { explain, postOnly } from './hints.ts'
import { givenBy, type Replies } from './replies.ts'

/** Headers that an answer depends on besides its address, where it depends on the caller; `Origin` for CORS. */
const variesByCaller = 'Origin, Authorization, X-Esri-Authorization'

export interface ApiSettings {
  /** Path of the API. */
  readonly base: string
  readonly server: ServerContext
  readonly replies: Replies
}

/** Adds the routes of the table of endpoints. */
export function registerApi(
  app: FastifyInstance,
  table: readonly Endpoint[],
  gate: Gate,
  { base, server, replies }: ApiSettings,
): void {
  for (const row of table) {
    const config = {
      operation: row.id,
      isExchange: true as const,
      ...(row.isRateLimited && { checksPassword: true as const }),
    }
    const handler = (request: FastifyRequest, reply: FastifyReply) => {
      if (row.token !== 'none') reply.header('vary', variesByCaller)
      return gate.pass(request, reply, async () => {
        const bodyBytes = bodyBytesOf(request)
        const parameters = await parametersOf(request, row.bareBody)
        return new ApiExchange(row, { request, reply, parameters, bodyBytes }, server, replies)
      })
    }
    // An operation takes GET too, and says why not.
    const method = row.sharesPath ? [...methodsOf(row)] : ['GET', 'POST']
    const bodyLimit = row.maxBodyBytes ?? maxBodyBytes
    app.route({ method, url: row.path === '/' ? base : `${base}${row.path}`, config, bodyLimit, handler })
  }
}

interface Received {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly parameters: RequestParameters
  readonly bodyBytes: number
}

/** A request of an endpoint, and its answer in the format that it asks for. */
class ApiExchange implements Exchange {
  readonly bodyBytes: number
  readonly #row: Endpoint
  readonly #request: FastifyRequest
  readonly #reply: FastifyReply
  readonly #parameters: RequestParameters
  readonly #server: ServerContext
  readonly #replies: Replies
  readonly #token: GivenToken
  #format: Format = 'json'
  /** Undefined until the request has been checked and its endpoint is to answer it. */
  #context: RequestContext | undefined

  constructor(
    row: Endpoint,
    { request, reply, parameters, bodyBytes }: Received,
    server: ServerContext,
    replies: Replies,
  ) {
    this.bodyBytes = bodyBytes
    this.#row = row
    this.#request = request
    this.#reply = reply
    this.#parameters = parameters
    this.#server = server
    this.#replies = replies
    this.#token = tokenOf(request, parameters, server)
  }

  get task() {
    return this.#row.task
  }

  get refusalCode() {
    return this.#row.refusalCode
  }

  get tokenHash() {
    return this.#token.hash
  }

  get isSearch() {
    return this.#row.id in searches
  }

  async answer(sender: Sender): Promise<FastifyReply> {
    const row = this.#row
    const request = this.#request
    const reply = this.#reply
    const parameters = this.#parameters
    // The user of an ignored token is not the caller.
    if (row.token === 'none') reply.username = undefined
    const wanted = row.isAlwaysJson ? 'json' : findFormat(parameters, request.headers.accept, formatsOf(row))
    if (request.method === 'GET') {
      if (wanted === 'html' && isAskedFirst(row, givenBy(parameters))) {
        return this.#replies.sendForm(reply, { request, row, parameters })
      }
      if (kindOf(row) === 'operation' && (!row.isCalledByGet || isHead(request))) throw postOnly(row)
    }
    if (!wanted) throw formatUnknown(formatsOf(row))
    this.#format = sharedFormat(wanted)
    this.#context = new RequestContext(
      row,
      { request, reply, parameters, token: this.#token, sender },
      wanted,
      this.#server,
    )
    const refusal = findPasswordRefusal(parameters)
    // Thrown inside a read, so that an invalid token is refused first.
    if (refusal) await this.#context.read(() => Promise.reject(refusal), undefined)
    const answer = await row.answer(this.#context)
    return this.#replies.sendAnswer(reply, { request, row, parameters }, answer, this.#format)
  }

  async recordRefusal(thrown: unknown): Promise<void> {
    await this.#context?.runner.recordRefusal(thrown)
  }

  sendRefusal(failure: PortalError): Promise<FastifyReply> {
    const request = this.#request
    const asked = { request, row: this.#row, parameters: this.#parameters }
    return this.#replies.sendError(this.#reply, asked, explain(failure, this.#row, request.headers), this.#format)
  }
}
