import type { Endpoint } from '../../../../src/http/endpoints/endpoint.ts'
import { formEncode, type Parameters, type TestPortal } from '../../../support/portal/portal.ts'
import type { Outcome } from './expectations/outcomes.ts'

/** Place of a token in a request. */
export const places = ['query', 'body', 'x-esri-authorization', 'authorization'] as const
export type Place = (typeof places)[number]

export interface Call {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly parameters: Parameters
  /** Tokens by the place that they travel in. */
  readonly tokens: Partial<Record<Place, string | undefined>>
  readonly headers?: Readonly<Record<string, string>>
}

/** The request, its tokens at their places, and what came back. */
export async function send(portal: TestPortal, call: Call): Promise<Received> {
  const { method, path, tokens } = call
  const isGet = method === 'GET'
  const query = formEncode({ ...(isGet ? call.parameters : {}), ...tokenAt(tokens.query) })
  const headers: Record<string, string> = { ...call.headers }
  for (const name of ['x-esri-authorization', 'authorization'] as const) {
    if (tokens[name] !== undefined) headers[name] = `Bearer ${tokens[name]}`
  }
  if (!isGet) headers['content-type'] = 'application/x-www-form-urlencoded'
  const response = await portal.inject({
    method,
    url: query === '' ? path : `${path}?${query}`,
    headers,
    ...(isGet ? {} : { payload: formEncode({ ...call.parameters, ...tokenAt(tokens.body) }) }),
  })
  return { status: response.statusCode, text: response.body }
}

function tokenAt(token: string | undefined): Parameters {
  return token === undefined ? {} : { token }
}

export interface Received {
  readonly status: number
  readonly text: string
}

/** The error of an answer; undefined for a success. Anything but JSON under HTTP 200 counts as an error of its own. */
export function findError({ status, text }: Received): unknown {
  if (status !== 200) return `HTTP ${status}`
  try {
    const body = JSON.parse(text)
    return 'error' in body ? body.error : undefined
  } catch {
    return 'not JSON'
  }
}

/**
 * Whether this is the answer that was expected, to the letter: an envelope has nothing beside its error, and an error
 * nothing beside what the contract fixes but reasons that fit the row.
 */
export function isExpected(row: Endpoint, received: Received, expected: Outcome): boolean {
  if (expected === 'ok') return findError(received) === undefined
  const { error: { reasons = [], ...error } = {}, ...others } = parse(received.text) ?? {}
  return (
    received.status === 200 && isSame({ error, ...others }, { error: expected }) && areFitting(row, error.code, reasons)
  )
}

const notForApps = 'An app may not call this as itself, but for a user who signs in to it.'

/** Whether the reasons of an error fit the row: who may call or a privilege, why a method or two tokens are refused. */
function areFitting({ who }: Endpoint, code: unknown, reasons: readonly string[]): boolean {
  if (code === 405) return reasons.length === 1
  if (code === 498 && reasons.length > 0) return reasons.join() === 'Different tokens are given; give one.'
  if (code !== 403) return reasons.length === 0
  const [reason = ''] = reasons
  if (reason === notForApps) return reasons.length === 1
  const missing = /^(?:Your role|The app) does not have the privilege ([\w:]+)(?:\.$|, or the owner)/.exec(reason)?.[1]
  return reasons.length === 1 && (missing === undefined ? reason === `Who may call: ${who}.` : who.includes(missing))
}

// biome-ignore lint/suspicious/noExplicitAny: an answer, whatever it is.
function parse(text: string): any {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other))
}

/** Members in the order of their names, so that only their values are compared. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  )
}

/** `/portals/:portalId/roles` with its ids put in. */
export function fillPath(path: string, ids: Readonly<Record<string, string>>): string {
  return path.replace(/:(\w+)/g, (_, name: string) => {
    const id = ids[name]
    if (id === undefined) throw new Error(`${path} needs ${name}.`)
    return encodeURIComponent(id)
  })
}

/** Names of the ids in a path. */
export function idNames(path: string): readonly string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
}

/** A control character, which every parameter that is read refuses as text, as a number, as JSON and as a choice. */
export function garbageFor({ parameters }: Endpoint): Parameters {
  const read = Object.entries(parameters).filter(([, { unused }]) => unused === undefined)
  return Object.fromEntries(read.map(([name]) => [name, '\u0001']))
}

/** A failure for people to read: who called what and how, what was expected and what came. */
export function formatFailure(who: string, call: Call, expected: string, received: Received | string): string {
  const tokens = Object.keys(call.tokens).join(' and ')
  const came = typeof received === 'string' ? received : `HTTP ${received.status} ${received.text.slice(0, 400)}`
  return [
    `${who}, token in ${tokens || 'no place'}: ${call.method} ${call.path} ${JSON.stringify(call.parameters).slice(0, 300)}`,
    `  expected ${expected}`,
    `  received ${came}`,
  ].join('\n')
}
