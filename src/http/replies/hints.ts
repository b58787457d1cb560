import { methodNotAllowed, type PortalError } from '../../errors.ts'
import { say } from '../../sentences/say.ts'
import { countEdits, withHint } from '../../spelling.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import { segmentsOf } from '../endpoints/places.ts'

/**
 * Hints that accompany an error whose words the contract fixes (chosen). They follow from the request and the table of
 * endpoints alone, so they do not reveal whether a resource exists.
 */

const methodsOfResources = ['GET', 'POST']

/** A 405 for a method that no endpoint has. */
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

/** Maximum length of a path that is compared, in characters. */
const maxPathLength = 256

/** Hint for an unknown path below the base: the nearest path of the table, if one is near. */
export function hintAtPath(table: readonly Endpoint[], base: string, path: string): readonly string[] {
  const meant = path.length > maxPathLength ? undefined : findPath(table, segmentsOf(path.slice(base.length)))
  if (meant !== undefined) return [withHint('There is no such path', `${base}${meant}`)]
  return [`There is no such path; ${base.replace(/sharing\/rest$/, 'openapi.json')} lists all of them.`]
}

/** Hint for a path outside the base: the root of the API, with this path appended if the API has it. */
export function hintAtRoot(table: readonly Endpoint[], root: string, path: string): readonly string[] {
  const meant = findMeantPath(table, root, path)
  return [meant === undefined ? `The API is at ${root}.` : `The API is at ${root}: try ${root}/${meant}.`]
}

/** Path below the root of the API that a path outside stands for, without its first segments; undefined if there is none. */
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

/** Adds reasons to a refusal: who may call, if it has none of its own (403), or the header sent in place of a token (499). */
export function explain(failure: PortalError, { who }: Endpoint, headers: Headers): PortalError {
  if (failure.code === 403 && failure.reasons.length === 0) return failure.because([say('whoMayCall', { who })])
  return failure.code === 499 ? failure.because(hintAtToken(headers)) : failure
}

interface Headers {
  readonly authorization?: string | undefined
  readonly 'x-esri-authorization'?: string | readonly string[] | undefined
}

/** Hint for a request whose headers have something else in place of a token. */
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
