import type { FastifyRequest } from 'fastify'
import type { Account } from '../directory/caller.ts'
import { OperationRefused, operationRefused, PortalError, tokenInvalid, tokenRequired } from '../errors.ts'
import { type AuditEntry, workMilliseconds } from '../storage/storage.ts'
import { type Format, formats } from './answer.ts'
import { findToken } from './authenticate.ts'
import type { ApiRequest, Operation, OperationSettings, RoomOperation } from './operation.ts'
import { readValues } from './parameters.ts'
import { type Params, readParams } from './params.ts'
import { nameOf, performErrand, recordRefusal, requireKnownCaller } from './perform.ts'
import type { Ports } from './ports.ts'

/** A request on its way to its row, with the audit of what becomes of it. */
export interface OpenRequest {
  readonly api: ApiRequest
  /** Writes the audit of a refusal, if it was a known caller's wish to change something. */
  recordRefusal(refusal: unknown): Promise<void>
}

/** What the listener knows of a request beyond its bytes. */
export interface RequestContext {
  readonly ports: Ports
  readonly publicUrl: string
  readonly settings: OperationSettings
}

export function readRequestParams(request: FastifyRequest, bareBody: string | undefined): Promise<Params> {
  const url = request.raw.url ?? ''
  const mark = url.indexOf('?')
  return readParams({
    query: mark === -1 ? '' : url.slice(mark + 1),
    contentType: request.headers['content-type'],
    body: Buffer.isBuffer(request.body) ? request.body : undefined,
    bareBody,
  })
}

/**
 * `f`, or what the Accept header prefers where it is absent: HTML for a browser, JSON for the rest (chosen).
 * Undefined for an `f` that is none of the formats.
 */
export function findFormat(params: Params, accept: string | undefined): Format | undefined {
  const given = params.find('f')
  if (!given) return prefersHtml(accept) ? 'html' : 'json'
  return 'text' in given ? formats.find((known) => known === given.text.toLowerCase()) : undefined
}

/** A browser names HTML and leaves JSON to its wildcard; a client that names JSON no less wants JSON. */
function prefersHtml(accept: string | undefined): boolean {
  if (accept === undefined) return false
  const weights = new Map<string, number>()
  for (const range of accept.split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const quality = parameters.find((parameter) => parameter.startsWith('q='))
    weights.set(type, quality === undefined ? 1 : Number(quality.slice(2)) || 0)
  }
  const html = weights.get('text/html') ?? 0
  const named = weights.get('application/json')
  if (named !== undefined) return html > named
  return html > 0 && html >= (weights.get('application/*') ?? weights.get('*/*') ?? 0)
}

/** In characters: ids that nobody has may be as long as a request line. */
const longestTarget = 256

export function openRequest(
  row: Operation,
  request: FastifyRequest,
  params: Params,
  { ports, publicUrl, settings }: RequestContext,
): OpenRequest {
  const now = ports.now()
  const token = row.token === 'none' ? undefined : findToken(params, request.headers)
  // Told before anything is read into values: nobody makes the server judge a megabyte without a token.
  if (row.token === 'required' && token === undefined) throw tokenRequired()
  const tokenHash = token === undefined ? undefined : ports.random.hashToken(token)
  const inTime = shareTime()
  const ids = request.params as Record<string, string>
  const input = readValues(row.parameters, params)
  const problems = 'problems' in input ? input.problems : []
  let isRecorded = false

  function entryOf(account: Account): AuditEntry {
    const path = account.target ?? row.path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? '')
    return {
      at: now,
      username: account.username,
      portalId: account.portalId,
      address: request.ip,
      operation: row.id,
      target: path.slice(0, longestTarget),
      outcome: account.outcome ?? 200,
      requestId: request.id,
    }
  }

  const api: ApiRequest = {
    ids,
    input,
    params,
    ports,
    now,
    address: request.ip,
    publicUrl,
    settings,
    read: (operation, input) =>
      inTime((until) =>
        ports.storage.read(async (stores) => {
          const caller = tokenHash === undefined ? undefined : await requireKnownCaller(stores, tokenHash, now)
          const output = await operation(stores, { caller, now }, input)
          if (problems.length > 0) throw operationRefused(...problems)
          return output
        }, until),
      ),
    async write<Input, Output>(operation: RoomOperation<Input, Output>, input: Input, account: Account = {}) {
      const errand = { operation: nameOf(operation), input, tokenHash, problems, entry: entryOf(account) }
      const output = await inTime((until) => ports.storage.write(performErrand, errand, until))
      isRecorded = true
      return output as Output
    },
  }
  return {
    api,
    async recordRefusal(refusal) {
      if (row.kind !== 'operation' || isRecorded || tokenHash === undefined) return
      const outcome = findOutcome(refusal)
      if (outcome === undefined || outcome === tokenInvalid().code) return
      await inTime((until) => ports.storage.write(recordRefusal, { tokenHash, entry: entryOf({ outcome }) }, until))
    },
  }
}

/** Code of a refusal; undefined for outages and bugs, which nobody decided. */
function findOutcome(refusal: unknown): number | undefined {
  if (refusal instanceof OperationRefused) return 400
  return refusal instanceof PortalError ? refusal.code : undefined
}

/** Whatever a request asks of the database, it waits for no longer than one piece of work may take. */
function shareTime(): <Result>(work: (until: number) => Promise<Result>) => Promise<Result> {
  let left = workMilliseconds
  return async (work) => {
    const begun = performance.now()
    try {
      return await work(begun + left)
    } finally {
      left -= performance.now() - begun
    }
  }
}
