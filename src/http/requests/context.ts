import type { FastifyReply, FastifyRequest } from 'fastify'
import { operationRefused, type PortalError, tokenRequired } from '../../errors.ts'
import type { Invocation } from '../../operations/command.ts'
import { type Query, queries, searches } from '../../operations/registry.ts'
import { readRevisions } from '../answer.ts'
import { readLanguages } from '../decoding/accept.ts'
import { type GivenToken, readToken } from '../decoding/bearer-token.ts'
import { findClient } from '../decoding/client-credentials.ts'
import { findCrossSiteOrigin } from '../decoding/cross-site.ts'
import { type RequestParameters, readRequestParameters } from '../decoding/request-parameters.ts'
import type { ApiRequest, Endpoint } from '../endpoints/endpoint.ts'
import { readValues } from '../endpoints/parameter-values.ts'
import { findMisspelt } from '../endpoints/parameter-warnings.ts'
import { releaseBody } from '../transport/bodies.ts'
import { elsewhere, OperationRunner, outside, type ServerContext } from './runner.ts'
import type { Sender } from './sender.ts'

/** A request, as far as it is known before its endpoint runs. */
export interface ReadRequest {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly parameters: RequestParameters
  readonly token: GivenToken
  readonly sender: Sender
}

/**
 * The parameters of a request, which has no body afterwards. `bareBody` names the parameter that a body without parameter
 * names is the value of.
 */
export async function parametersOf(request: FastifyRequest, bareBody: string | undefined): Promise<RequestParameters> {
  const url = request.raw.url ?? ''
  const mark = url.indexOf('?')
  const parameters = await readRequestParameters({
    query: mark === -1 ? '' : url.slice(mark + 1),
    contentType: request.headers['content-type'],
    body: Buffer.isBuffer(request.body) ? request.body : undefined,
    bareBody,
  })
  releaseBody(request)
  return parameters
}

const passwords = ['password', 'newPassword', 'oldPassword']

/** Refuses a password in the address, which logs and histories keep, whatever the operation knows of it (chosen). */
export function findPasswordRefusal({ isInQuery }: RequestParameters): PortalError | undefined {
  const name = passwords.find(isInQuery)
  return name === undefined ? undefined : operationRefused(`${name}: not in the address of a request.`)
}

/** The token of a request, whether its endpoint looks at it or not. */
export function tokenOf(request: FastifyRequest, parameters: RequestParameters, server: ServerContext): GivenToken {
  return readToken(parameters, request.headers, server.dependencies.random.hashToken)
}

/**
 * A request as its endpoint gets it. What few endpoints ask for is made when they do: most reads need the runner alone.
 * Throws 498 and 499 before parameters are parsed, so that a request without a token costs little.
 */
export class RequestContext implements ApiRequest {
  readonly ids: Readonly<Record<string, string>>
  readonly input: ApiRequest['input']
  readonly requestParameters: RequestParameters
  readonly now: number
  readonly format: string
  readonly tokenHash: string | undefined
  readonly runner: OperationRunner
  readonly #row: Endpoint
  readonly #read: ReadRequest
  readonly #server: ServerContext

  constructor(row: Endpoint, read: ReadRequest, format: string, server: ServerContext) {
    const { request, parameters, token } = read
    this.#row = row
    this.#read = read
    this.#server = server
    this.ids = request.params as Readonly<Record<string, string>>
    this.requestParameters = parameters
    this.now = server.dependencies.now()
    this.format = format
    this.tokenHash = findHash(row, token)
    this.input = readValues(row.parameters, parameters)
    const invocation: Invocation = {
      tokenHash: this.tokenHash,
      now: this.now,
      ...(row.isForApps && { allowsApps: true }),
      problems: findProblems(row, request, parameters, this.input),
    }
    this.runner = new OperationRunner(row, read, invocation, server)
  }

  get dependencies() {
    return this.#server.dependencies
  }

  get settings() {
    return this.#server.settings
  }

  get publicUrl() {
    return this.#server.publicUrl()
  }

  get ifMatch() {
    return readRevisions(this.#read.request.headers['if-match'])
  }

  get address() {
    return this.#read.request.ip
  }

  get agent() {
    return this.#read.request.headers['user-agent'] ?? ''
  }

  get languages() {
    return () => readLanguages(this.#read.request.headers['accept-language'])
  }

  get noteSignIn() {
    const { reply } = this.#read
    return (username: string) => {
      reply.username = username
    }
  }

  get elsewhere() {
    const { reply } = this.#read
    return <Result>(work: () => Promise<Result>) => elsewhere(reply, work)
  }

  get outside() {
    const { reply } = this.#read
    return <Result>(work: (signal: AbortSignal) => Promise<Result>) => outside(reply, work)
  }

  get findClient() {
    const { authorization } = this.#read.request.headers
    return () => findClient(authorization)
  }

  get findCrossSiteOrigin() {
    const { headers } = this.#read.request
    return () => findCrossSiteOrigin(headers, this.publicUrl, this.settings.allowedOrigins)
  }

  get read() {
    return this.runner.read
  }

  get search() {
    return this.runner.search
  }

  get run(): ApiRequest['run'] {
    const { runner } = this
    const { id, effect } = this.#row
    if (effect !== 'none') return (input) => runner.write(id, input)
    if (id in searches) return (input) => runner.search(id, input)
    const query = queries[id as keyof typeof queries] as Query<unknown>
    return (input) => runner.read(query, input)
  }
}

/** The hash of the token, if the endpoint looks at it. */
function findHash(row: Endpoint, { hash, refusal }: GivenToken): string | undefined {
  if (row.token === 'none') return undefined
  if (refusal !== undefined) throw refusal
  if (row.token === 'required' && hash === undefined) throw tokenRequired()
  return hash
}

/**
 * Problems of the request as a whole. A condition that the endpoint does not evaluate is refused rather than ignored, as the
 * client relies on it (chosen).
 */
function findProblems(
  row: Endpoint,
  { headers }: FastifyRequest,
  given: RequestParameters,
  input: ApiRequest['input'],
): readonly string[] {
  const problems = 'problems' in input ? [...input.problems] : []
  const compared = row.comparesIfMatch ? [] : ['If-Match']
  const headerGuards = row.effect === 'change' ? [...compared, 'If-None-Match', 'If-Unmodified-Since'] : compared
  const vain = [
    ...headerGuards.filter((name) => headers[name.toLowerCase()] !== undefined),
    ...guards.filter((name) => !(name in row.parameters) && given.find(name) !== undefined),
  ]
  problems.push(...vain.map((name) => `${name}: has no effect here; leave it out.`))
  if (row.refusesMisspelt) problems.push(...findMisspelt(row, given))
  if (asksForDryRun(row, given)) problems.push('dryRun: there is none here; without it, the change is made.')
  return problems
}

/** Parameters that some operations compare before they change anything. */
const guards = ['ifVersion', 'ifHash', 'ifRevision', 'ifModified'] as const

/** Whether a client that wants to try a change would make it. */
function asksForDryRun({ effect, parameters }: Endpoint, given: RequestParameters): boolean {
  if (effect !== 'change' || 'dryRun' in parameters) return false
  const dryRun = given.find('dryRun')
  return dryRun !== undefined && 'text' in dryRun && dryRun.text.trim().toLowerCase() === 'true'
}
