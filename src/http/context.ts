import type { FastifyRequest } from 'fastify'
import { tokenRequired } from '../errors.ts'
import type { Invocation } from '../operations/command.ts'
import { type Query, queries, searches } from '../operations/registry.ts'
import { readRevisions } from './answer.ts'
import type { ApiRequest, Endpoint } from './endpoints/endpoint.ts'
import { readValues } from './endpoints/parameter-values.ts'
import { findMisspelt } from './endpoints/unknown-parameters.ts'
import { type GivenToken, readToken } from './request/bearer-token.ts'
import { findClient } from './request/client-credentials.ts'
import { findCrossSiteOrigin } from './request/cross-site.ts'
import { type RequestParameters, readRequestParameters } from './request/request-parameters.ts'
import { openRunning, type ServerContext } from './running.ts'
import { releaseBody } from './transport/bodies.ts'

/** A request as its endpoint gets it. */
export interface RequestContext {
  readonly api: ApiRequest
  /** Undefined for a request without a token, or one whose token does not count. */
  readonly tokenHash: string | undefined
  /** The user as whom the request signed in. */
  signedInAs(): string | undefined
  /** Writes the audit entry of a refusal, if the endpoint is audited, and the caller known or a sign-in limited. */
  recordRefusal(refusal: unknown): Promise<void>
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

/** The token of a request, whether its endpoint looks at it or not. */
export function tokenOf(request: FastifyRequest, parameters: RequestParameters, server: ServerContext): GivenToken {
  return readToken(parameters, request.headers, server.dependencies.random.hashToken)
}

/** Parses the parameters; `run` of the result executes the endpoint's operation. */
export function openContext(
  row: Endpoint,
  request: FastifyRequest,
  requestParameters: RequestParameters,
  token: GivenToken,
  format: string,
  server: ServerContext,
): RequestContext {
  const { dependencies, publicUrl, settings } = server
  const now = dependencies.now()
  const tokenHash = findHash(row, token)
  const input = readValues(row.parameters, requestParameters)
  const invocation: Invocation = {
    tokenHash,
    now,
    ...(row.isForApps && { allowsApps: true }),
    problems: findProblems(row, request, requestParameters, input),
  }
  let signedInAs: string | undefined
  const running = openRunning(row, request, requestParameters, invocation, server)
  const { read, write, searchInTurn } = running

  function findRun(): (given: unknown) => Promise<unknown> {
    if (row.effect !== 'none') return (given) => write(row.id, given)
    if (row.id in searches) return (given) => searchInTurn(row.id, given)
    const query = queries[row.id as keyof typeof queries] as Query<unknown>
    return (given) => read(query, given)
  }

  const api = {
    ids: request.params,
    input,
    requestParameters,
    dependencies,
    now,
    ifMatch: readRevisions(request.headers['if-match']),
    format,
    address: request.ip,
    agent: request.headers['user-agent'] ?? '',
    tokenHash,
    noteSignIn(username: string) {
      signedInAs = username
    },
    findClient: () => findClient(request.headers.authorization),
    findCrossSiteOrigin: () => findCrossSiteOrigin(request.headers, publicUrl, settings.allowedOrigins),
    publicUrl,
    settings,
    read,
    search: searchInTurn,
    run: findRun(),
  }
  return {
    api: api as unknown as ApiRequest,
    tokenHash,
    signedInAs: () => signedInAs,
    recordRefusal: running.recordRefusal,
  }
}

/** The hash of the token, if the endpoint looks at it. Throws before values are parsed, so that a request without one costs little. */
function findHash(row: Endpoint, { hash, refusal }: GivenToken): string | undefined {
  if (row.token === 'none') return undefined
  if (refusal !== undefined) throw refusal
  if (row.token === 'required' && hash === undefined) throw tokenRequired()
  return hash
}

/**
 * What is wrong with the request as a whole. A condition that the endpoint does not evaluate is refused rather than
 * ignored, as the client relies on it (chosen).
 */
function findProblems(
  row: Endpoint,
  { headers }: FastifyRequest,
  given: RequestParameters,
  input: ApiRequest['input'],
): readonly string[] {
  const problems = 'problems' in input ? [...input.problems] : []
  if (headers['if-match'] !== undefined && !row.comparesIfMatch) {
    problems.push('If-Match: has no effect here; leave it out.')
  }
  if (row.refusesMisspelt) problems.push(...findMisspelt(row, given))
  if (asksForDryRun(row, given)) problems.push('dryRun: there is none here; without it, the change is made.')
  return problems
}

/** Whether a client that wants to try a change would make it. */
function asksForDryRun({ effect, parameters }: Endpoint, given: RequestParameters): boolean {
  const dryRun = given.find('dryRun')
  if (effect !== 'change' || 'dryRun' in parameters || dryRun === undefined) return false
  return 'text' in dryRun && dryRun.text.trim().toLowerCase() === 'true'
}
