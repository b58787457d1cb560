import type { FastifyReply, FastifyRequest } from 'fastify'
import { refusedPartsOf } from '../../call/audit-details.ts'
import { invalidTokenCode, methodNotAllowed, PortalError } from '../../errors.ts'
import type { Invocation, Search, WriteCommand } from '../../operations/command.ts'
import type { Dependencies } from '../../operations/dependencies.ts'
import { executeQuery, search, write } from '../../operations/execute.ts'
import type { Query } from '../../operations/registry.ts'
import { maxMilliseconds } from '../../storage/storage.ts'
import type { RequestParameters } from '../decoding/request-parameters.ts'
import type { Endpoint, EndpointSettings } from '../endpoints/endpoint.ts'
import { readValues } from '../endpoints/parameter-values.ts'
import { isHead } from '../transport/head.ts'
import { waitTimeout } from './bounds.ts'
import type { RefusalCommand, Refusals } from './refusals.ts'
import type { Sender } from './sender.ts'
import { beginSteps } from './steps.ts'

/** State that requests of one server have in common. */
export interface ServerContext {
  readonly dependencies: Dependencies
  readonly settings: EndpointSettings
  readonly refusals: Refusals
  /** Known only after listening, where the port is not set. */
  publicUrl(): string
}

/** Maximum length of an audit target, in characters: ids that do not exist may be as long as a request line. */
const maxTargetLength = 256

/** Members of a row of either table that running its operation depends on. */
type RunRow = Pick<Endpoint, 'id' | 'path' | 'parameters' | 'effect' | 'token'>

/** A request whose operations are executed. */
interface RunRequest {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly parameters: RequestParameters
  readonly sender: Sender
}

/** Executes operations for one request, with one deadline for all of them together, not counting the time between them. */
export class OperationRunner {
  readonly #row: RunRow
  readonly #of: RunRequest
  readonly #invocation: Invocation
  readonly #server: ServerContext
  /** Milliseconds that are left. */
  #left = maxMilliseconds
  #isRecorded = false

  constructor(row: RunRow, of: RunRequest, invocation: Invocation, server: ServerContext) {
    this.#row = row
    this.#of = of
    this.#invocation = invocation
    this.#server = server
  }

