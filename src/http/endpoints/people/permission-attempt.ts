import type { Call } from '../../../call/call.ts'
import { PortalError } from '../../../errors.ts'
import { attemptOperation, withoutSlowWork } from '../../../operations/attempt.ts'
import { WouldWrite } from '../../../operations/permission-check.ts'
import type { Query } from '../../../operations/registry.ts'
import type { Readers } from '../../../storage/storage.ts'
import { type RequestParameters, readRequestParameters } from '../../decoding/request-parameters.ts'
import type { ApiRequest, Endpoint } from '../endpoint.ts'
import { readValues } from '../parameter-values.ts'

/** Members that the attempt takes from the request for the permission check. */
export type Origin = Pick<ApiRequest, 'dependencies' | 'now' | 'address' | 'agent' | 'publicUrl' | 'settings'>

interface GivenParameters {
  readonly isGiven: boolean
  readonly requestParameters: RequestParameters
}

/** Parameters by their names, as a form would have them; without any, permission alone is judged. */
export async function readGiven(parameters: Readonly<Record<string, string>> | undefined): Promise<GivenParameters> {
  const query = new URLSearchParams(parameters).toString()
  const form = { query, contentType: undefined, body: undefined, bareBody: undefined }
  return { isGiven: parameters !== undefined, requestParameters: await readRequestParameters(form) }
}

/** Placeholder for parameters, which the operation refuses after it has checked permission. */
const notLookedAt = { problems: ['Parameters are not looked at.'] }

function isNotLookedAt(error: unknown): boolean {
  return error instanceof PortalError && error.details.includes(notLookedAt.problems[0]!)
}

/** The row's own answer, up to its first write: every query and the operation itself on one snapshot. */
export async function attemptRow(
  row: Endpoint,
  ids: Readonly<Record<string, string>>,
  { isGiven, requestParameters }: GivenParameters,
  { dependencies, now, address, agent, publicUrl, settings }: Origin,
  stores: Readers,
  call: Call,
): Promise<void> {
  const hasParameters = Object.keys(row.parameters).length > 0
  const attempted = {
    ids,
    input: isGiven || !hasParameters ? readValues(row.parameters, requestParameters) : notLookedAt,
    requestParameters,
    dependencies: withoutSlowWork(dependencies),
    now,
    ifMatch: undefined,
    format: 'json',
    address,
    agent,
    languages: () => [],
    tokenHash: undefined,
    noteSignIn() {},
    outside: (work: (signal: AbortSignal) => Promise<unknown>) => work(new AbortController().signal),
    findClient: () => undefined,
    findCrossSiteOrigin: () => undefined,
    publicUrl,
    settings,
    read: <Input>(query: Query<Input, unknown>, given: Input) => query(stores, call, given),
    search: (operation: string, given: unknown) => attemptOperation(stores, call, operation, given),
    run: (given: unknown) => attemptOperation(stores, call, row.id, given),
  }
  try {
    requireAnyDone(await row.answer(attempted as unknown as ApiRequest))
  } catch (error) {
    throw isNotLookedAt(error) ? new WouldWrite() : error
  }
}

/** Throws the first refusal among the outcomes of several targets: no target was written, so all of them are refused. */
function requireAnyDone(answer: unknown): void {
  const { results = [] } = (answer as { readonly json?: { readonly results?: readonly OneResult[] } }).json ?? {}
  const refused = results.find(({ error }) => error)?.error
  if (refused) throw new PortalError(refused)
}

interface OneResult {
  readonly error?: Pick<PortalError, 'code' | 'message'>
}
