import type { FastifyRequest } from 'fastify'
import type { Caller } from '../directory/caller.ts'
import { OperationRefused, PortalError, tokenInvalid, tokenRequired } from '../errors.ts'
import { accept } from '../input.ts'
import { type Stores, workMilliseconds } from '../storage/storage.ts'
import { findCaller } from '../tokens/operations.ts'
import { type Format, formats } from './answer.ts'
import { findToken } from './authenticate.ts'
import type { Account, ApiRequest, Operation, OperationSettings } from './operation.ts'
import { readValues } from './parameters.ts'
import { type Params, readParams } from './params.ts'
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
  let known: Caller | undefined

  async function requireKnownCaller(stores: Stores): Promise<Caller | undefined> {
    if (tokenHash === undefined) return undefined
    known = await findCaller(stores, tokenHash, now)
    if (!known) throw tokenInvalid()
    return known
  }

  /** An operation without parameters has not looked whether the request could be read; it is undone here. */
  function requireReadable(): void {
    accept(api.input)
  }

  const inTime = shareTime()
  let isRecorded = false
  const ids = request.params as Record<string, string>

  function audit(stores: Stores, caller: Caller | undefined, account: Account): Promise<void> {
    return stores.audit.add({
      at: now,
      username: account.username ?? caller?.username,
      portalId: account.portalId ?? caller?.portalId,
      address: request.ip,
      operation: row.id,
      target: (account.target ?? row.path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? '')).slice(
        0,
        longestTarget,
      ),
      outcome: account.outcome ?? 200,
      requestId: request.id,
    })
  }

  const api: ApiRequest = {
    ids,
    input: readValues(row.parameters, params),
    params,
    ports,
    now,
    address: request.ip,
    publicUrl,
    settings,
    read: (operation, input) =>
      inTime((until) =>
        ports.storage.read(async (stores) => {
          const output = await operation(stores, { caller: await requireKnownCaller(stores), now }, input)
          requireReadable()
          return output
        }, until),
      ),
    async write(operation, input, account) {
      const written = await inTime((until) =>
        ports.storage.write(async (stores) => {
          const caller = await requireKnownCaller(stores)
          const output = await operation(stores, { caller, now }, input)
          requireReadable()
          await audit(stores, caller, account?.(output) ?? {})
          return output
        }, until),
      )
      isRecorded = true
      return written
    },
  }
  return {
    api,
    async recordRefusal(refusal) {
      if (row.kind !== 'operation' || !known || isRecorded) return
      if (!(refusal instanceof PortalError || refusal instanceof OperationRefused)) return
      const outcome = refusal instanceof PortalError ? refusal.code : 400
      await inTime((until) => ports.storage.write((stores) => audit(stores, known, { outcome }), until))
    },
  }
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
