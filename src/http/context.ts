import type { FastifyRequest } from 'fastify'
import { OperationRefused, PortalError, tokenInvalid, tokenRequired } from '../errors.ts'
import type { Invocation, Search, WriteCommand } from '../operations/command.ts'
import type { Dependencies } from '../operations/dependencies.ts'
import { executeQuery, search, write } from '../operations/execute.ts'
import { type Query, queries, searches } from '../operations/registry.ts'
import { longestMilliseconds } from '../storage/storage.ts'
import { readRevisions } from './answer.ts'
import type { ApiRequest, Endpoint, EndpointSettings } from './endpoints/endpoint.ts'
import { readValues } from './endpoints/parameter-types.ts'
import type { Refusals } from './refusals.ts'
import { findToken } from './request/bearer-token.ts'
import { findCrossSiteOrigin } from './request/cross-site.ts'
import { type RequestParameters, readRequestParameters } from './request/request-parameters.ts'
import type { RunWrite } from './writes-in-flight.ts'

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

/** What requests of one server have in common. */
export interface ServerContext {
  readonly dependencies: Dependencies
  readonly publicUrl: string
  readonly settings: EndpointSettings
  readonly runWrite: RunWrite
  readonly refusals: Refusals
}

/** The parameters of a request. `bareBody` names the parameter that a body without parameter names is the value of. */
export function parametersOf(request: FastifyRequest, bareBody: string | undefined): Promise<RequestParameters> {
  const url = request.raw.url ?? ''
  const mark = url.indexOf('?')
  return readRequestParameters({
    query: mark === -1 ? '' : url.slice(mark + 1),
    contentType: request.headers['content-type'],
    body: Buffer.isBuffer(request.body) ? request.body : undefined,
    bareBody,
  })
}

/** Longest audit target, in characters: ids that do not exist may be as long as a request line. */
const longestTarget = 256

/** Finds the token and parses the parameters; `run` of the result executes the endpoint's operation. */
export function openContext(
  row: Endpoint,
  request: FastifyRequest,
  requestParameters: RequestParameters,
  format: string,
  { dependencies, publicUrl, settings, runWrite, refusals }: ServerContext,
): RequestContext {
  const { storage, random, limits } = dependencies
  const now = dependencies.now()
  const token = row.token === 'none' ? undefined : findToken(requestParameters, request.headers)
  // Before values are parsed, so that a request without a token costs little.
  if (row.token === 'required' && token === undefined) throw tokenRequired()
  const tokenHash = token === undefined ? undefined : random.hashToken(token)
  const input = readValues(row.parameters, requestParameters)
  const invocation: Invocation = {
    tokenHash,
    now,
    problems: findProblems(row, request, input),
  }
  const inTime = shareTime()
  let isRecorded = false
  let signedInAs: string | undefined

  function read<Input, Output>(query: Query<Input, Output>, given: Input): Promise<Output> {
    return inTime((until) => storage.read((stores) => executeQuery(stores, limits, invocation, query, given), until))
  }

  async function executeAndRecord(given: unknown): Promise<unknown> {
    // The type of the endpoint has matched the input to the operation.
    const command = { ...invocation, operation: row.id, input: given, origin: originOf(row, request) } as WriteCommand
    const output = await inTime((until) => runWrite(tokenHash, bytesOf(request), () => write(storage, command, until)))
    isRecorded = true
    return output
  }

  function searchInTurn(operation: string, given: unknown): Promise<unknown> {
    const asked = { ...invocation, operation, input: given } as Search
    return inTime((until) => search(storage, asked, request.ip, until))
  }

  function findRun(): (given: unknown) => Promise<unknown> {
    if (row.effect !== 'none') return executeAndRecord
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
    noteSignIn(username: string) {
      signedInAs = username
    },
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
    async recordRefusal(refusal) {
      const signIn = refusal instanceof PortalError ? refusal.signIn : undefined
      if (
        row.effect === 'none' ||
        isRecorded ||
        isDryRun(row, requestParameters) ||
        (tokenHash === undefined && !signIn)
      )
        return
      const outcome = findOutcome(refusal)
      if (outcome === undefined || outcome === tokenInvalid().code) return
      const command = {
        ...invocation,
        problems: [],
        operation: 'recordRefusal',
        input: { operation: row.id, outcome },
        origin: originOf(row, request),
      } as const
      if (tokenHash !== undefined || !signIn) return inTime((until) => refusals.record(command, until))
      const { bucket, ...account } = signIn
      const limited = { ...command.input, ...account }
      const period = settings.signInLimit.minutes * 60_000
      await inTime((until) => refusals.recordOnce(bucket, period, { ...command, input: limited }, until))
    },
  }
}

/** A dry run leaves nothing in the audit, whatever comes of it (chosen). */
function isDryRun({ parameters }: Endpoint, given: RequestParameters): boolean {
  // Also where another parameter is wrong.
  const value = parameters['dryRun'] && readValues({ dryRun: parameters['dryRun'] }, given)
  return value !== undefined && 'value' in value && value.value.dryRun === true
}

function bytesOf({ body }: FastifyRequest): number {
  return Buffer.isBuffer(body) ? body.length : 0
}

/** What has the length and the characters of a token, where a client has put one in the place of an id. */
const tokens = /(?<![\w-])[\w-]{43}(?![\w-])/g

/** The members of the audit entry that describe the request. */
function originOf({ path }: Endpoint, request: FastifyRequest): WriteCommand['origin'] {
  const ids = request.params as Readonly<Record<string, string>>
  const filled = path.replace(/:(\w+)/g, (_, name: string) => (ids[name] ?? '').replace(tokens, '…'))
  const target = filled.slice(0, longestTarget)
  return { address: request.ip, target, requestId: request.id }
}

/**
 * What is wrong with the request as a whole. A condition that the endpoint does not evaluate is refused rather than
 * ignored, as the client relies on it (chosen).
 */
function findProblems(row: Endpoint, { headers }: FastifyRequest, input: ApiRequest['input']): readonly string[] {
  const problems = 'problems' in input ? input.problems : none
  if (headers['if-match'] === undefined || row.comparesIfMatch) return problems
  return [...problems, 'If-Match: has no effect here; leave it out.']
}

const none: readonly string[] = []

/** Code of a refusal; undefined for outages and bugs, which are not audited. */
function findOutcome(refusal: unknown): number | undefined {
  if (refusal instanceof OperationRefused) return 400
  return refusal instanceof PortalError ? refusal.code : undefined
}

/** One deadline for all reads and writes of a request together, not counting the time between them. */
function shareTime(): <Result>(work: (until: number) => Promise<Result>) => Promise<Result> {
  let left = longestMilliseconds
  return async (work) => {
    const begun = performance.now()
    try {
      return await work(begun + left)
    } finally {
      left -= performance.now() - begun
    }
  }
}
