import type { FastifyRequest } from 'fastify'
import { refusedPartsOf } from '../call/audit-details.ts'
import { OperationRefused, PortalError, tokenInvalid } from '../errors.ts'
import type { Invocation, Search, WriteCommand } from '../operations/command.ts'
import type { Dependencies } from '../operations/dependencies.ts'
import { executeQuery, search, write } from '../operations/execute.ts'
import type { Query } from '../operations/registry.ts'
import { longestMilliseconds } from '../storage/storage.ts'
import type { Endpoint, EndpointSettings, RunQuery } from './endpoints/endpoint.ts'
import { readValues } from './endpoints/parameter-values.ts'
import type { Refusals } from './refusals.ts'
import type { RequestParameters } from './request/request-parameters.ts'
import type { RunWrite } from './writes-in-flight.ts'

/** What requests of one server have in common. */
export interface ServerContext {
  readonly dependencies: Dependencies
  readonly publicUrl: string
  readonly settings: EndpointSettings
  readonly runWrite: RunWrite
  readonly refusals: Refusals
  /** Undefined if the request may go on now; otherwise resolves when it may. */
  takeTurn(request: FastifyRequest): Promise<void> | undefined
}

/** Longest audit target, in characters: ids that do not exist may be as long as a request line. */
const longestTarget = 256

/** What a row of either table says about running its operation. */
type RunRow = Pick<Endpoint, 'id' | 'path' | 'parameters' | 'effect' | 'token'>

/** What executes the operations of one request. */
export interface Running {
  readonly read: RunQuery
  write(operation: string, given: unknown): Promise<unknown>
  searchInTurn(operation: string, given: unknown): Promise<unknown>
  /** Writes the audit entry of a refusal, if the row is audited, and the caller known or a sign-in limited. */
  recordRefusal(refusal: unknown): Promise<void>
}

/** Executes operations for one request, with one deadline for all of them. */
export function openRunning(
  row: RunRow,
  request: FastifyRequest,
  requestParameters: RequestParameters,
  invocation: Invocation,
  { dependencies, settings, runWrite, refusals, takeTurn }: ServerContext,
): Running {
  const { storage, limits } = dependencies
  const { tokenHash } = invocation
  const inTime = shareTime()
  let isRecorded = false

  function read<Input, Output>(query: Query<Input, Output>, given: Input): Promise<Output> {
    return inTime((until) => storage.read((stores) => executeQuery(stores, limits, invocation, query, given), until))
  }

  async function executeAndRecord(operation: string, given: unknown): Promise<unknown> {
    // The type of the row has matched the input to the operation.
    const command = { ...invocation, operation, input: given, origin: originOf(row, request) } as WriteCommand
    let isCounted = false
    const output = await inTime((until) =>
      runWrite(tokenHash, bytesOf(request), (owner) => {
        isCounted = refusals.areCounted(owner)
        return write(storage, isCounted ? { ...command, countsRefusedParts: true } : command, until)
      }),
    )
    isRecorded = true
    for (const outcome of refusedPartsOf(output)) await refusals.addPart(refusalOf(operation, outcome), isCounted)
    return output
  }

  function refusalOf(operation: string, outcome: number) {
    return {
      ...invocation,
      allowsApps: true,
      problems: [],
      operation: 'recordRefusal',
      input: { operation, outcome },
      origin: originOf(row, request),
    } as const
  }

  async function searchInTurn(operation: string, given: unknown): Promise<unknown> {
    const asked = { ...invocation, operation, input: given } as Search
    const found = await inTime((until) => search(storage, asked, request.ip, until))
    // Answering with a page of results is work on the serving thread as well, and begins when the search thread says so.
    await takeTurn(request)
    return found
  }

  return {
    read,
    write: executeAndRecord,
    searchInTurn,
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
      const command = refusalOf(row.id, outcome)
      if (tokenHash !== undefined || !signIn) return inTime((until) => refusals.record(command, until))
      const { bucket, ...account } = signIn
      const limited = { ...command.input, ...account }
      const period = settings.signInLimit.minutes * 60_000
      await inTime((until) => refusals.recordOnce(bucket, period, { ...command, input: limited }, until))
    },
  }
}

/** A dry run leaves nothing in the audit, whatever comes of it (chosen). */
function isDryRun({ parameters }: RunRow, given: RequestParameters): boolean {
  // Also where another parameter is wrong.
  const value = parameters['dryRun'] && readValues({ dryRun: parameters['dryRun'] }, given)
  return value !== undefined && 'value' in value && value.value.dryRun === true
}

function bytesOf({ body }: FastifyRequest): number {
  return Buffer.isBuffer(body) ? body.length : 0
}

const tokenLength = 43
/** What has the length and the characters of a token, where a client has put one in the place of an id. */
const tokens = new RegExp(`(?<![\\w-])[\\w-]{${tokenLength}}(?![\\w-])`, 'g')

function withoutTokens(id: string): string {
  return id.length < tokenLength ? id : id.replace(tokens, '…')
}

/** The members of the audit entry that describe the request. */
function originOf({ path }: RunRow, request: FastifyRequest): WriteCommand['origin'] {
  const ids = request.params as Readonly<Record<string, string>>
  const filled = path.replace(/:(\w+)/g, (_, name: string) => withoutTokens(ids[name] ?? ''))
  const target = filled.slice(0, longestTarget)
  return { address: request.ip, target, requestId: request.id }
}

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