  /** Runs a query on a snapshot of its own. */
  get read() {
    return async <Input, Output>(query: Query<Input, Output>, input: Input): Promise<Output> => {
      const { storage, limits } = this.#server.dependencies
      const begun = performance.now()
      try {
        return await storage.read(
          (stores) => executeQuery(stores, limits, this.#invocation, query, input),
          begun + this.#left,
        )
      } finally {
        this.#left -= performance.now() - begun
      }
    }
  }

  /** Runs a search, whose time counts from when it begins: until then it waits as long as its request may. */
  get search() {
    return async (operation: string, input: unknown): Promise<unknown> => {
      const { request, reply } = this.#of
      const asked = { ...this.#invocation, operation, input } as Search
      const until = performance.now() + waitTimeout - reply.elapsedTime
      const gone = new AbortController()
      const leave = () => gone.abort()
      reply.raw.once('close', leave)
      if (reply.raw.closed) leave()
      const nextStep = beginSteps()
      try {
        const within = { until, signal: gone.signal }
        return await elsewhere(reply, () =>
          search(this.#server.dependencies.storage, asked, request.ip, within, () => {
            reply.nextStep = nextStep
          }),
        )
      } finally {
        reply.raw.off('close', leave)
      }
    }
  }

  /** Executes a command with its audit entry, in one transaction. */
  async write(operation: string, input: unknown): Promise<unknown> {
    const { refusals } = this.#server
    const { request, sender } = this.#of
    const { user } = sender
    if (isHead(request)) throw methodNotAllowed(['GET'], 'HEAD changes nothing.')
    // The type of the row has matched the input to the operation.
    const command = { ...this.#invocation, operation, input, origin: this.#origin() } as WriteCommand
    const counted = refusals.listCounted(user, operation, command.now)
    const output = await this.#write(counted.length > 0 ? { ...command, countedRefusals: counted } : command)
    this.#isRecorded = true
    for (const outcome of refusedPartsOf(output)) refusals.addPart(user, this.#refusalOf(operation, outcome), counted)
    return output
  }

  /** Writes the audit entry of a refusal, if the row is audited, and the caller known or a sign-in limited. */
  async recordRefusal(refusal: unknown): Promise<void> {
    const { tokenHash } = this.#invocation
    const signIn = refusal instanceof PortalError ? refusal.signIn : undefined
    if (this.#row.effect === 'none' || this.#isRecorded || (tokenHash === undefined && !signIn)) return
    const outcome = findOutcome(refusal)
    if (outcome === undefined || outcome === invalidTokenCode || this.#isDryRun()) return
    const { refusals, settings } = this.#server
    const command = this.#refusalOf(this.#row.id, outcome)
    const record = (entry: RefusalCommand) => this.#write(entry)
    if (tokenHash !== undefined || !signIn) return refusals.record(this.#of.sender.user, command, record)
    const { bucket, ...account } = signIn
    const limited = { ...command, input: { ...command.input, ...account } }
    return refusals.recordOnce(bucket, settings.signInLimit.minutes * 60_000, limited, record)
  }

  async #write(command: WriteCommand): Promise<unknown> {
    const begun = performance.now()
    try {
      return await write(this.#server.dependencies.storage, command, begun + this.#left)
    } finally {
      this.#left -= performance.now() - begun
    }
  }

  #refusalOf(operation: string, outcome: number): RefusalCommand {
    return {
      ...this.#invocation,
      allowsApps: true,
      problems: [],
      operation: 'recordRefusal',
      input: { operation, outcome },
      origin: this.#origin(),
    }
  }

  /** A dry run leaves nothing in the audit, whatever comes of it (chosen). Also where another parameter is wrong. */
  #isDryRun(): boolean {
    const { dryRun } = this.#row.parameters
    const value = dryRun && readValues({ dryRun }, this.#of.parameters)
    return value !== undefined && 'value' in value && value.value.dryRun === true
  }

  /** The members of the audit entry that describe the request. */
  #origin(): WriteCommand['origin'] {
    const { params, ip, id } = this.#of.request
    const ids = params as Readonly<Record<string, string>>
    const filled = this.#row.path.replace(/:(\w+)/g, (_, name: string) => withoutTokens(ids[name] ?? ''))
    return { address: ip, target: filled.slice(0, maxTargetLength), requestId: id }
  }
}

/** Does what has a queue of its own, without charging the sender of the request for the time. */
export function elsewhere<Result>({ answering }: FastifyReply, work: () => Promise<Result>): Promise<Result> {
  return answering ? answering.elsewhere(work) : work()
}

/** Waits without a place among the requests in progress; the signal aborts where the client goes. */
export async function outside<Result>(
  { answering, raw }: FastifyReply,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const gone = new AbortController()
  const leave = () => gone.abort()
  raw.once('close', leave)
  if (raw.closed) leave()
  try {
    return await (answering ? answering.outside(() => work(gone.signal)) : work(gone.signal))
  } finally {
    raw.off('close', leave)
  }
}

const tokenLength = 43
/** Texts with the length and the characters of a token, where a client has put one in the place of an id. */
const tokens = new RegExp(`(?<![\\w-])[\\w-]{${tokenLength}}(?![\\w-])`, 'g')

function withoutTokens(id: string): string {
  return id.length < tokenLength ? id : id.replace(tokens, '…')
}

/** Code of a refusal; undefined for outages and bugs, which are not audited. */
function findOutcome(refusal: unknown): number | undefined {
  return refusal instanceof PortalError ? refusal.code : undefined
}
