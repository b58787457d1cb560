import { base } from '../navigation/navigation.ts'
import type { Parameters } from './parameters.ts'

/** Calls of the public API: form-encoded, `f=json`, the token in a header and never in an address. */

export interface CallOptions {
  /** `GET` for calls that change nothing. Default `GET`. */
  readonly method?: 'GET' | 'POST'
  readonly signal?: AbortSignal | undefined
  readonly token?: string | undefined
  /** Whether the call goes on when the person leaves the page. */
  readonly keepalive?: boolean
  /** Tag of an answer that is there already: the call asks for a newer one only. */
  readonly unless?: string | undefined
}

/** Error for a refusal by the server, in its own sentences. */
export class ApiError extends Error {
  /** Code in the envelope of the API: 400, 401, 403, 404, 409, 412, 429, 498, 499, 500 … */
  readonly code!: number
  readonly messageCode: string | undefined
  readonly details!: readonly string[]
  /** Causes with their remedy, such as a missing privilege, or who may call. */
  readonly reasons!: readonly string[]
  /** Parameter that overrides the refusal. */
  readonly acceptedWith: string | undefined
  /** Id by which the operator finds the request in the log of the server. */
  readonly requestId: string | undefined
  /** All members of the refusal: some operations add their own. */
  readonly members!: object

  constructor(error: ErrorEnvelope['error'], requestId: string | undefined) {
    super(error.message)
    Object.assign(this, { name: 'ApiError', details: [], reasons: [], ...error, members: error, requestId })
  }

  /** Sentences of the refusal, each once: most have one, which is their only detail. */
  get sentences(): readonly string[] {
    return [...new Set(this.details.length > 0 ? this.details : [this.message])]
  }
}

interface ErrorEnvelope {
  readonly error: {
    readonly code: number
    readonly messageCode?: string
    readonly message: string
    readonly details?: readonly string[]
    readonly reasons?: readonly string[]
    readonly acceptedWith?: string
  }
}

/** Error for a server that was not reached, or an answer that is not of this API. */
export class Unreachable extends Error {
  constructor(cause: unknown) {
    super('The server did not answer.', { cause })
    this.name = 'Unreachable'
  }
}

/** Calls an operation with a given token; `session.ts` calls with that of the signed-in person. */
export async function callWithToken<Answer>(
  path: string,
  parameters: Parameters,
  options: CallOptions,
): Promise<Answer> {
  return answerOf<Answer>(await send(path, parameters, options))
}

/** An answer, and the tag by which a newer one is asked for. */
export interface TaggedAnswer<Answer> {
  readonly answer: Answer
  readonly tag: string | undefined
}

/** Calls an operation whose answers have tags; undefined if there is none but that of `unless`. */
export async function callForNewer<Answer>(
  path: string,
  parameters: Parameters,
  options: CallOptions,
): Promise<TaggedAnswer<Answer> | undefined> {
  const response = await send(path, parameters, options)
  if (response.status === 304) return undefined
  return { answer: await answerOf<Answer>(response), tag: response.headers.get('etag') ?? undefined }
}

/** A part of a file, and the start of the next one. */
export interface FilePart {
  readonly blob: Blob
  /** Value of `start` for the next part; undefined at the end. */
  readonly nextKey: string | undefined
}

/** Calls an operation whose answer is a file. */
export async function fetchFile(path: string, parameters: Parameters, options: CallOptions): Promise<FilePart> {
  const response = await send(path, parameters, options)
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  const blob = await response.blob()
  const answer: unknown = isJson ? JSON.parse(await blob.text()) : undefined
  if (isError(answer)) throw new ApiError(answer.error, response.headers.get('x-request-id') ?? undefined)
  return { blob, nextKey: response.headers.get('x-next-key') ?? response.headers.get('x-next-start') ?? undefined }
}

async function send(path: string, parameters: Parameters, options: CallOptions): Promise<Response> {
  const { method = 'GET', signal, token, keepalive = false, unless } = options
  const url = new URL(`sharing/rest${path}`, base)
  const headers = new Headers({ accept: 'application/json' })
  if (token) headers.set('x-esri-authorization', `Bearer ${token}`)
  if (unless !== undefined) headers.set('if-none-match', unless)
  const body = encode({ f: 'json', ...parameters })
  if (method === 'GET' && body instanceof URLSearchParams) url.search = body.toString()
  try {
    return await fetch(url, {
      method,
      headers,
      credentials: 'omit',
      cache: 'no-store',
      keepalive,
      ...(signal && { signal }),
      ...(method === 'POST' && { body }),
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new Unreachable(error)
  }
}

/** Encodes parameters; files make the body multipart. */
function encode(parameters: Parameters): URLSearchParams | FormData {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined)
  const body = given.some(([, value]) => value instanceof Blob) ? new FormData() : new URLSearchParams()
  for (const [name, value] of given) {
    if (value instanceof Blob) (body as FormData).append(name, value)
    else body.append(name, String(value))
  }
  return body
}

/** The answer of a response; throws a refusal. */
async function answerOf<Answer>(response: Response): Promise<Answer> {
  const answer = await response.json().catch((error: unknown) => {
    throw new Unreachable(error)
  })
  if (isError(answer)) throw new ApiError(answer.error, response.headers.get('x-request-id') ?? undefined)
  return answer
}

function isError(answer: unknown): answer is ErrorEnvelope {
  return typeof answer === 'object' && answer !== null && 'error' in answer && typeof answer.error === 'object'
}
