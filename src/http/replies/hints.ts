import { methodNotAllowed, type PortalError } from '../../errors.ts'
import { countEdits, withHint } from '../../spelling.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import { segmentsOf } from '../endpoints/places.ts'

/**
 * What a client gets beside an error whose words the contract fixes (chosen). Hints follow from the request and the table
 * of endpoints alone, so that they are the same for what exists and what does not.
 */

const methodsOfResources = ['GET', 'POST']

/** 405 for a method that nothing has here. */
export function unknownMethod(method: string): PortalError {
  return methodNotAllowed(
    methodsOfResources,
    `${method} is not used here: resources take GET and POST, operations POST.`,
  )
}

/** 405 for an operation that is requested by GET. */
export function postOnly({ parameters }: Endpoint): PortalError {
  const hasSecret = Object.values(parameters).some(({ isSecret }) => isSecret)
  const why = hasSecret
    ? 'Credentials belong in the body of a POST: addresses are kept in logs and histories.'
    : 'Operations are sent by POST.'
  return methodNotAllowed(['POST'], why)
}

/** Longest path that is compared, in characters. */
const maxPathLength = 256

/** Of a path below the base that is none of the table: the nearest one that is. */
export function hintAtPath(table: readonly Endpoint[], base: string, path: string): readonly string[] {
  const meant = path.length > maxPathLength ? undefined : findPath(table, segmentsOf(path.slice(base.length)))
  if (meant !== undefined) return [withHint('There is no such path', `${base}${meant}`)]
  return [`There is no such path; ${base.replace(/sharing\/rest$/, 'openapi.json')} lists all of them.`]
}

/** Of a path outside the base: where the API is, with this path where it has it. */
export function hintAtRoot(table: readonly Endpoint[], root: string, path: string): readonly string[] {
  const meant = findMeantPath(table, root, path)
  return [meant === undefined ? `The API is at ${root}.` : `The API is at ${root}: try ${root}/${meant}.`]
}

/** The path below the root of the API that one outside of it leaves out the beginning of; undefined if it is none. */
export function findMeantPath(table: readonly Endpoint[], root: string, path: string): string | undefined {
  const before = [...segmentsOf(new URL(root).pathname), 'rest']
  const given = [...segmentsOf(path)]
  while (given.length > 0 && before.includes(given[0]!)) given.shift()
  const isKnown = path.length <= maxPathLength && given.length > 0 && table.some((row) => distanceOf(row, given) === 0)
  return isKnown ? given.join('/') : undefined
}

function findPath(table: readonly Endpoint[], given: readonly string[]): string | undefined {
  const near = table
    .filter(({ isAlwaysRefused }) => !isAlwaysRefused)
    .map((row) => ({ row, distance: distanceOf(row, given) }))
    .filter(({ distance }) => distance <= 2)
    .toSorted((one, other) => one.distance - other.distance)[0]
  if (!near) return undefined
  const filled = segmentsOf(near.row.path).map((segment, place) => (segment.startsWith(':') ? given[place] : segment))
  return `/${filled.join('/')}`
}

/** Wrong letters in the words of the path; infinite for another path. Any id is right. */
function distanceOf({ path }: Endpoint, given: readonly string[]): number {
  const segments = segmentsOf(path)
  if (segments.length !== given.length) return Number.POSITIVE_INFINITY
  return segments.reduce(
    (sum, segment, place) => (segment.startsWith(':') ? sum : sum + countEdits(given[place]!, segment)),
    0,
  )
}

/** Of a refusal: who may call, where the refusal itself names no privilege, and what the headers have in place of a token. */
export function explain(failure: PortalError, { who }: Endpoint, headers: Headers): PortalError {
  if (failure.code === 403 && failure.reasons.length === 0) return failure.because([`Who may call: ${who}.`])
  return failure.code === 499 ? failure.because(hintAtToken(headers)) : failure
}

interface Headers {
  readonly authorization?: string | undefined
  readonly 'x-esri-authorization'?: string | readonly string[] | undefined
}

/** Of a request without a token whose headers have something that is none. */
function hintAtToken(headers: Headers): readonly string[] {
  const bearer = 'a token is sent as "Bearer <token>".'
  const { authorization, 'x-esri-authorization': esri } = headers
  if (esri !== undefined && esri !== '') return [`X-Esri-Authorization is not understood: ${bearer}`]
  if (authorization === undefined || authorization === '') return []
  if (/^Basic(?: |$)/i.test(authorization)) {
    return [`Authorization: Basic is not supported; post username and password to generateToken. Then ${bearer}`]
  }
  return [`Authorization is not understood: ${bearer}`]
}
